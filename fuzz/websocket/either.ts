import { instant } from "../../reference/core/index.ts";
import { deflateEngine } from "../../reference/io/index.ts";
import { Connection, type Agreement, type Event, type Options, type Side } from "../../reference/websocket/index.ts";

const T0 = instant(0);
const agreed = (bits: number, takeover: boolean): Agreement => ({
  serverTakeover: takeover,
  clientTakeover: takeover,
  serverBits: bits,
  clientBits: bits,
});
const SMALL = { messageOctets: 400, frames: 4, controls: 4, pongs: 2 };
/** The options of a connection; the first octet of an input selects one of `SETUPS`. */
type Setup = Omit<Options, "side" | "deflate"> & { readonly deflate?: Agreement };
const SETUPS: readonly Setup[] = [
  {},
  { text: "octets" },
  { fragments: true },
  { limits: SMALL },
  { limits: SMALL, deflate: agreed(15, true) },
  { limits: SMALL, deflate: agreed(9, false), fragments: true },
  { limits: SMALL, text: "octets", fragments: true },
  { deflate: agreed(15, true), text: "octets" },
];
/** At most this many reply octets may be queued per received octet, plus one Close frame. */
const REPLY_FACTOR = 4;
const CLOSE_OCTETS = 131;

type Observed = { readonly is: string; readonly kind?: string; data?: string; end?: boolean; readonly fault?: { readonly name: string } };
type Run = { readonly events: readonly Observed[]; readonly reply: string };

const hex = (octets: Uint8Array): string => Buffer.from(octets).toString("hex");
/** An event with its data in hexadecimal, for comparison. Text is encoded too: octets can be joined anywhere. */
function comparable(event: Event): Observed {
  if (!("data" in event)) return { ...event };
  return { ...event, data: hex(typeof event.data === "string" ? Buffer.from(event.data) : event.data) };
}

function run(side: Side, setup: Omit<Options, "side">, pieces: Iterable<Uint8Array>): Run {
  const machine = new Connection({ side, random: (into) => into.fill(0x5a), ...setup }, T0);
  const most = setup.limits?.messageOctets ?? Number.POSITIVE_INFINITY;
  const events: Observed[] = [];
  const reply: Uint8Array[] = [];
  let [got, isOver] = [0, false];
  for (const piece of pieces) {
    got += piece.length;
    for (const event of [...machine.receive(piece, T0), ...machine.events()]) {
      if (isOver) throw new Error(`${event.is} after closed`);
      if (event.is === "message" && event.data.length > most)
        throw new Error(`a message of ${event.data.length} octets exceeds the limit of ${most}`);
      isOver = event.is === "closed";
      const last = events.at(-1);
      const next = comparable(event);
      if (next.is === "fragment" && last?.is === "fragment" && last.end !== true)
        events[events.length - 1] = { ...next, data: `${last.data}${next.data}` };
      else events.push(next);
    }
    if (machine.queued > got * REPLY_FACTOR + CLOSE_OCTETS) throw new Error(`${machine.queued} octets are queued after ${got} received`);
  }
  // Take the reply once at the end: pongs that are still queued may replace earlier ones.
  for (const part of machine.take()) reply.push(part.slice());
  for (const event of [...machine.ended(T0), ...machine.events()]) events.push(comparable(event));
  if (events.filter(({ is }) => is === "closed").length !== 1) throw new Error("closed must be reported exactly once");
  return { events, reply: hex(Buffer.concat(reply)) };
}

/** Pieces of 1, 2, 3, 5, 8, … octets, so that cuts fall in all kinds of places. Copies them, because the reader unmasks in place. */
function* cuts(octets: Uint8Array): Generator<Uint8Array> {
  for (let at = 0, size = 1, next = 2; at < octets.length; at += size, [size, next] = [next > 64 ? 1 : next, next > 64 ? 2 : size + next])
    yield octets.slice(at, at + size);
}
function* single(octets: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < octets.length; at++) yield octets.slice(at, at + 1);
}

/** The part of a run that cuts may not change. Before a fault more or fewer fragments may be reported; of two faults in a compressed message, either. */
function invariant({ events, reply }: Run, isCompressed: boolean): string {
  const last = events.at(-1);
  const name = last?.fault?.name;
  if (name === undefined) return JSON.stringify({ events, reply });
  const before = events.at(-2);
  const kept = before?.is === "fragment" && before.end !== true ? events.slice(0, -2) : events.slice(0, -1);
  const isEither = isCompressed && (name === "textInvalid" || name === "messageTooLarge" || name === "compressionInvalid");
  return JSON.stringify(isEither ? { events: kept } : { events: kept, last, reply });
}

/**
 * For any octets after the opening handshake: no throw, no more memory than the limits allow, and the same events and reply wherever the
 * octets are cut. The first octet selects the options of the connection.
 */
export function cutsDoNotMatter(side: Side, input: Uint8Array): void {
  const { deflate, ...rest } = SETUPS[(input[0] ?? 0) % SETUPS.length]!;
  const octets = input.subarray(1);
  const isCompressed = deflate !== undefined;
  // One engine for all runs of an input, to find state that one connection leaves in it.
  const setup = isCompressed ? { ...rest, deflate: { agreed: deflate, engine: deflateEngine() } } : rest;
  const whole = invariant(run(side, setup, [octets.slice()]), isCompressed);
  for (const pieces of [cuts(octets), single(octets)]) {
    const other = invariant(run(side, setup, pieces), isCompressed);
    if (other !== whole) throw new Error(`the run depends on the cuts: ${whole} or ${other}`);
  }
}
