import { Writer, writeVarint } from "../../core/index.ts";
import { reserved } from "../settings.ts";
import type { Transport } from "../transport.ts";

/** The types of unidirectional streams (rfc9114#6.2, rfc9204#4.2). */
export const StreamType = { control: 0x0, push: 0x1, encoder: 0x2, decoder: 0x3 } as const;
export type CriticalKind = Exclude<keyof typeof StreamType, "push">;
const KINDS: readonly CriticalKind[] = ["control", "encoder", "decoder"];

/** Our control stream and our streams of QPACK, which live as long as the connection. What is written before the peer allows them waits. */
export class CriticalStreams {
  readonly #transport: Transport;
  readonly #ids: Partial<Record<CriticalKind, number>> = {};
  readonly #waiting: Record<CriticalKind, Uint8Array[]> = { control: [], encoder: [], decoder: [] };
  /** The peer does not read what it has caused. */
  isFull = false;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Opens what the peer allows; true once all are open. */
  open(): boolean {
    for (const kind of KINDS) {
      if (this.#ids[kind] !== undefined) continue;
      const id = this.#transport.open("unidirectional");
      if (id === undefined) return false;
      this.#ids[kind] = id;
      const writer = new Writer(8);
      writeVarint(writer, StreamType[kind]);
      this.#transport.send(id, writer.take(), false);
      for (const octets of this.#waiting[kind].splice(0)) this.write(kind, octets);
    }
    return true;
  }
  write(kind: CriticalKind, octets: Uint8Array): void {
    if (octets.length === 0) return;
    const id = this.#ids[kind];
    if (id === undefined) this.#waiting[kind].push(octets);
    else if (!this.#transport.send(id, octets, false)) this.isFull = true;
  }
  /** Which of our streams it is. */
  kindOf(stream: number): CriticalKind | undefined {
    return KINDS.find((kind) => this.#ids[kind] === stream);
  }
  /** A stream of a reserved type, which the peer must ignore (rfc9114#6.2.3). */
  grease(ordinal: number): void {
    const id = this.#transport.open("unidirectional");
    if (id === undefined) return;
    const writer = new Writer(8);
    writeVarint(writer, reserved(ordinal));
    this.#transport.send(id, writer.take(), true);
  }
}
