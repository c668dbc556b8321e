import { instant, NEVER, type Instant } from "../../reference/core/index.ts";
import { Connection, type Event, type Options } from "../../reference/http3/index.ts";
import { isUnidirectional } from "../../reference/http3/stream/id.ts";
import { FakeTransport, fieldsOf, GET, id, POST } from "../../reference/http3/testing.ts";
import { DecoderStreamReader } from "../../reference/qpack/index.ts";
import { pieces, Script, shown } from "../lib/script.ts";

type Side = "server" | "client";
/** What arrives: octets of a stream, its end, or a word about it. */
type Arrival =
  | { readonly is: "data"; readonly stream: number; readonly octets: Uint8Array; readonly end: boolean }
  | { readonly is: "reset" | "stopped"; readonly stream: number; readonly code: number }
  | { readonly is: "datagram"; readonly octets: Uint8Array }
  | { readonly is: "time"; readonly ms: number };

const MAX_SECTION = 600;
const SMALL = { resets: 3, errors: 3, emptyFrames: 3, unknownFrames: 4, unknownStreams: 2, priorities: 2, controls: 3, interims: 2 };
const LIMITS = {
  blockOctets: 400,
  controlOctets: 60,
  unusedInstructions: 20,
  ...Object.fromEntries(Object.entries(SMALL).map(([name, burst]) => [name, { burst, perSecond: 1 }])),
};
const CONNECT = [
  [":method", "CONNECT"],
  [":authority", "example.com:443"],
] as const;

/** The octets of a decoder stream in words, with increments joined: how far they are split depends on the cuts. */
function answersOf(octets: Uint8Array): string {
  const words: string[] = [];
  let by = 0;
  const flush = (): void => {
    if (by > 0) words.push(`increment ${by}`);
    by = 0;
  };
  const reader = new DecoderStreamReader((one) => {
    if (one.is === "increment") by += one.by;
    else {
      flush();
      words.push(`${one.is} ${one.streamId}`);
    }
    return undefined;
  });
  // Its first octet is the type of the stream.
  if (reader.receive(octets.subarray(1)) !== undefined) throw new Error("the decoder stream cannot be read");
  flush();
  return words.join(", ");
}

/** An input as options and arrivals. Streams of the peer are numbered by what seeds use them for: control, encoder, decoder, others. */
function scriptOf(side: Side, input: Uint8Array): { readonly options: Partial<Options>; readonly arrivals: readonly Arrival[] } {
  const script = new Script(input);
  const flags = script.next();
  const peer = side === "server" ? 0 : 1;
  const arrivals: Arrival[] = [];
  const ended = new Set<number>();
  while (!script.ended && arrivals.length < 40) {
    const kind = script.next();
    const ordinal = (kind >> 3) & 7;
    const isLast = (kind & 0x80) !== 0;
    const stream = (kind & 7) < 4 ? ((kind & 7) + ((kind & 7) === 3 ? ordinal : 0)) * 4 + 2 + peer : ordinal * 4;
    if ((kind & 7) < 5) {
      const octets = script.take(script.next());
      if (ended.has(stream) || (octets.length === 0 && !isLast)) continue;
      if (isLast) ended.add(stream);
      arrivals.push({ is: "data", stream, octets, end: isLast });
    } else if ((kind & 7) === 5) {
      const code = 0x100 + (script.next() & 0x1f);
      // Our own critical streams can be stopped, too.
      const about = isLast ? stream : stream + 2 + (1 - peer);
      if (isLast && ended.has(stream)) continue;
      if (isLast) ended.add(stream);
      arrivals.push({ is: isLast ? "reset" : "stopped", stream: isLast || (ordinal & 4) === 0 ? stream : about, code });
    } else if ((kind & 7) === 6) arrivals.push({ is: "datagram", octets: script.take(script.next()) });
    else arrivals.push({ is: "time", ms: script.next() * 100 });
  }
  return {
    options: {
      settings: {
        maxFieldSectionSize: MAX_SECTION,
        qpackMaxTableCapacity: 220,
        qpackBlockedStreams: 2,
        h3Datagram: (flags & 1) !== 0,
        enableConnectProtocol: (flags & 2) !== 0,
      },
      ...((flags & 4) !== 0 && { limits: LIMITS }),
      ...((flags & 8) !== 0 && { grease: 1 }),
    },
    arrivals,
  };
}

/** Joins neighbouring content of a stream. */
function joined(events: readonly Event[]): unknown[] {
  const out: { is: string; stream?: number; octets?: string; end?: boolean }[] = [];
  for (const event of events) {
    const last = out.at(-1);
    if (event.is !== "data") out.push(event as (typeof out)[number]);
    else if (last?.octets !== undefined && last.stream === event.stream && last.end !== true)
      out[out.length - 1] = { ...last, octets: last.octets + Buffer.from(event.bytes).toString("hex"), end: event.end };
    else out.push({ is: "content", stream: event.stream, octets: Buffer.from(event.bytes).toString("hex"), end: event.end });
  }
  return out.filter(({ is, octets, end }) => is !== "content" || octets !== "" || end === true);
}

/** One end that gets the arrivals; content is read at once. */
class Life {
  readonly transport: FakeTransport;
  readonly events: Event[] = [];
  readonly #connection: Connection;
  readonly #side: Side;
  readonly #arrived = new Map<number, number>();
  readonly #known = new Set<number>();
  #now: Instant = instant(0);
  /** What arrived has ended it. */
  #wasOver = false;

  constructor(side: Side, options: Partial<Options>) {
    this.#side = side;
    this.transport = new FakeTransport(side);
    this.#connection = new Connection({ side, transport: this.transport, ...options }, this.#now);
    this.#note(this.#connection.receive({ is: "established" }, this.#now));
    if (side === "server") return;
    for (const [fields, end] of [
      [GET, true],
      [POST, false],
      [CONNECT, false],
      [[[":method", "HEAD"], ...GET.slice(1)], true],
    ] as const)
      this.#connection.request(fieldsOf(fields as typeof GET), end);
    for (let at = 0; at < 4; at++) this.#known.add(at * 4);
  }
  get isOver(): boolean {
    return this.events.at(-1)?.is === "closed";
  }

  #note(events: readonly Event[]): void {
    for (const event of events) {
      if (this.isOver) throw new Error(`${event.is} after the end`);
      this.events.push(event);
      if (event.is === "data") this.#connection.consumed(event.stream, event.bytes.length);
      if (!("fields" in event)) continue;
      const size = event.fields.reduce((sum, { name, value }) => sum + name.length + value.length + 32, 0);
      if (size > MAX_SECTION) throw new Error(`a field section of ${size} octets`);
    }
  }
  receive(arrival: Arrival): void {
    if (this.isOver) return;
    if (arrival.is === "time") {
      this.#now = instant(this.#now + arrival.ms);
      return this.#note(this.#connection.tick(this.#now));
    }
    if (arrival.is !== "datagram" && !isUnidirectional(arrival.stream)) {
      // A server opens no request streams, and a client no others of ours.
      if (this.#side === "client" && !this.#known.has(arrival.stream)) return;
      if (!this.#known.has(arrival.stream)) {
        this.#known.add(arrival.stream);
        this.#note(this.#connection.receive({ is: "opened", stream: arrival.stream }, this.#now));
      }
    }
    if (arrival.is === "data") this.#arrived.set(arrival.stream, (this.#arrived.get(arrival.stream) ?? 0) + arrival.octets.length);
    this.#note(this.#connection.receive(arrival, this.#now));
  }

  /** Answers what can be answered, then lets time pass until nothing is due. */
  settle(): void {
    this.#wasOver = this.isOver;
    const open = new Map<number, string | undefined>();
    for (const event of this.events) {
      if (event.is === "request") open.set(event.stream, event.fields[0]?.value);
      if (event.is === "reset") open.delete(event.stream);
    }
    if (!this.isOver)
      for (const [stream, method] of open) {
        this.#connection.respond(id(stream), 200, fieldsOf([["x", "1"]]), method === "HEAD");
        if (method !== "HEAD") this.#connection.data(id(stream), new Uint8Array(3), method === "CONNECT");
        if (method !== "HEAD" && method !== "CONNECT") this.#connection.trailers(id(stream), fieldsOf([["y", "2"]]));
      }
    this.#note(this.#connection.events());
    if (!this.isOver) this.#connection.shutdown();
    for (let rounds = 0; this.#connection.deadline !== NEVER; rounds++) {
      if (rounds > 200) throw new Error(`still due at ${this.#connection.deadline}`);
      this.#now = instant(Math.max(this.#now, this.#connection.deadline));
      this.#note(this.#connection.tick(this.#now));
    }
  }

  /** Every octet that was read gives its credit back once. */
  checkCredit(): void {
    const finished = new Set<number>();
    for (const event of this.events) if (event.is === "reset" || (event.is === "data" && event.end)) finished.add(event.stream);
    for (const [stream, arrived] of this.#arrived) {
      const given = this.transport.given.get(stream) ?? 0;
      if (given > arrived || (finished.has(stream) && given !== arrived && !this.isOver))
        throw new Error(`credit for ${given} of ${arrived} octets of stream ${stream}`);
    }
  }
  /** What must not depend on the cuts. After an end the last octets may have been read further before it, and answered. */
  get summary(): string {
    const decoder = this.#side === "server" ? 11 : 10;
    const sent = [...this.transport.sent.keys()]
      .toSorted((a, b) => a - b)
      .map((stream) => {
        const octets = this.transport.octets(stream);
        return [stream, stream === decoder ? answersOf(octets) : octets];
      });
    return shown({
      events: joined(this.events),
      log: this.transport.log,
      sent: this.#wasOver ? [] : sent,
      given: this.#wasOver ? [] : [...this.transport.given].toSorted(([a], [b]) => a - b),
    });
  }
}

function live(side: Side, options: Partial<Options>, arrivals: Iterable<Arrival>): string {
  const life = new Life(side, options);
  for (const arrival of arrivals) {
    life.receive(arrival);
    life.checkCredit();
  }
  life.settle();
  return life.summary;
}

/** The end of a stream comes by itself: together with the last octets it may show earlier, and then nothing has to be stopped. */
function* apart(arrivals: readonly Arrival[], cut: (octets: Uint8Array) => Iterable<Uint8Array>): Generator<Arrival> {
  for (const arrival of arrivals) {
    if (arrival.is !== "data") yield arrival;
    else {
      for (const octets of cut(arrival.octets)) yield { ...arrival, octets, end: false };
      if (arrival.end) yield { ...arrival, octets: new Uint8Array(0), end: true };
    }
  }
}

/** For anything that arrives: no throw, the credit of all octets comes back, and cuts change nothing. */
export function cutsDoNotMatter(side: Side, input: Uint8Array): void {
  const { options, arrivals } = scriptOf(side, input);
  live(side, options, arrivals);
  const whole = live(
    side,
    options,
    apart(arrivals, (octets) => [octets]),
  );
  const chopped = live(side, options, apart(arrivals, pieces));
  if (whole !== chopped) throw new Error(`whole: ${whole}\nchopped: ${chopped}`);
}
