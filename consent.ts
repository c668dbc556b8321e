/** The flag by which a user takes responsibility for load on a machine that is not this one. */
export const CONSENT = "--i-operate-this-target";

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)$/;

/** Whether a host is this machine. */
export const isThisMachine = (hostname: string): boolean => LOOPBACK.test(hostname);

/**
 * Parses the address of a server that gets load, and throws with one line if it is none, or if it is not this machine and the user has not consented.
 * `load`: what the server gets, as in "bench sends load".
 */
export function addressForLoad(text: string, load: string, consents: boolean): URL {
  if (!URL.canParse(text)) throw new Error(`"${text}" is not an address: write http://host:port/, with a port from 1 to 65535.`);
  const url = new URL(text);
  if (!isThisMachine(url.hostname) && !consents)
    throw new Error(`${load}, and ${url.hostname} is not this machine: add ${CONSENT} if you operate it.`);
  return url;
}
