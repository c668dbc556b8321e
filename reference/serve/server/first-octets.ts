import type { Duplex } from "node:stream";
import { after, type Instant } from "../../core/index.ts";
import { CLIENT_PREFACE } from "../../http2/index.ts";
import { now, watch, type Timed } from "../../io/index.ts";

/** Whether octets begin HTTP/2's preface: as far as they go, all of it, or not at all (rfc9113#3.4). */
export function judgePreface(octets: Uint8Array): "preface" | "other" | "short" {
  const length = Math.min(octets.length, CLIENT_PREFACE.length);
  for (let at = 0; at < length; at++) if (octets[at] !== CLIENT_PREFACE[at]) return "other";
  return length === CLIENT_PREFACE.length ? "preface" : "short";
}

/**
 * A connection in clear text whose protocol is not known yet: the first octets tell it, however they are cut. One that does not say enough
 * in time is dropped.
 */
export class FirstOctets implements Timed {
  readonly deadline: Instant;
  readonly #socket: Duplex;
  readonly #known: (protocol: "h2" | "http/1.1", first: Uint8Array) => void;
  readonly #gone: (error?: Error) => void;
  #have: Uint8Array | undefined;
  #error: Error | undefined;

  constructor(
    socket: Duplex,
    withinMs: number,
    known: (protocol: "h2" | "http/1.1", first: Uint8Array) => void,
    gone: (error?: Error) => void,
  ) {
    this.#socket = socket;
    this.#known = known;
    this.#gone = gone;
    this.deadline = after(now(), withinMs);
    watch.add(this);
    socket.on("data", this.#read).on("end", this.#drop).on("error", this.#broke).on("close", this.#closed);
  }

  due(): void {
    this.#socket.destroy();
  }
  /** Nothing has been asked on it. */
  shutdown(): void {
    this.#socket.destroy();
  }
  destroy(): void {
    this.#socket.destroy();
  }

  readonly #read = (bytes: Uint8Array): void => {
    const have = this.#have === undefined ? bytes : Buffer.concat([this.#have, bytes]);
    this.#have = have;
    const verdict = judgePreface(have);
    if (verdict === "short") return;
    watch.delete(this);
    this.#socket.off("data", this.#read).off("end", this.#drop).off("error", this.#broke).off("close", this.#closed);
    this.#known(verdict === "preface" ? "h2" : "http/1.1", have);
  };
  readonly #drop = (): void => void this.#socket.destroy();
  readonly #broke = (error: Error): void => {
    this.#error = error;
  };
  readonly #closed = (): void => {
    watch.delete(this);
    this.#gone(this.#error);
  };
}
