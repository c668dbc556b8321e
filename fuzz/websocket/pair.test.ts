import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { field, instant, seeded, type Field, type Random } from "../../reference/core/index.ts";
import { Fields } from "../../reference/http/index.ts";
import { deflateEngine } from "../../reference/io/index.ts";
import {
  acceptHttp1,
  Connection,
  offerHttp1,
  readHttp1Answer,
  type Agreement,
  type DeflatePolicy,
  type Event,
  type Options,
} from "../../reference/websocket/index.ts";

/** Our client and our server from the opening handshake, with any compression parameters and arbitrary cuts, until both are idle. */

const T0 = instant(0);
const sha1 = (text: string): Uint8Array => createHash("sha1").update(text).digest();
const drawn = (seed: number): Random => {
  const next = seeded(seed);
  return (into) => into.map((_octet, i) => (into[i] = next() * 256));
};
const low = (fields: readonly Field[]): Fields => new Fields(fields.map(({ name, value }) => field(name.toLowerCase(), value)));

const policy: fc.Arbitrary<DeflatePolicy | undefined> = fc.option(
  fc.record(
    {
      serverTakeover: fc.boolean(),
      clientTakeover: fc.boolean(),
      serverBits: fc.integer({ min: 8, max: 15 }),
      clientBits: fc.integer({ min: 8, max: 15 }),
    },
    { requiredKeys: [] },
  ),
  { nil: undefined, freq: 4 },
);

/** The compression that the client and the server agree on in the handshake. */
function agreements(asked: DeflatePolicy | undefined, granted: DeflatePolicy | undefined): [Agreement | undefined, Agreement | undefined] {
  const offer = offerHttp1(asked === undefined ? {} : { deflate: asked }, drawn(1));
  const head = { method: "GET", version: "HTTP/1.1", scheme: "http", authority: "a", path: "/", fields: low(offer.fields) } as const;
  const accepted = acceptHttp1(head, granted === undefined ? {} : { deflate: granted }, sha1);
  if (accepted.is === "refused") throw new Error(accepted.why);
  const answerFields = low([field("upgrade", "websocket"), field("connection", "Upgrade"), ...accepted.fields]);
  const answer = readHttp1Answer(accepted.status, answerFields, offer, sha1);
  if (answer.is !== "established") throw new Error(`our client does not accept our server's answer: ${answer.is}`);
  return [answer.deflate, accepted.deflate];
}

/** One end, with the messages it has sent and received, one line each. */
class End {
  readonly c: Connection;
  readonly sent: string[] = [];
  readonly received: string[] = [];
  pings = 0;
  pongs = 0;
  #part = "";
  /** Octets in transit to the other end. */
  wire: Uint8Array = new Uint8Array(0);
  isPaused = false;

  constructor(options: Options) {
    this.c = new Connection(options, T0);
  }
  hear(events: readonly Event[]): void {
    for (const event of events) {
      if (event.is === "ping" || event.is === "writable") continue;
      if (event.is === "pong") this.pongs++;
      else if (event.is === "message" || event.is === "fragment") {
        this.#part += Buffer.from(event.data as string).toString("hex");
        if (event.is === "fragment" && !event.end) continue;
        this.received.push(`${event.kind === "binary" ? "binary" : "text"} ${this.#part}`);
        this.#part = "";
      } else if (event.is === "closed") this.received.push(`closed ${event.code} ${event.clean} ${event.fault?.name ?? ""}`);
      else this.received.push(`closing ${event.code}`);
    }
  }
  take(): void {
    this.wire = Buffer.concat([this.wire, ...this.c.take()]);
    this.hear(this.c.events());
  }
}
class Pair {
  readonly client: End;
  readonly server: End;
  constructor(client: Options, server: Options) {
    this.client = new End(client);
    this.server = new End(server);
  }
  /** Delivers at most `most` octets from one end to the other. */
  carry(from: End, most: number): void {
    from.take();
    const piece = new Uint8Array(from.wire.subarray(0, most));
    from.wire = from.wire.subarray(piece.length);
    if (piece.length === 0) return;
    const to = from === this.client ? this.server : this.client;
    to.hear(to.c.receive(piece, T0));
  }
  settle(): void {
    for (let quiet = 0; quiet < 2;) {
      this.carry(this.client, Number.POSITIVE_INFINITY);
      this.carry(this.server, Number.POSITIVE_INFINITY);
      this.client.take();
      this.server.take();
      quiet = this.client.wire.length + this.server.wire.length === 0 ? quiet + 1 : 0;
    }
  }
}

type Act = (pair: Pair, side: "client" | "server") => void;
const words = fc.oneof(
  // Repeated texts, so that a window that should have been reset shows.
  fc.constantFrom("the quick brown fox jumps", "over the lazy dog; the quick brown fox"),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.tuple(fc.string({ unit: "grapheme", minLength: 1, maxLength: 5 }), fc.integer({ min: 20, max: 2_000 })).map(([s, n]) => s.repeat(n)),
);
const octets = fc.oneof(
  fc.uint8Array({ maxLength: 100 }),
  fc.tuple(fc.nat(), fc.constantFrom(125, 126, 1_024, 40_000, 70_000)).map(([seed, size]) => drawn(seed)(new Uint8Array(size))),
);
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 4,
    arbitrary: words.map((text): Act => (pair, side) => {
      pair[side].c.text(text);
      pair[side].sent.push(`text ${Buffer.from(text).toString("hex")}`);
    }),
  },
  {
    weight: 4,
    arbitrary: octets.map((data): Act => (pair, side) => {
      pair[side].c.binary(data);
      pair[side].sent.push(`binary ${Buffer.from(data).toString("hex")}`);
    }),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(octets, fc.integer({ min: 1, max: 5 }), fc.boolean()).map(([data, count, isAsked]): Act => (pair, side) => {
      for (let i = 0; i < count; i++) {
        const part = data.subarray(Math.floor((data.length * i) / count), Math.floor((data.length * (i + 1)) / count));
        pair[side].c.fragment("binary", part, i === count - 1);
        if (!isAsked) continue;
        pair[side].c.ping(Uint8Array.of(i));
        pair[side].pings++;
      }
      pair[side].sent.push(`binary ${Buffer.from(data).toString("hex")}`);
    }),
  },
  {
    weight: 6,
    arbitrary: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 100, max: 50_000 })).map(
      (most): Act =>
        (pair, side) =>
          pair.carry(pair[side], most),
    ),
  },
);
const delivery = fc.record({ text: fc.constantFrom("string" as const, "octets" as const), fragments: fc.boolean() }, { requiredKeys: [] });

test("any compression parameters: both sides agree on the result", () => {
  fc.assert(
    fc.property(policy, policy, (asked, granted) => {
      const [client, server] = agreements(asked, granted);
      expect(client).toEqual(server);
      expect(client === undefined).toBe(asked === undefined || granted === undefined);
    }),
    { numRuns: 400 },
  );
});

test("two ends joined: every message arrives in order, pings are answered, both close cleanly, and neither reports a fault", () => {
  const engine = deflateEngine();
  fc.assert(
    fc.property(
      fc.record({
        asked: policy,
        granted: policy,
        ours: delivery,
        theirs: delivery,
        acts: fc.array(fc.tuple(act, fc.constantFrom("client" as const, "server" as const)), { maxLength: 30 }),
        closer: fc.constantFrom("client" as const, "server" as const),
      }),
      ({ asked, granted, ours, theirs, acts, closer }) => {
        const [client, server] = agreements(asked, granted);
        const compressed = (agreed: Agreement | undefined) => (agreed === undefined ? {} : { deflate: { agreed, engine, threshold: 10 } });
        const pair = new Pair(
          { side: "client", random: drawn(2), ...ours, ...compressed(client) },
          { side: "server", ...theirs, ...compressed(server) },
        );
        for (const [one, side] of acts) one(pair, side);
        pair.settle();
        expect(pair.server.received).toEqual(pair.client.sent);
        expect(pair.client.received).toEqual(pair.server.sent);
        // An end may answer only the last of several pings (rfc6455#5.5.3).
        for (const { pings, pongs } of [pair.client, pair.server]) expect(pongs === 0).toBe(pings === 0);
        pair[closer].c.close(4_000);
        pair.settle();
        pair.client.hear(pair.client.c.ended(T0));
        for (const end of [pair.client, pair.server]) expect(end.received.slice(-2)).toEqual(["closing 4000", "closed 4000 true "]);
      },
    ),
    { numRuns: 150 },
  );
});
