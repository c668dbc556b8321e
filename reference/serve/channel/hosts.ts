/**
 * Whom a request asks for (rfc9110#7.2). A name that somebody else owns can be made to lead to this machine, so that a browser takes a page of
 * that name and this server for one origin. Addresses cannot be lent in this way, nor can `localhost`; other names count only where they are known.
 */

const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])$/;
/** Without its port, in lower case, and without the dot that may end a name. */
const nameOf = (authority: string): string => authority.toLowerCase().replace(/:\d*$/, "").replace(/\.$/, "");

/** Why a request for this authority is refused; undefined where it may go on. */
export function refusedHost(authority: string, hosts: readonly string[]): string | undefined {
  const name = nameOf(authority);
  if (ADDRESS.test(name) || name === "localhost" || name.endsWith(".localhost")) return undefined;
  if (hosts.some((host) => nameOf(host) === name)) return undefined;
  return `this server is not known as ${name === "" ? "nobody" : name} (rfc9110#7.4): ask for an address, localhost, or a name that it was given`;
}
