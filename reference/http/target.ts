import { isTarget } from "./field-syntax.ts";

/** An address of IPv6, with its zone perhaps (RFC 6874), or of a later version (rfc3986#3.2.2). */
const ADDRESS = String.raw`\[(?:[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(?:%25(?:[A-Za-z0-9._~-]|%[0-9A-Fa-f]{2})+)?|[vV][0-9A-Fa-f]+\.[A-Za-z0-9._~!$&'()*+,;=:-]+)\]`;
/** Host and port as they stand in an authority (rfc3986#3.2); an address in brackets, or a name. */
const HOST = String.raw`(?:${ADDRESS}|(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)`;
const AUTHORITY = new RegExp(`^${HOST}(?::[0-9]*)?$`);
const HOST_AND_PORT = new RegExp(`^${HOST}:[0-9]{1,5}$`);

const LAST_PORT = 65_535;

/** An authority without userinfo (rfc9113#8.3.1). The empty one is lawful here: whether it may be empty depends on the scheme. */
export const isAuthority = (text: string): boolean => AUTHORITY.test(text);

/** Authority-form: both parts, as CONNECT has them (rfc9112#3.2.3, rfc9113#8.5). */
export const isHostAndPort = (text: string): boolean =>
  HOST_AND_PORT.test(text) && !text.startsWith(":") && Number(text.slice(text.lastIndexOf(":") + 1)) <= LAST_PORT;

/** Whether two authorities name the same place under `scheme`: case and the default port do not count (rfc3986#6.2.3). */
export function sameAuthority(one: string, other: string, scheme: string): boolean {
  return one === other || normal(one, scheme) === normal(other, scheme);
}

/** Scheme and authority in their normal form (rfc9110#4.3.1): equal where two requests go to the same place. */
export const originOf = (scheme: string, authority: string): string => `${scheme.toLowerCase()}://${normal(authority, scheme)}`;

function normal(authority: string, scheme: string): string {
  const lower = authority.toLowerCase();
  const port = scheme.toLowerCase() === "https" ? ":443" : ":80";
  if (lower.endsWith(port)) return lower.slice(0, -port.length);
  return lower.endsWith(":") ? lower.slice(0, -1) : lower;
}

/** The four forms of a request target (rfc9112#3.2). `path` comes with its query; that of a CONNECT is empty. */
export type Target =
  | { readonly form: "origin"; readonly path: string }
  | { readonly form: "absolute"; readonly scheme: string; readonly authority: string; readonly path: string }
  | { readonly form: "authority"; readonly authority: string }
  | { readonly form: "asterisk" };

const ABSOLUTE = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/?]*)(.*)$/;

/**
 * Tells the form, which depends on the method: authority-form is CONNECT's alone, asterisk-form that of OPTIONS. Undefined for what is none
 * of them, for userinfo in a URI (rfc9110#4.2.4) and for an `http` URI without a host (rfc9110#4.2.1).
 */
export function readTarget(method: string, target: string): Target | undefined {
  if (!isTarget(target)) return undefined;
  if (method === "CONNECT") return isHostAndPort(target) ? { form: "authority", authority: target } : undefined;
  if (target.charCodeAt(0) === 0x2f) return { form: "origin", path: target };
  if (target === "*") return method === "OPTIONS" ? { form: "asterisk" } : undefined;
  const parts = ABSOLUTE.exec(target);
  if (parts === null) return undefined;
  const scheme = parts[1]!.toLowerCase();
  const authority = parts[2]!;
  const rest = parts[3]!;
  if (!isAuthority(authority)) return undefined;
  const isHttp = scheme === "http" || scheme === "https";
  if (isHttp && (authority === "" || authority.startsWith(":"))) return undefined;
  if (rest.startsWith("/")) return { form: "absolute", scheme, authority, path: rest };
  // A URI without path is one of "/"; OPTIONS of it asks the server as a whole (rfc9112#3.2.4).
  const path = rest === "" && method === "OPTIONS" ? "*" : `/${rest}`;
  return { form: "absolute", scheme, authority, path };
}
