import type { QuicEvent, QuicLimits } from "../../../reference/quic/index.ts";
import { Http3End, type Observed } from "../../wire/http3/end.ts";
import type { QuicLine } from "../../wire/quic/line.ts";
import type { CodeName, FrameSpec, SettingName, StreamKind } from "../vocabulary.ts";

/** What replaces the normal handling of an observation. A reset is of the stream that it is about. */
export type Reaction = "ignore" | { readonly close: CodeName | number } | { readonly reset: CodeName };

/** One flaw. The base peer does everything else correctly, or leaves it unchecked. */
export type Flaw = {
  /** What this peer does wrong, in words. */
  readonly about: string;
  /** Called first for each observation. */
  readonly meets?: (observed: Observed, peer: Peer) => Reaction | undefined;
  /** Called for each event of the transport, before it is read. */
  readonly feels?: (event: QuicEvent, peer: Peer) => Reaction | undefined;
  /** Called once the connection is established, before anything is sent; true if it replaces the streams of the connection. */
  readonly begins?: (peer: Peer) => boolean;
  /** Called once the streams of the connection are open. */
  readonly adds?: (peer: Peer) => void;
  /** Settings that differ from the base. */
  readonly settings?: readonly (readonly [SettingName | number, number])[];
  /** Never answers anything; or closes the connection at once. */
  readonly mute?: true;
  readonly slams?: true;
  readonly limits?: Partial<QuicLimits>;
};

const CRITICAL: readonly StreamKind[] = ["control", "encoder", "decoder"];

/** The base of every HTTP/3 impostor: reads leniently, and checks nothing. Servers and clients add what is specific to them. */
export abstract class Peer {
  readonly wire: Http3End;
  readonly flaw: Flaw;
  /** Our streams of the connection. */
  readonly ours = new Map<StreamKind, number>();
  /** How many octets and pieces have come on a stream. */
  readonly pieces = new Map<number, number>();
  /** Everything that has been observed. */
  readonly seen: Observed[] = [];

  constructor(line: QuicLine, flaw: Flaw, we: "client" | "server") {
    this.flaw = flaw;
    this.wire = new Http3End(line, { we, on: (observed) => this.#observe(observed) });
  }

  protected abstract readonly settings: readonly (readonly [SettingName | number, number])[];
  /** Handles what means something to only one role. */
  protected abstract take(observed: Observed): void;
  /** The connection is established. */
  protected begun(): void {}

  /** An event of the transport. */
  readonly receive = (event: QuicEvent): void => {
    if (this.flaw.mute === true) return;
    if (event.is === "data") this.pieces.set(event.stream, (this.pieces.get(event.stream) ?? 0) + 1);
    const reaction = this.flaw.feels?.(event, this);
    if (reaction !== undefined) this.react(reaction, "stream" in event ? event.stream : undefined);
    if (reaction !== undefined && reaction !== "ignore") return;
    this.wire.receive(event);
    if (event.is !== "established") return;
    if (this.flaw.slams === true) return this.wire.close("H3_NO_ERROR");
    if (this.flaw.begins?.(this) !== true) this.openCritical();
    this.flaw.adds?.(this);
    this.begun();
  };

  /** Opens the streams of the connection, and sends SETTINGS. */
  openCritical(): void {
    for (const kind of CRITICAL) {
      const stream = this.openTyped(kind);
      if (stream === undefined) return;
      this.ours.set(kind, stream);
      if (kind === "control") this.wire.send(stream, [{ type: "SETTINGS", settings: this.flaw.settings ?? this.settings }]);
    }
  }
  /** Opens one more unidirectional stream. */
  openTyped(kind: StreamKind | number): number | undefined {
    const stream = this.wire.open("unidirectional");
    if (stream !== undefined) this.wire.begin(stream, kind);
    return stream;
  }
  /** Sends frames on our control stream. */
  control(...frames: FrameSpec[]): void {
    const stream = this.ours.get("control");
    if (stream !== undefined) this.wire.send(stream, frames);
  }

  react(reaction: Reaction, stream: number | undefined): void {
    if (reaction === "ignore") return;
    if ("close" in reaction) this.wire.close(reaction.close);
    else if (stream !== undefined) {
      this.wire.reset(stream, reaction.reset);
      this.wire.stop(stream, reaction.reset);
    }
  }

  #observe(observed: Observed): void {
    if (this.wire.closed !== undefined) return;
    const reaction = this.flaw.meets?.(observed, this);
    this.seen.push(observed);
    if (reaction !== undefined) return this.react(reaction, "stream" in observed ? observed.stream : undefined);
    if ("problem" in observed && observed.problem !== undefined) this.wire.forgetTable();
    this.take(observed);
  }
}
