import { instant } from "../../reference/core/index.ts";
import { Connection, type Event, type Side } from "../../reference/http2/index.ts";
import { pieces } from "../lib/script.ts";

const T0 = instant(0);
const PLAIN = [
  { name: ":method", value: "GET", sensitive: false },
  { name: ":scheme", value: "http", sensitive: false },
  { name: ":authority", value: "a", sensitive: false },
  { name: ":path", value: "/", sensitive: false },
];

/** A connection after its preface; a client has sent one request, so that responses are legal. */
function fresh(side: Side): Connection {
  const machine = new Connection({ side }, T0);
  if (side === "client") machine.request(PLAIN, true);
  machine.take();
  return machine;
}

/** An event as it is compared: the content of `data` in hexadecimal. */
type Compared = { readonly is: string; readonly stream?: number; octets?: string; end?: boolean; data?: undefined; debug?: undefined };
type Run = { readonly events: readonly Compared[]; readonly reply: string };

/** The events without what depends on the cuts: joins adjacent `data` events of a stream. */
function comparable(events: readonly Event[]): readonly Compared[] {
  const out: Compared[] = [];
  for (const event of events) {
    const last = out.at(-1);
    if (event.is !== "data")
      out.push(event.is === "pong" || event.is === "goaway" ? { ...event, data: undefined, debug: undefined } : { ...event });
    else if (last?.is === "data" && last.stream === event.stream && last.end !== true) {
      last.octets += Buffer.from(event.bytes).toString("hex");
      last.end = event.end;
    } else out.push({ is: "data", stream: event.stream, octets: Buffer.from(event.bytes).toString("hex"), end: event.end });
  }
  return out;
}

function run(side: Side, parts: Iterable<Uint8Array>): Run {
  const machine = fresh(side);
  const events: Compared[] = [];
  const reply: Uint8Array[] = [];
  for (const piece of parts) {
    // Views in events are valid until the next call, so copy them now.
    events.push(...comparable(machine.receive(piece, T0)));
    for (const part of machine.take()) reply.push(part.slice());
  }
  return { events, reply: Buffer.concat(reply).toString("hex") };
}

/** Joins `data` events of one stream that were separated by cuts. */
const joined = (events: readonly Compared[]): string => {
  const out: Compared[] = [];
  for (const event of events) {
    const last = out.at(-1);
    if (event.is === "data" && last?.is === "data" && last.stream === event.stream && last.end !== true) {
      out[out.length - 1] = { ...last, octets: `${last.octets}${event.octets}`, end: event.end === true };
    } else out.push(event);
  }
  return JSON.stringify(out);
};

/** For any octets: no throw, and the same events and reply wherever the octets are cut. */
export function cutsDoNotMatter(side: Side, octets: Uint8Array): void {
  const whole = run(side, [octets]);
  const chopped = run(side, pieces(octets));
  if (whole.reply !== chopped.reply) throw new Error(`the reply depends on the cuts: ${whole.reply} or ${chopped.reply}`);
  const a = joined(whole.events);
  const b = joined(chopped.events);
  if (a !== b) throw new Error(`the events depend on the cuts: ${a} or ${b}`);
}
