import { field, instant, latin1 } from "../../reference/core/index.ts";
import { Connection, type Event, type Side } from "../../reference/http1/index.ts";

const T0 = instant(0);
const ASKING = [field("Host", "a"), field("Upgrade", "x"), field("Connection", "upgrade")];
const EMPTY = [field("Content-Length", "0")];

/** `silent`: never answers requests. `answering`: answers each complete request. */
type Manner = "silent" | "answering";
type Observed = { readonly is: string; readonly exchange?: number; octets?: string; end?: boolean };
type Run = { readonly events: readonly Observed[]; readonly reply: string };

function run(side: Side, pieces: Iterable<Uint8Array>, manner: Manner): Run {
  const machine = new Connection({ side }, T0);
  if (side === "client") machine.request({ method: "GET", target: "/" }, ASKING, true);
  machine.take();
  const events: Observed[] = [];
  const reply: string[] = [];
  const hear = (event: Event): void => {
    if (event.is === "data") {
      machine.consumed(event.exchange, event.bytes.length);
      events.push({ is: "data", exchange: event.exchange, octets: latin1(event.bytes, 0, event.bytes.length), end: event.end });
    } else if (event.is === "switched") events.push({ is: "switched", exchange: event.exchange });
    else if (event.is !== "done" && event.is !== "writable") events.push(event);
    if (manner === "silent" || side === "client") return;
    const isWhole = event.is === "trailers" || ((event.is === "data" || event.is === "request") && event.end);
    if (isWhole) machine.respond(event.exchange, 404, EMPTY, true);
  };
  const drain = (first: readonly Event[]): void => {
    for (let more = first; more.length > 0; more = machine.events()) more.forEach(hear);
    for (const part of machine.take()) reply.push(latin1(part, 0, part.length));
  };
  for (const piece of pieces) drain(machine.receive(piece, T0));
  drain(machine.ended(T0));
  return { events: joined(events), reply: reply.join("") };
}

/** Joins adjacent content of one message, since its cuts do not matter. */
function joined(events: readonly Observed[]): Observed[] {
  const out: Observed[] = [];
  for (const event of events) {
    const last = out.at(-1);
    if (event.is === "data" && last?.is === "data" && last.exchange === event.exchange && last.end !== true) {
      out[out.length - 1] = { ...last, octets: `${last.octets}${event.octets}`, end: event.end === true };
    } else out.push(event);
  }
  return out;
}

/** Pieces of 1, 2, 3, 5, 8, … octets, so that cuts fall in all kinds of places. */
function* cuts(octets: Uint8Array): Generator<Uint8Array> {
  for (let at = 0, size = 1, next = 2; at < octets.length; at += size, [size, next] = [next > 64 ? 1 : next, next > 64 ? 2 : size + next]) {
    yield octets.slice(at, at + size);
  }
}
function* single(octets: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < octets.length; at++) yield octets.slice(at, at + 1);
}

/** For any octets: no throw, and wherever they are cut the same events and, without answers, the same reply. */
export function cutsDoNotMatter(side: Side, octets: Uint8Array): void {
  for (const manner of ["silent", "answering"] as const) {
    const whole = run(side, [octets], manner);
    for (const pieces of [cuts(octets), single(octets)]) {
      const chopped = run(side, pieces, manner);
      const [a, b] = [JSON.stringify(whole.events), JSON.stringify(chopped.events)];
      if (a !== b) throw new Error(`the events depend on the cuts (${manner}): ${a} or ${b}`);
      // An answer has Connection: close if the next request is already known to be malformed: that depends on the octets received so far.
      if (manner === "silent" && whole.reply !== chopped.reply)
        throw new Error(`the reply depends on the cuts: ${whole.reply} or ${chopped.reply}`);
    }
  }
}
