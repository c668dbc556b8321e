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
/** The ways in which a connection may be set up, one of which the first octet of an input chooses. */
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
/** What a ping of no octets, and the Close that says what is wrong, may cost us beyond what came. */
const ANSWER_OF_FRAME = 4;
const CLOSE_OCTETS = 131;

type Told = { readonly is: string; readonly kind?: string; data?: string; end?: boolean; readonly fault?: { readonly name: string } };
type Run = { readonly events: readonly Told[]; readonly reply: string };

const hex = (octets: Uint8Array): string => Buffer.from(octets).toString("hex");
/** An event with octets as text, so that it can be compared; text is told as its octets too, which can be joined anywhere. */
function told(event: Event): Told {
  if (!("data" in event)) return { ...event };
  return { ...event, data: hex(typeof event.data === "string" ? Buffer.from(event.data) : event.data) };
}

function run(side: Side, setup: Omit<Options, "side">, pieces: Iterable<Uint8Array>): Run {
  const machine = new Connection({ side, random: (into) => into.fill(0x5a), ...setup }, T0);
  const most = setup.limits?.messageOctets ?? Number.POSITIVE_INFINITY;
  const events: Told[] = [];
  const reply: Uint8Array[] = [];
  let [got, isOver] = [0, false];
  for (const piece of pieces) {
    got += piece.length;
    for (const event of [...machine.receive(piece, T0), ...machine.events()]) {
      if (isOver) throw new Error(`${event.is} behind closed`);
      if (event.is === "message" && event.data.length > most)
        throw new Error(`a message of ${event.data.length} where ${most} is the limit`);
      isOver = event.is === "closed";
      const last = events.at(-1);
      const next = told(event);
      if (next.is === "fragment" && last?.is === "fragment" && last.end !== true)
        events[events.length - 1] = { ...next, data: `${last.data}${next.data}` };
      else events.push(next);
    }
    if (machine.queued > got * ANSWER_OF_FRAME + CLOSE_OCTETS) throw new Error(`${machine.queued} octets wait behind ${got} that came`);
  }
  // Pongs that are still to be taken may be fewer than pings, so that replies are compared where all were taken at once.
  for (const part of machine.take()) reply.push(part.slice());
  for (const event of [...machine.ended(T0), ...machine.events()]) events.push(told(event));
  if (events.filter(({ is }) => is === "closed").length !== 1) throw new Error("an end that is told once is wanted");
  return { events, reply: hex(Buffer.concat(reply)) };
}

/** Pieces of 1, 2, 3, 5, 8, … octets: cuts fall at every kind of place. The octets are copied, since they are unmasked where they are. */
function* cuts(octets: Uint8Array): Generator<Uint8Array> {
  for (let at = 0, size = 1, next = 2; at < octets.length; at += size, [size, next] = [next > 64 ? 1 : next, next > 64 ? 2 : size + next])
    yield octets.slice(at, at + size);
}
function* single(octets: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < octets.length; at++) yield octets.slice(at, at + 1);
}

/** Of a message that turns out to be wrong more or less was told before; of two faults in a compressed one either is told. */
function settled({ events, reply }: Run, isCompressed: boolean): string {
  const last = events.at(-1);
  const name = last?.fault?.name;
  if (name === undefined) return JSON.stringify({ events, reply });
  const before = events.at(-2);
  const kept = before?.is === "fragment" && before.end !== true ? events.slice(0, -2) : events.slice(0, -1);
  const isEither = isCompressed && (name === "textInvalid" || name === "messageTooLarge" || name === "compressionInvalid");
  return JSON.stringify(isEither ? { events: kept } : { events: kept, last, reply });
}

/**
 * Any octets behind the opening handshake: no throw, no more kept than was asked for, and how they were cut changes neither the events nor
 * the reply. The first octet says how the connection is set up.
 */
export function cutsDoNotMatter(side: Side, input: Uint8Array): void {
  const { deflate, ...rest } = SETUPS[(input[0] ?? 0) % SETUPS.length]!;
  const octets = input.subarray(1);
  const isCompressed = deflate !== undefined;
  // One engine for all runs of an input: what one connection leaves behind in it would change the next.
  const setup = isCompressed ? { ...rest, deflate: { agreed: deflate, engine: deflateEngine() } } : rest;
  const whole = settled(run(side, setup, [octets.slice()]), isCompressed);
  for (const pieces of [cuts(octets), single(octets)]) {
    const other = settled(run(side, setup, pieces), isCompressed);
    if (other !== whole) throw new Error(`it depends on the cuts: ${whole} or ${other}`);
  }
}
