/**
 * Checks the host that a request addresses (rfc9110#7.2). An attacker can make a name resolve to this machine (DNS rebinding); a browser then treats
 * the attacker's page and this server as one origin. IP addresses and `localhost` are safe from that; any other name must be allowed.
 */

const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])$/;
/** The host name in lower case, without port and final dot. */
const nameOf = (authority: string): string => authority.toLowerCase().replace(/:\d*$/, "").replace(/\.$/, "");

/** Why a request for this authority is refused; undefined if it is accepted. */
export function refusedHost(authority: string, hosts: readonly string[]): string | undefined {
  const name = nameOf(authority);
  if (ADDRESS.test(name) || name === "localhost" || name.endsWith(".localhost")) return undefined;
  if (hosts.some((host) => nameOf(host) === name)) return undefined;
  return `this server does not serve ${name === "" ? "an empty host name" : name} (rfc9110#7.4): use an IP address, localhost, or an allowed name`;
}
