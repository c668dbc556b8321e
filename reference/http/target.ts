/** Host and port as they stand in an authority (rfc3986#3.2); an address in brackets, or a name. */
const HOST = String.raw`(?:\[[0-9A-Za-z:.%~_-]+\]|[A-Za-z0-9._~!$&'()*+,;=%-]*)`;
const AUTHORITY = new RegExp(`^${HOST}(?::[0-9]*)?$`);
const HOST_AND_PORT = new RegExp(`^${HOST}:[0-9]{1,5}$`);

/** An authority without userinfo (rfc9113#8.3.1). The empty one is lawful here: whether it may be empty depends on the scheme. */
export const isAuthority = (text: string): boolean => AUTHORITY.test(text);

/** Authority-form: both parts, as CONNECT has them (rfc9112#3.2.3, rfc9113#8.5). */
export const isHostAndPort = (text: string): boolean => HOST_AND_PORT.test(text) && !text.startsWith(":");

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
