import { originOf } from "../http/index.ts";

/**
 * Origins that may connect from a browser (rfc6455#10.2): a list, with `*` for all, or a function; by default the server's own origin. A
 * client without an Origin field is not a browser, and is always accepted.
 */
export type OriginPolicy = readonly string[] | ((origin: string) => boolean);

/** Why the origin is refused; undefined if it is accepted. `scheme` and `authority` are from the request. */
export function refusedOrigin(origin: string, policy: OriginPolicy | undefined, scheme: string, authority: string): string | undefined {
  if (typeof policy === "function") return policy(origin) ? undefined : `origin ${origin} is not allowed by this server`;
  const from = normal(origin);
  if (policy !== undefined) {
    if (policy.some((allowed) => allowed === "*" || normal(allowed) === from)) return undefined;
    return `origin ${origin} is not on this server's list`;
  }
  const own = originOf(scheme, authority);
  return from === own ? undefined : `origin ${origin} is not ${own}, and this server allows no others`;
}

/** Lower case, without a default port (rfc6454#6.2); `null` and invalid origins only equal themselves. */
function normal(origin: string): string {
  const at = origin.indexOf("://");
  return at < 0 ? origin.toLowerCase() : originOf(origin.slice(0, at), origin.slice(at + 3));
}
