import type { Upgraded } from "./upgrade.ts";

/** What a client sends first: no HTTP/1 server reads on after it (rfc9113#3.4). */
export const CLIENT_PREFACE: Uint8Array = Uint8Array.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", (character) => character.charCodeAt(0));

/** The server's wait for those 24 octets, however they are cut. */
export class Preface {
  #have = 0;
  /** What waits for it: the request that the connection began with in HTTP/1.1. */
  readonly upgraded: Upgraded | undefined;

  constructor(upgraded?: Upgraded) {
    this.upgraded = upgraded;
  }

  get complete(): boolean {
    return this.#have === CLIENT_PREFACE.length;
  }

  /** What follows the preface; undefined at the first octet that does not belong to it. */
  read(bytes: Uint8Array): Uint8Array | undefined {
    let at = 0;
    while (at < bytes.length && !this.complete) {
      if (bytes[at] !== CLIENT_PREFACE[this.#have]) return undefined;
      at++;
      this.#have++;
    }
    return bytes.subarray(at);
  }
}
