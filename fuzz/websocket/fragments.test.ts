import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { instant, seeded, type Random } from "../../reference/core/index.ts";
import { deflateEngine } from "../../reference/io/index.ts";
import { Connection, type Event, type Options, type Side } from "../../reference/websocket/index.ts";

/** Any message fragmented in any way, with control frames between, gives the same message (rfc6455#5.4, rfc7692#6.1). */

const T0 = instant(0);
type Setup = Omit<Options, "side">;
const deflate = (bits: number, takeover: boolean): Setup => ({
  deflate: {
    agreed: { serverTakeover: takeover, clientTakeover: takeover, serverBits: bits, clientBits: bits },
    engine: deflateEngine(),
    threshold: 0,
  },
});
const SETUPS: readonly (readonly [string, Setup])[] = [
  ["plain", {}],
  ["compressed, with take-over", deflate(15, true)],
  ["compressed, without take-over, with a small window", deflate(9, false)],
];

const words = fc.oneof(
  fc.string({ unit: "binary", maxLength: 80 }),
  fc.tuple(fc.string({ unit: "grapheme", minLength: 1, maxLength: 9 }), fc.integer({ min: 1, max: 400 })).map(([s, n]) => s.repeat(n)),
);
const octets = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.tuple(fc.nat(), fc.integer({ min: 500, max: 5_000 })).map(([seed, size]) => {
    const next = seeded(seed);
    return Uint8Array.from({ length: size }, () => next() * 256);
  }),
);
type Message = { readonly kind: "text" | "binary"; readonly data: Uint8Array };
const message: fc.Arbitrary<Message> = fc.oneof(
  words.map((said): Message => ({ kind: "text", data: new Uint8Array(Buffer.from(said)) })),
  octets.map((data): Message => ({ kind: "binary", data })),
);
/** A position to cut a message, and the control frame to send there, if any. */
const cut = fc.record({ share: fc.double({ min: 0, max: 1, noNaN: true }), between: fc.constantFrom("", "ping", "pong") });
const delivery = fc.record({ text: fc.constantFrom("string" as const, "octets" as const), fragments: fc.boolean() });

const hex = (data: string | Uint8Array): string => Buffer.from(data as string).toString("hex");
/** The messages in the events, whole or fragmented. */
function messagesOf(events: readonly Event[]): string[] {
  const out: string[] = [];
  let part = "";
  for (const event of events) {
    if (event.is !== "message" && event.is !== "fragment") continue;
    const kind = event.kind === "binary" ? "binary" : "text";
    part += hex(event.data);
    if (event.is === "fragment" && !event.end) continue;
    out.push(`${kind} ${part}`);
    part = "";
  }
  return out;
}

/** Sends the messages cut into fragments. Returns the octets and the control frames between them. */
function sent(
  end: Connection,
  messages: readonly (readonly [Message, readonly (typeof cut extends fc.Arbitrary<infer T> ? T : never)[]])[],
) {
  const controls: string[] = [];
  for (const [{ kind, data }, cuts] of messages) {
    let at = 0;
    for (const { share, between } of [...cuts].sort((a, b) => a.share - b.share)) {
      const to = Math.floor(data.length * share);
      end.fragment(kind, data.subarray(at, to), false);
      at = to;
      if (between === "") continue;
      const payload = Uint8Array.of(controls.length, at & 0xff);
      end[between as "ping" | "pong"](payload);
      controls.push(`${between} ${hex(payload)}`);
    }
    end.fragment(kind, data.subarray(at), true);
  }
  return { wire: Buffer.concat(end.take()), controls };
}

describe.each(["server", "client"] as const)("to a %s", (to) => {
  test.each(SETUPS)("%s: delivers the messages and control frames in order", (_, setup) => {
    const from: Side = to === "server" ? "client" : "server";
    fc.assert(
      fc.property(
        fc.array(fc.tuple(message, fc.array(cut, { maxLength: 6 })), { minLength: 1, maxLength: 4 }),
        delivery,
        fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 5 }),
        (messages, delivered, sizes) => {
          const next = seeded(1);
          const random: Random = (into) => into.map((_octet, i) => (into[i] = next() * 256));
          const { wire, controls } = sent(new Connection({ side: from, random, ...setup }, T0), messages);
          const receiver = new Connection({ side: to, random, ...delivered, ...setup }, T0);
          const events: Event[] = [];
          for (let at = 0, i = 0; at < wire.length; i++) {
            const size = sizes[i % sizes.length]!;
            // A new view, because the receiver unmasks in place.
            for (const event of receiver.receive(new Uint8Array(wire.subarray(at, at + size)), T0)) events.push(event);
            at += size;
          }
          expect(messagesOf(events)).toEqual(messages.map(([{ kind, data }]) => `${kind} ${hex(data)}`));
          expect(events.flatMap((event) => (event.is === "ping" || event.is === "pong" ? [`${event.is} ${hex(event.data)}`] : []))).toEqual(
            controls,
          );
        },
      ),
      { numRuns: 120 },
    );
  });
});
