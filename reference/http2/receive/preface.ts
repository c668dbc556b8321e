import type { Upgraded } from "../upgrade.ts";

/** What a client sends first. An HTTP/1 server does not process anything after it (rfc9113#3.4). */
export const CLIENT_PREFACE: Uint8Array = Uint8Array.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", (character) => character.charCodeAt(0));

/** The server's wait for these 24 bytes, in any number of reads. */
export class Preface {
  #have = 0;
  /** The request with which the connection began in HTTP/1.1; it is processed after the preface. */
  readonly upgraded: Upgraded | undefined;

  constructor(upgraded?: Upgraded) {
    this.upgraded = upgraded;
  }

  get complete(): boolean {
    return this.#have === CLIENT_PREFACE.length;
  }

  /** Returns the bytes after the preface; undefined at the first byte that does not belong to it. */
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
