import type { Entry } from "../entry.ts";

/** A field by its name in lower case, or a pseudo-header field. Each character is one octet; `{scheme}`, `{authority}` and `{path}` are the subject's. */
export type Field = readonly [name: string, value: string];

/** A request as all versions of HTTP could mean it: the fields of HTTP/2 and HTTP/3, in their order, with what follows them. */
export type Request = {
  readonly fields: readonly Field[];
  /** The octets of its content, one a character; a request without it has none. */
  readonly content?: string;
  readonly trailers?: readonly Field[];
};

/** A request that is sent in every version that can say it. */
export type RequestEntry = Entry & { readonly request: Request };

export const CONTROL_DATA = [":method", ":scheme", ":authority", ":path"] as const;

/** A request for the subject's path. */
export const requestOf = (method: string, ...more: readonly Field[]): Field[] => [
  [":method", method],
  [":scheme", "{scheme}"],
  [":authority", "{authority}"],
  [":path", "{path}"],
  ...more,
];

/** The first value of a field. */
export const valueOf = ({ fields }: Request, wanted: string): string | undefined => fields.find(([name]) => name === wanted)?.[1];
