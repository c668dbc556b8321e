/** How a call of a web dialect is sent: the dialect, whether its messages stand in envelopes, and their format. */
export const WEB_FORMS = {
  "unary proto": { dialect: "connect", isStream: false, format: "proto", contentType: "application/proto" },
  "unary json": { dialect: "connect", isStream: false, format: "json", contentType: "application/json" },
  "get proto": { dialect: "connect", isStream: false, format: "proto", contentType: "application/proto" },
  "get json": { dialect: "connect", isStream: false, format: "json", contentType: "application/json" },
  "stream proto": { dialect: "connect", isStream: true, format: "proto", contentType: "application/connect+proto" },
  "stream json": { dialect: "connect", isStream: true, format: "json", contentType: "application/connect+json" },
  web: { dialect: "grpc-web", isStream: true, format: "proto", contentType: "application/grpc-web" },
  "web proto": { dialect: "grpc-web", isStream: true, format: "proto", contentType: "application/grpc-web+proto" },
  "web text": { dialect: "grpc-web", isStream: true, format: "proto", contentType: "application/grpc-web-text" },
  "web text proto": { dialect: "grpc-web", isStream: true, format: "proto", contentType: "application/grpc-web-text+proto" },
} as const satisfies Readonly<Record<string, WebFormat>>;
export type WebForm = keyof typeof WEB_FORMS;
export type WebDialect = "connect" | "grpc-web";
type WebFormat = {
  readonly dialect: WebDialect;
  readonly isStream: boolean;
  readonly format: "proto" | "json";
  readonly contentType: string;
};

export const isText = (form: WebForm): boolean => form.startsWith("web text");
export const isGet = (form: WebForm): boolean => form.startsWith("get");

/** Codes of the dialect connect by the number of their status (rpc-connect#error-codes). */
export const CODES = [
  "ok",
  "canceled",
  "unknown",
  "invalid_argument",
  "deadline_exceeded",
  "not_found",
  "already_exists",
  "permission_denied",
  "resource_exhausted",
  "failed_precondition",
  "aborted",
  "out_of_range",
  "unimplemented",
  "internal",
  "unavailable",
  "data_loss",
  "unauthenticated",
] as const;
/** The HTTP status of each. */
export const HTTP_OF_CODE = [200, 499, 500, 400, 504, 404, 409, 403, 429, 400, 409, 400, 501, 500, 503, 500, 401] as const;
/** The status that an HTTP status means without a code (rpc-connect#http-to-error-code); all others mean UNKNOWN. */
export const STATUS_OF_HTTP: Readonly<Record<number, number>> = { 400: 13, 401: 16, 403: 7, 404: 12, 429: 14, 502: 14, 503: 14, 504: 14 };
