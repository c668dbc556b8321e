import { isTarget } from "./field-syntax.ts";

/** An IPv6 address, perhaps with a zone (RFC 6874), or an address of a later version (rfc3986#3.2.2). */
const ADDRESS = String.raw`\[(?:[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(?:%25(?:[A-Za-z0-9._~-]|%[0-9A-Fa-f]{2})+)?|[vV][0-9A-Fa-f]+\.[A-Za-z0-9._~!$&'()*+,;=:-]+)\]`;
/** The host of an authority (rfc3986#3.2): an address in brackets, or a name. */
const HOST = String.raw`(?:${ADDRESS}|(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)`;
const AUTHORITY = new RegExp(`^${HOST}(?::[0-9]*)?$`);
const HOST_AND_PORT = new RegExp(`^${HOST}:[0-9]{1,5}$`);

const LAST_PORT = 65_535;

/** Whether the text is an authority without userinfo (rfc9113#8.3.1). It may be empty: whether that is valid depends on the scheme. */
export const isAuthority = (text: string): boolean => AUTHORITY.test(text);

/** Whether the text has authority-form, with host and port, as in CONNECT (rfc9112#3.2.3, rfc9113#8.5). */
export const isHostAndPort = (text: string): boolean =>
  HOST_AND_PORT.test(text) && !text.startsWith(":") && Number(text.slice(text.lastIndexOf(":") + 1)) <= LAST_PORT;

/** Whether two authorities are equivalent for `scheme`: case and the default port make no difference (rfc3986#6.2.3). */
export function sameAuthority(one: string, other: string, scheme: string): boolean {
  return one === other || normal(one, scheme) === normal(other, scheme);
}

/** Scheme and authority in normal form (rfc9110#4.3.1): equal for requests to the same origin. */
export const originOf = (scheme: string, authority: string): string => `${scheme.toLowerCase()}://${normal(authority, scheme)}`;

function normal(authority: string, scheme: string): string {
  const lower = authority.toLowerCase();
  const port = scheme.toLowerCase() === "https" ? ":443" : ":80";
  if (lower.endsWith(port)) return lower.slice(0, -port.length);
  return lower.endsWith(":") ? lower.slice(0, -1) : lower;
}

/** The four forms of a request target (rfc9112#3.2). `path` includes the query. */
export type Target =
  | { readonly form: "origin"; readonly path: string }
  | { readonly form: "absolute"; readonly scheme: string; readonly authority: string; readonly path: string }
  | { readonly form: "authority"; readonly authority: string }
  | { readonly form: "asterisk" };

const ABSOLUTE = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/?]*)(.*)$/;

/**
 * Parses a target by its method: only CONNECT has authority-form, only OPTIONS asterisk-form. Undefined for an invalid target, including a
 * URI with userinfo (rfc9110#4.2.4) and an `http` URI without a host (rfc9110#4.2.1).
 */
export function readTarget(method: string, target: string): Target | undefined {
  if (!isTarget(target)) return undefined;
  if (method === "CONNECT") return isHostAndPort(target) ? { form: "authority", authority: target } : undefined;
  if (target.charCodeAt(0) === 0x2f) return { form: "origin", path: target };
  if (target === "*") return method === "OPTIONS" ? { form: "asterisk" } : undefined;
  const parts = ABSOLUTE.exec(target);
  if (parts === null) return undefined;
  const [, name = "", authority = "", rest = ""] = parts;
  const scheme = name.toLowerCase();
  if (!isAuthority(authority)) return undefined;
  const isHttp = scheme === "http" || scheme === "https";
  if (isHttp && (authority === "" || authority.startsWith(":"))) return undefined;
  if (rest.startsWith("/")) return { form: "absolute", scheme, authority, path: rest };
  // Without a path a URI means "/"; with OPTIONS, the server as a whole (rfc9112#3.2.4).
  const path = rest === "" && method === "OPTIONS" ? "*" : `/${rest}`;
  return { form: "absolute", scheme, authority, path };
}
