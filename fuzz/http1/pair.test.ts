import fc from "fast-check";
import { expect, test } from "vitest";
import { field, instant, type Field } from "../../reference/core/index.ts";
import { Connection, type Event, type ExchangeId } from "../../reference/http1/index.ts";
import { deliveries } from "../lib/pair-acts.ts";

/** Two ends joined by octets, cut at random: whatever both do, all messages arrive complete and in order, and neither reports a fault. */

const T0 = instant(0);
const octetAt = (exchange: number, at: number): number => (exchange * 7 + at * 31) & 0xff;

/** A message being sent: the octets of content sent so far, and the Content-Length if there is one. */
type Sending = { sent: number; readonly owed: number | undefined };
type Message = { readonly start: string; readonly fields: string; octets: number; trailers: string; isWhole: boolean };

const show = (fields: readonly Field[]): string =>
  fields
    .filter(({ name }) => /^x-|^sum$/i.test(name))
    .map(({ name, value }) => `${name.toLowerCase()}=${value}`)
    .join(" ");

class End {
  readonly c: Connection;
  /** Octets in transit to the other end. */
  wire: Buffer = Buffer.alloc(0);
  /** Received messages by exchange; interim responses as text. */
  readonly came = new Map<ExchangeId, Message>();
  readonly interims: string[] = [];
  /** Sent messages by exchange. */
  readonly went = new Map<ExchangeId, { readonly start: string; readonly fields: string; octets: number; trailers: string }>();
  readonly sending = new Map<ExchangeId, Sending>();
  unread: [ExchangeId, number][] = [];
  isOver = false;

  constructor(side: "client" | "server") {
    this.c = new Connection({ side, limits: { pipelined: 4, highWater: 8_192, unreadOctets: 16_384 } }, T0);
  }
  hear(events: readonly Event[]): void {
    for (const event of events) {
      if (this.isOver) throw new Error(`after the end: ${event.is}`);
      switch (event.is) {
        case "request":
          this.came.set(event.exchange, {
            start: `${event.method} ${event.target}`,
            fields: show(event.fields),
            octets: 0,
            trailers: "",
            isWhole: event.end,
          });
          break;
        case "response":
          this.came.set(event.exchange, {
            start: String(event.status),
            fields: show(event.fields),
            octets: 0,
            trailers: "",
            isWhole: event.end,
          });
          break;
        case "interim":
          this.interims.push(`${event.exchange} ${event.status} ${show(event.fields)}`);
          break;
        case "data":
          this.#content(event.exchange, event.bytes);
          if (event.end) this.came.get(event.exchange)!.isWhole = true;
          break;
        case "trailers":
          this.came.get(event.exchange)!.trailers = show(event.fields);
          this.came.get(event.exchange)!.isWhole = true;
          break;
        case "failed":
          throw new Error(`exchange ${event.exchange} failed: ${event.fault?.name ?? "the connection ended"}`);
        case "closed":
          if (event.fault !== undefined) throw new Error(`found fault: ${event.fault.name}`);
          this.isOver = true;
          break;
        default:
      }
    }
  }
  #content(exchange: ExchangeId, bytes: Uint8Array): void {
    const message = this.came.get(exchange)!;
    for (let i = 0; i < bytes.length; i++) {
      if (bytes[i] !== octetAt(exchange, message.octets + i))
        throw new Error(`octet ${message.octets + i} of exchange ${exchange} differs`);
    }
    message.octets += bytes.length;
    this.unread.push([exchange, bytes.length]);
  }
  /** Records a message whose head has been sent; `sending` is undefined if it has no content. */
  begin(exchange: ExchangeId, start: string, fields: readonly Field[], sending: Sending | undefined): void {
    this.went.set(exchange, { start, fields: show(fields), octets: 0, trailers: "" });
    if (sending !== undefined) this.sending.set(exchange, sending);
  }
  /** Sends some content; all the rest if the message ends and has a length. */
  send(exchange: ExchangeId, size: number, end: boolean, trailers: readonly Field[]): void {
    const sending = this.sending.get(exchange)!;
    const left = sending.owed === undefined ? size : sending.owed - sending.sent;
    const count = end && sending.owed !== undefined ? left : Math.min(size, left);
    const isChunked = sending.owed === undefined;
    const withTrailers = end && isChunked && trailers.length > 0;
    const bytes = Uint8Array.from({ length: count }, (_, i) => octetAt(exchange, sending.sent + i));
    sending.sent += count;
    this.c.data(exchange, bytes, end && !withTrailers);
    const went = this.went.get(exchange)!;
    went.octets = sending.sent;
    if (withTrailers) {
      this.c.trailers(exchange, trailers);
      went.trailers = show(trailers);
    }
    if (end) this.sending.delete(exchange);
  }
  read(): void {
    for (const [exchange, octets] of this.unread) this.c.consumed(exchange, octets);
    this.unread = [];
    this.hear(this.c.events());
  }
  collect(): void {
    this.wire = Buffer.concat([this.wire, ...this.c.take()]);
    this.hear(this.c.events());
  }
}

class Pair {
  readonly client = new End("client");
  readonly server = new End("server");

  /** Delivers some octets to the other end, unless it wants none at the moment. */
  carry(from: End, to: End, octets: number): void {
    from.collect();
    if (!to.c.wants || to.isOver) return;
    const part = new Uint8Array(from.wire.subarray(0, octets));
    from.wire = from.wire.subarray(octets);
    to.hear(to.c.receive(part, T0));
    to.hear(to.c.events());
  }
  /** Answers and ends everything, in turns, until both ends are idle. */
  settle(): void {
    for (let round = 0; round < 500; round++) {
      for (const end of [this.client, this.server]) {
        end.read();
        for (const exchange of end.sending.keys()) end.send(exchange, 10, true, []);
      }
      for (const exchange of this.unanswered()) this.answer(exchange, "plain", 0);
      this.carry(this.client, this.server, Number.POSITIVE_INFINITY);
      this.carry(this.server, this.client, Number.POSITIVE_INFINITY);
      const isQuiet = this.client.wire.length + this.server.wire.length + this.client.sending.size + this.server.sending.size === 0;
      if (isQuiet && this.unanswered().length === 0 && this.client.unread.length + this.server.unread.length === 0) return;
    }
    throw new Error("the two ends never become idle");
  }
  unanswered(): ExchangeId[] {
    return [...this.server.came.keys()].filter((exchange) => !this.server.went.has(exchange));
  }
  answer(exchange: ExchangeId, how: "plain" | "length" | "chunks" | "none", size: number): void {
    const isHead = this.server.came.get(exchange)!.start.startsWith("HEAD");
    const fields = [field("X-Exchange", String(exchange)), ...(how === "length" ? [field("Content-Length", String(size))] : [])];
    const hasContent = (how === "length" || how === "chunks") && !isHead;
    const status = how === "none" ? 204 : 200;
    this.server.c.respond(exchange, status, fields, !hasContent && !(how === "length" && !isHead));
    this.server.begin(exchange, String(status), fields, hasContent ? { sent: 0, owed: how === "length" ? size : undefined } : undefined);
    this.server.hear(this.server.c.events());
  }
}

type Act = (pair: Pair) => void;
const pick = <Item>(from: Iterable<Item>, at: number): Item | undefined => {
  const all = [...from];
  return all[at % Math.max(all.length, 1)];
};

const ask =
  (method: string, how: "none" | "length" | "chunks", size: number, fields: readonly Field[]): Act =>
  ({ client }) => {
    if (!client.c.accepting || client.sending.size > 0) return;
    const all = [field("Host", "a"), ...fields, ...(how === "length" ? [field("Content-Length", String(size))] : [])];
    const exchange = client.c.request({ method, target: `/${client.went.size}` }, all, how === "none");
    const sending = how === "none" ? undefined : { sent: 0, owed: how === "length" ? size : undefined };
    client.begin(exchange, `${method} /${client.went.size}`, all, sending);
  };
type SendAct = {
  readonly side: "client" | "server";
  readonly at: number;
  readonly size: number;
  readonly end: boolean;
  readonly trailers: readonly Field[];
};
const send =
  ({ side, at, size, end, trailers }: SendAct): Act =>
  (pair) => {
    const exchange = pick(pair[side].sending.keys(), at);
    if (exchange !== undefined) pair[side].send(exchange, size, end, trailers);
  };
const answer =
  (at: number, how: "plain" | "length" | "chunks" | "none", size: number): Act =>
  (pair) => {
    const exchange = pick(pair.unanswered(), at);
    if (exchange !== undefined) pair.answer(exchange, how, size);
  };
const interim =
  (at: number): Act =>
  (pair) => {
    const exchange = pick(pair.unanswered(), at);
    if (exchange !== undefined) pair.server.c.interim(exchange, 103, [field("X-Early", String(exchange))]);
  };

const size = fc.oneof(fc.nat(60), fc.nat(20_000), fc.constant(0));
const more = fc.constantFrom<readonly Field[]>([], [field("X-One", "1")], [field("X-Two", "\u00e9"), field("x-two", "b, c")]);
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(fc.constantFrom("GET", "HEAD", "OPTIONS", "WORK"), more).map(([method, fields]) => ask(method, "none", 0, fields)),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom("POST", "PUT"), fc.constantFrom("length" as const, "chunks" as const), size, more)
      .map(([method, how, octets, fields]) => ask(method, how, octets, fields)),
  },
  {
    weight: 7,
    arbitrary: fc
      .record({
        side: fc.constantFrom("client" as const, "server" as const),
        at: fc.nat(),
        size,
        end: fc.boolean(),
        trailers: fc.constantFrom<readonly Field[]>([], [field("Sum", "1")]),
      })
      .map(send),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.nat(), fc.constantFrom("plain" as const, "length" as const, "chunks" as const, "none" as const), size)
      .map(([at, how, octets]) => answer(at, how, octets)),
  },
  { weight: 1, arbitrary: fc.nat().map(interim) },
  ...deliveries<End>(3_000),
);

/** Every message sent is the message received. */
function agree(from: End, to: End): void {
  for (const [exchange, went] of from.went) {
    const came = to.came.get(exchange);
    expect(came, `exchange ${exchange}`).toEqual({ ...went, isWhole: true });
  }
}

test("two ends joined: all messages arrive complete and in order, and neither reports a fault", () => {
  let [exchanges, octets] = [0, 0];
  fc.assert(
    fc.property(fc.array(act, { maxLength: 80, size: "max" }), (acts) => {
      const pair = new Pair();
      for (const one of acts) one(pair);
      pair.settle();
      agree(pair.client, pair.server);
      agree(pair.server, pair.client);
      expect(pair.server.went.size).toBe(pair.client.went.size);
      exchanges += pair.client.went.size;
      for (const went of [...pair.client.went.values(), ...pair.server.went.values()]) octets += went.octets;
    }),
    { numRuns: 300 },
  );
  expect(exchanges).toBeGreaterThan(600);
  expect(octets).toBeGreaterThan(500_000);
});

test("a graceful end: open requests are answered, then both close", () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 40, size: "max" }), fc.constantFrom("client" as const, "server" as const), (acts, first) => {
      const pair = new Pair();
      ask("GET", "none", 0, [])(pair);
      for (const one of acts) one(pair);
      // Empty the wire first: a request that crosses the server's close would not be answered.
      pair.settle();
      ask("GET", "none", 0, [])(pair);
      pair.carry(pair.client, pair.server, Number.POSITIVE_INFINITY);
      pair[first].c.shutdown();
      pair[first].hear(pair[first].c.events());
      pair.settle();
      agree(pair.client, pair.server);
      agree(pair.server, pair.client);
      const [one, other] = first === "server" ? [pair.server, pair.client] : [pair.client, pair.server];
      expect(one.isOver).toBe(true);
      if (!other.isOver) other.hear(other.c.ended(T0));
      other.collect();
      expect(other.isOver).toBe(true);
    }),
    { numRuns: 200 },
  );
});
