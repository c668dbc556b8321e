import type { Duplex } from "node:stream";
import { after, type Instant } from "../../core/index.ts";
import { now, watch, type Timed } from "../../io/index.ts";

/** Whether octets begin with a preface: entirely, not at all, or as far as they go. */
export function judgePreface(octets: Uint8Array, preface: Uint8Array): "preface" | "other" | "short" {
  const length = Math.min(octets.length, preface.length);
  for (let at = 0; at < length; at++) if (octets[at] !== preface[at]) return "other";
  return length === preface.length ? "preface" : "short";
}

/** A version that clients begin with a preface. */
export type Prefaced<Version> = { readonly version: Version; readonly preface: Uint8Array };
type Parts<Version> = {
  readonly socket: Duplex;
  readonly withinMs: number;
  readonly prefaced: readonly Prefaced<Version>[];
  /** What a client speaks that sends no preface. */
  readonly otherwise: Version;
  /** The version is known, and these octets have been read. */
  readonly known: (version: Version, first: Uint8Array) => void;
  readonly gone: (error?: Error) => void;
};

/** A connection in clear text until its first octets, however they are cut, identify the version. It is dropped if they come too late. */
export class FirstOctets<Version> implements Timed {
  readonly deadline: Instant;
  readonly #parts: Parts<Version>;
  #have: Uint8Array | undefined;
  #error: Error | undefined;

  constructor(parts: Parts<Version>) {
    this.#parts = parts;
    this.deadline = after(now(), parts.withinMs);
    watch.add(this);
    this.#socket.on("data", this.#read).on("end", this.#drop).on("error", this.#broke).on("close", this.#closed);
  }

  get #socket(): Duplex {
    return this.#parts.socket;
  }
  due(): void {
    this.#socket.destroy();
  }
  /** No request can be in progress. */
  shutdown(): void {
    this.#socket.destroy();
  }
  destroy(): void {
    this.#socket.destroy();
  }

  readonly #read = (bytes: Uint8Array): void => {
    const have = this.#have === undefined ? bytes : Buffer.concat([this.#have, bytes]);
    this.#have = have;
    const version = this.#versionOf(have);
    if (version === undefined) return;
    watch.delete(this);
    this.#socket.off("data", this.#read).off("end", this.#drop).off("error", this.#broke).off("close", this.#closed);
    this.#parts.known(version, have);
  };
  /** Undefined while more octets are needed. */
  #versionOf(octets: Uint8Array): Version | undefined {
    const { prefaced, otherwise } = this.#parts;
    let isOpen = false;
    for (const { version, preface } of prefaced) {
      const verdict = judgePreface(octets, preface);
      if (verdict === "preface") return version;
      isOpen ||= verdict === "short";
    }
    return isOpen ? undefined : otherwise;
  }
  readonly #drop = (): void => void this.#socket.destroy();
  readonly #broke = (error: Error): void => {
    this.#error = error;
  };
  readonly #closed = (): void => {
    watch.delete(this);
    this.#parts.gone(this.#error);
  };
}
