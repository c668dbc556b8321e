import { toHex } from "../../wire/octets.ts";
import type { Forging } from "../../wire/quic/forgery.ts";
import type { RawEnd } from "../../wire/quic/end.ts";
import type { Observed } from "../../wire/quic/observed.ts";
import type { FrameSpec } from "../../wire/quic/frame-spec.ts";
import { codeOf, type CodeName } from "../../wire/quic/names.ts";
import type { ParameterSpec } from "../../wire/quic/parameters.ts";
import type { ConnectSpec } from "../../wire/quic/udp.ts";
import type { ReadFrame } from "../../wire/quic/read.ts";

/** What replaces the normal handling of an observation. */
export type Reaction = "ignore" | { readonly close: CodeName };

/** One flaw. The base peer does everything else correctly, or leaves it unchecked. */
export type Flaw = {
  /** What this peer does wrong, in words. */
  readonly about: string;
  /** Called first for each observation. */
  readonly meets?: (observed: Observed, peer: Peer) => Reaction | undefined;
  /** Called for each datagram of a connection; false drops it. */
  readonly before?: (datagram: Uint8Array, peer: Peer) => boolean;
  /** Called for a datagram before there is a connection; true if that is all. */
  readonly first?: (datagram: Uint8Array, answer: (octets: Uint8Array) => void) => boolean;
  /** Called when a connection begins, before anything is sent; and when its handshake is complete. */
  readonly begins?: (peer: Peer) => void;
  readonly adds?: (peer: Peer) => void;
  readonly parameters?: ParameterSpec;
  /** Server: the parameters of connections that resume a session. */
  readonly later?: ParameterSpec;
  /** Server: how many sessions it resumes; all by default. */
  readonly resumes?: number;
  /** Server: what it changes in messages of TLS. */
  readonly forging?: Forging;
  /** How many connection IDs it issues, and their stateless reset tokens. */
  readonly ids?: number;
  readonly token?: (sequence: number) => string;
  /** Sends to any credit. */
  readonly floods?: true;
  /** What it does not do. */
  readonly lacks?: readonly ("retiring" | "replacing" | "routing" | "resetting" | "validating" | "negotiating" | "refusing")[];
  /** Client: how it connects, and whether it then sends a request, regardless of limits if so it wants; or ends at once with this status. */
  readonly connects?: ConnectSpec;
  readonly asks?: false;
  readonly ignoresLimits?: true;
  readonly leaves?: 0 | 1;
  /** Never answers anything; or closes every connection at once. */
  readonly mute?: true;
  readonly slams?: true;
};

const CONTENT = 3_000;
const PIECE = 1_000;
const ISSUED = 3;

/** The base of every QUIC impostor: an end that reads leniently, and checks nothing. */
export class Peer {
  readonly end: RawEnd;
  readonly flaw: Flaw;
  readonly #route: (id: Uint8Array) => void;
  /** Octets of stream 0 and 4 by offset, and their final sizes. */
  readonly #parts = new Map<number, Map<number, number>>();
  readonly #sizes = new Map<number, number>();
  readonly #answered = new Set<number>();
  /** IDs of the client by sequence number, and the greatest Retire Prior To. */
  readonly #theirs = new Set([0]);
  #retirePriorTo = 0;
  #nextId = 1;

  constructor(end: RawEnd, flaw: Flaw, route: (id: Uint8Array) => void) {
    this.end = end;
    this.flaw = flaw;
    this.#route = route;
    flaw.begins?.(this);
  }

  /** Sends frames of 1-RTT. */
  send(...frames: FrameSpec[]): void {
    this.end.send({ level: "application" }, frames);
  }
  close(code: CodeName): void {
    if (this.end.isOver) return;
    for (const level of ["initial", "handshake", "application"] as const)
      this.end.send({ level }, [{ type: "CONNECTION_CLOSE", code: codeOf(code) }]);
    this.end.isOver = true;
  }

  readonly observe = (observed: Observed): void => {
    if (this.flaw.mute === true) return;
    const reaction = this.flaw.meets?.(observed, this);
    if (reaction === "ignore") return;
    if (reaction !== undefined) return this.close(reaction.close);
    if (observed.is === "failed") this.failed();
    if (observed.is === "established") this.#begun();
    if (observed.is === "frame") this.#frame(observed.frame);
  };

  #lacks(what: NonNullable<Flaw["lacks"]>[number]): boolean {
    return this.flaw.lacks?.includes(what) === true;
  }

  protected failed(): void {
    this.close(this.#lacks("refusing") ? "NO_ERROR" : "PROTOCOL_VIOLATION");
  }
  /** What it sends when the handshake is complete. */
  protected greet(): void {
    this.send({ type: "HANDSHAKE_DONE" });
  }

  #begun(): void {
    if (this.flaw.slams === true) return this.close("NO_ERROR");
    this.greet();
    for (let n = 0; n < (this.flaw.ids ?? ISSUED); n++) this.issue();
    this.flaw.adds?.(this);
  }
  /** Issues another connection ID. */
  issue(): void {
    const sequence = this.#nextId++;
    // The client's own ID makes it unlike those of other connections.
    const id = toHex(this.end.destination).slice(0, 12) + sequence.toString(16).padStart(4, "0");
    if (!this.#lacks("routing")) this.#route(new Uint8Array(Buffer.from(id, "hex")));
    this.send({ type: "NEW_CONNECTION_ID", sequence, id, token: this.flaw.token?.(sequence) ?? id.repeat(2) });
  }
  /** The client goes on from another address. */
  readonly moved = (): void => {
    if (!this.#lacks("validating")) this.send({ type: "PATH_CHALLENGE" });
  };

  #frame({ type, members }: ReadFrame): void {
    const stream = Number(members["stream"]);
    const sequence = Number(members["sequence"]);
    if (type === "STREAM" && stream % 4 === 0 && this.end.we === "server") this.#received(stream, members);
    if (type === "STOP_SENDING" && !this.#lacks("resetting")) this.send({ type: "RESET_STREAM", stream, code: Number(members["code"]) });
    if (type === "RETIRE_CONNECTION_ID" && !this.#lacks("replacing") && sequence < this.#nextId) this.issue();
    if (type !== "NEW_CONNECTION_ID" || this.#lacks("retiring")) return;
    this.#theirs.add(sequence);
    this.#retirePriorTo = Math.max(this.#retirePriorTo, Number(members["retire"]));
    for (const one of this.#theirs)
      if (one < this.#retirePriorTo && this.#theirs.delete(one)) this.send({ type: "RETIRE_CONNECTION_ID", sequence: one });
  }

  #received(stream: number, members: ReadFrame["members"]): void {
    const parts = this.#parts.get(stream) ?? new Map<number, number>();
    this.#parts.set(stream, parts.set(Number(members["offset"]), Number(members["length"])));
    if (members["end"] === 1) this.#sizes.set(stream, Number(members["offset"]) + Number(members["length"]));
    const octets = [...parts.values()].reduce((sum, length) => sum + length, 0);
    if (this.#answered.has(stream) || octets < (this.#sizes.get(stream) ?? Number.POSITIVE_INFINITY)) return;
    this.#answered.add(stream);
    const perStream = this.end.theirs.creditOn(stream, "itself");
    const all = this.end.theirs.integer("initial_max_data");
    const most = this.flaw.floods === true ? CONTENT : Math.min(CONTENT, perStream, Math.floor(all / 4));
    for (let offset = 0; offset < most; offset += PIECE)
      this.send({ type: "STREAM", stream, offset, data: Math.min(PIECE, most - offset) });
  }
}
