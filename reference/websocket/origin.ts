import { originOf } from "../http/index.ts";

/**
 * Who may connect from a browser (rfc6455#10.2): the origins listed, or `*` for all; or what a function says. Where nothing is given, only
 * pages of the server's own origin. Who sends no Origin is no browser, and is not held back by this.
 */
export type OriginPolicy = readonly string[] | ((origin: string) => boolean);

/** Why a handshake from this origin is refused; undefined where it may go on. `scheme` and `authority` are those of the request. */
export function refusedOrigin(origin: string, policy: OriginPolicy | undefined, scheme: string, authority: string): string | undefined {
  if (typeof policy === "function") return policy(origin) ? undefined : `origin ${origin} is not let in by this server`;
  const from = normal(origin);
  if (policy !== undefined) {
    if (policy.some((allowed) => allowed === "*" || normal(allowed) === from)) return undefined;
    return `origin ${origin} is not on this server's list`;
  }
  const own = originOf(scheme, authority);
  return from === own ? undefined : `origin ${origin} is not ${own}, and this server has no list of others`;
}

/** Lower case and without a default port (rfc6454#6.2); `null`, and what is no origin, are only equal to themselves. */
function normal(origin: string): string {
  const at = origin.indexOf("://");
  return at < 0 ? origin.toLowerCase() : originOf(origin.slice(0, at), origin.slice(at + 3));
}
