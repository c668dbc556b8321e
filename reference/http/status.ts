/** Whether the response is interim, before the final one (rfc9110#15.2). */
export const isInterim = (status: number): boolean => status >= 100 && status < 200;
export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/**
 * Whether the response to `method` has no content, whatever its content-length (rfc9110#6.4.1). A 2xx response to CONNECT has none either:
 * the tunnel follows it.
 */
export function forbidsContent(method: string, status: number): boolean {
  return method === "HEAD" || status === 204 || status === 304 || isInterim(status);
}

/** Parses three digits from 100 to 999; undefined for anything else (rfc9110#15). */
export function parseStatus(text: string): number | undefined {
  if (text.length !== 3) return undefined;
  const hundreds = text.charCodeAt(0) - 0x30;
  const tens = text.charCodeAt(1) - 0x30;
  const ones = text.charCodeAt(2) - 0x30;
  if (hundreds < 1 || hundreds > 9 || tens < 0 || tens > 9 || ones < 0 || ones > 9) return undefined;
  return hundreds * 100 + tens * 10 + ones;
}

/** The reason phrase of a registered code; empty for others (rfc9110#15, rfc6585). */
export const reasonPhrase = (status: number): string => PHRASES[status] ?? "";
const PHRASES: Readonly<Record<number, string>> = {
  100: "Continue",
  101: "Switching Protocols",
  102: "Processing",
  103: "Early Hints",
  200: "OK",
  201: "Created",
  202: "Accepted",
  203: "Non-Authoritative Information",
  204: "No Content",
  205: "Reset Content",
  206: "Partial Content",
  300: "Multiple Choices",
  301: "Moved Permanently",
  302: "Found",
  303: "See Other",
  304: "Not Modified",
  307: "Temporary Redirect",
  308: "Permanent Redirect",
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  406: "Not Acceptable",
  407: "Proxy Authentication Required",
  408: "Request Timeout",
  409: "Conflict",
  410: "Gone",
  411: "Length Required",
  412: "Precondition Failed",
  413: "Content Too Large",
  414: "URI Too Long",
  415: "Unsupported Media Type",
  416: "Range Not Satisfiable",
  417: "Expectation Failed",
  421: "Misdirected Request",
  422: "Unprocessable Content",
  425: "Too Early",
  426: "Upgrade Required",
  428: "Precondition Required",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  501: "Not Implemented",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
  505: "HTTP Version Not Supported",
  511: "Network Authentication Required",
};
