import fc, { assert } from "fast-check";
import { test } from "vitest";
import { instant } from "../../reference/core/index.ts";
import { CLIENT_PREFACE, Connection, type Event, type Side } from "../../reference/http2/index.ts";
import { block, fieldList, GET, join, POST, raw, settings, toHex, wire } from "../../reference/http2/testing.ts";

/** For any octets, a connection never throws, and cuts change nothing (rfc9113#10). */

const T0 = instant(0);
const hex = toHex;

/** Valid blocks, invalid blocks, and random octets. */
const someBlock = fc.oneof(
  fc.constantFrom(
    hex(block(GET)),
    hex(block(POST)),
    hex(block([[":status", "200"]])),
    hex(block([[":status", "100"]])),
    hex(block([["x", "y"]])),
    hex(block([...GET, ["Bad", "1"]])),
    hex(block([...POST, ["content-length", "3"]])),
    "828684410161",
    "be",
    "ff",
    "",
  ),
  fc.uint8Array({ maxLength: 12 }).map(hex),
);
const stream = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(1, 3, 5) },
  { weight: 2, arbitrary: fc.constantFrom(0, 2, 4, 7) },
  { weight: 1, arbitrary: fc.nat() },
);
const flags = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(0, 1, 4, 5, 8, 0x24) }, { weight: 1, arbitrary: fc.nat(255) });
const u32 = fc
  .oneof(fc.constantFrom(0, 1, 100, 65_535, 0x7fff_ffff, 0x8000_0000), fc.nat(0xffff_ffff))
  .map((n) => n.toString(16).padStart(8, "0"));
const setting = fc.tuple(fc.constantFrom(1, 2, 3, 4, 5, 6, 8, 9, 0xff), u32).map(([id, value]) => id.toString(16).padStart(4, "0") + value);

/** Mostly well-formed frames, so that they pass the readers. */
const frame: fc.Arbitrary<Uint8Array> = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(flags, stream, someBlock).map(([f, s, b]) => raw(1, f, s, b)) },
  { weight: 4, arbitrary: fc.tuple(flags, stream, fc.uint8Array({ maxLength: 20 })).map(([f, s, b]) => raw(0, f, s, hex(b))) },
  { weight: 1, arbitrary: fc.tuple(flags, stream, someBlock).map(([f, s, b]) => raw(9, f, s, b)) },
  {
    weight: 1,
    arbitrary: fc.tuple(stream, u32, fc.nat(255)).map(([s, on, weight]) => raw(2, 0, s, on + weight.toString(16).padStart(2, "0"))),
  },
  { weight: 2, arbitrary: fc.tuple(stream, u32).map(([s, code]) => raw(3, 0, s, code)) },
  { weight: 2, arbitrary: fc.array(setting, { maxLength: 3 }).map((list) => raw(4, 0, 0, list.join(""))) },
  { weight: 1, arbitrary: fc.constant(raw(4, 1, 0)) },
  { weight: 1, arbitrary: fc.tuple(flags, stream, u32, someBlock).map(([f, s, promised, b]) => raw(5, f, s, promised + b)) },
  { weight: 1, arbitrary: fc.constantFrom(0, 1).map((f) => raw(6, f, 0, "0102030405060708")) },
  { weight: 1, arbitrary: fc.tuple(u32, u32).map(([last, code]) => raw(7, 0, 0, last + code)) },
  { weight: 2, arbitrary: fc.tuple(stream, u32).map(([s, increment]) => raw(8, 0, s, increment)) },
  { weight: 1, arbitrary: fc.tuple(u32, fc.constantFrom("753d30", "69", "")).map(([s, value]) => raw(0x10, 0, 0, s + value)) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.nat(255), flags, stream, fc.uint8Array({ maxLength: 12 })).map(([t, f, s, b]) => raw(t, f, s, hex(b))),
  },
  { weight: 1, arbitrary: fc.tuple(fc.nat(20_000), fc.nat(9)).map(([length, type]) => raw(type, 0, 1, "", length)) },
);
const input = fc.oneof(
  { weight: 9, arbitrary: fc.array(frame, { maxLength: 12 }).map((frames) => wire(...frames)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }) },
);

function fresh(side: Side): Connection {
  const machine = new Connection({ side, settings: { enablePush: side === "client" } }, T0);
  if (side === "client") {
    machine.request(fieldList(GET), true);
    machine.request(fieldList(POST), false);
  }
  machine.receive(side === "server" ? wire(CLIENT_PREFACE, settings()) : wire(settings()), T0);
  machine.take();
  return machine;
}

/** All events and the reply. Copies views at once: they are valid until the next read. */
function run(side: Side, pieces: readonly Uint8Array[]): { events: string[]; reply: string } {
  const machine = fresh(side);
  const events: string[] = [];
  const reply: Uint8Array[] = [];
  const note = (some: readonly Event[]): void => {
    for (const event of some) events.push(JSON.stringify(event, (_, part: unknown) => (part instanceof Uint8Array ? hex(part) : part)));
  };
  for (const piece of pieces) {
    note(machine.receive(piece, T0));
    reply.push(...machine.take());
  }
  note(machine.events());
  note(machine.ended(T0));
  return { events, reply: hex(join(reply)) };
}

function pieces(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b);
  return places.slice(1).map((end, at) => bytes.slice(places[at], end));
}

for (const side of ["server", "client"] as const) {
  test(`${side}: any octets give the same events and reply wherever they are cut, and never throw`, () => {
    assert(
      fc.property(input, fc.array(fc.nat(), { maxLength: 8 }), (bytes, cuts) => {
        const whole = run(side, [bytes]);
        for (const cut of [pieces(bytes, cuts), [...bytes].map((octet) => Uint8Array.of(octet))]) {
          const other = run(side, cut);
          if (JSON.stringify(other) !== JSON.stringify(whole)) {
            throw new Error(`cut into ${cut.length}: ${JSON.stringify(other)}\nwhole: ${JSON.stringify(whole)}`);
          }
        }
      }),
      { numRuns: 600 },
    );
  });

  test(`${side}: after the end, sends nothing, reports nothing and does not throw`, () => {
    assert(
      fc.property(input, input, (first, second) => {
        const machine = fresh(side);
        if (!machine.receive(first, T0).some(({ is }) => is === "closed")) machine.abort("NO_ERROR");
        machine.events();
        machine.take();
        if (machine.receive(second, T0).length + machine.tick(instant(1e9)).length + machine.take().length > 0)
          throw new Error("the connection continues after its end");
      }),
      { numRuns: 200 },
    );
  });
}

test("server: `closed` is the last event of a read", () => {
  assert(
    fc.property(input, (bytes) => {
      const events = fresh("server").receive(bytes, T0);
      const at = events.findIndex(({ is }) => is === "closed");
      if (at >= 0 && at !== events.length - 1) throw new Error(`after the end: ${events[at + 1]!.is}`);
    }),
    { numRuns: 300 },
  );
});
