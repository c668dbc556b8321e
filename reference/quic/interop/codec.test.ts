import { spawnSync } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { concatenated, Reader, Writer, writeVarint } from "../../core/index.ts";
import { QUIC_PRIMITIVES as primitives } from "../../io/index.ts";
import { pythonWith } from "../../io/testing.ts";
import { readFrame, writeFrame, type Ack } from "../frame/index.ts";
import { anyFrame } from "../frame/testing.ts";
import { longHeadLength, readHeader, writeLongHeader } from "../packet/header.ts";
import { Keys, shortFirst } from "../packet/keys.ts";
import { fullNumber, numberLength } from "../packet/number.ts";
import { writeRetry } from "../packet/retry.ts";
import { SUITES, type SuiteName } from "../packet/suites.ts";
import { DEFAULT_PARAMETERS, readParameters, writeParameters, type Parameters } from "../params.ts";
import { fromHex, octets, toHex } from "../testing.ts";
import { V1, V2, type Version } from "../version.ts";

const python = pythonWith("aioquic");
if (python === undefined) console.log("QUIC is not compared with aioquic: it is not installed (bash ci/peers.sh).");

/** Asks aioquic all questions in one process. */
function ask(questions: readonly object[]): readonly unknown[] {
  const { status, stdout, stderr } = spawnSync(python!, [join(import.meta.dirname, "oracle.py")], {
    input: JSON.stringify(questions),
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as readonly unknown[];
}

const SEED = 7;
const many = <T>(arbitrary: fc.Arbitrary<T>, count = 200): T[] => fc.sample(arbitrary, { numRuns: count, seed: SEED });
const bytes = (minLength: number, maxLength: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ minLength, maxLength });
const id = bytes(0, 20);
const version = fc.constantFrom<Version>(V1, V2);
const suite = fc.constantFrom(...(Object.keys(SUITES) as SuiteName[]));
const secretFor = (name: SuiteName, seed: number): Uint8Array => octets(SUITES[name].hash === "sha256" ? 32 : 48, seed);

function written(write: (writer: Writer) => void): string {
  const writer = new Writer();
  write(writer);
  return toHex(writer.take());
}

describe.runIf(python !== undefined)("aioquic and we agree", () => {
  test("integers", () => {
    const values = many(fc.oneof(fc.maxSafeNat(), fc.nat(100), fc.nat(20_000), fc.nat(2 ** 31 - 1)));
    expect(ask(values.map((value) => ({ op: "integer", wire: written((writer) => writeVarint(writer, value)) })))).toEqual(
      values.map(String),
    );
  });

  test("transport parameters, both ways", () => {
    const values = fc.record(
      {
        original_destination_connection_id: id,
        max_idle_timeout: fc.maxSafeNat(),
        stateless_reset_token: bytes(16, 16),
        max_udp_payload_size: fc.integer({ min: 1200, max: 65_527 }),
        initial_max_data: fc.maxSafeNat(),
        initial_max_stream_data_uni: fc.nat(),
        initial_max_streams_bidi: fc.nat(),
        ack_delay_exponent: fc.nat(20),
        max_ack_delay: fc.nat(16_383),
        disable_active_migration: fc.constant(true),
        active_connection_id_limit: fc.integer({ min: 2, max: 100 }),
        initial_source_connection_id: id,
        retry_source_connection_id: id,
        max_datagram_frame_size: fc.nat(65_535),
      },
      { requiredKeys: [] },
    );
    const some = many(values);
    const plain = (one: object) =>
      Object.fromEntries(Object.entries(one).map(([name, value]) => [name, value instanceof Uint8Array ? toHex(value) : value]));
    const sent = some.map((one) =>
      Object.fromEntries(Object.entries(one).filter(([name, value]) => value !== DEFAULT_PARAMETERS[name as keyof Parameters])),
    );
    expect(ask(some.map((one) => ({ op: "parameters_read", wire: toHex(writeParameters(one)) })))).toEqual(sent.map(plain));
    const theirs = ask(some.map((one) => ({ op: "parameters_write", parameters: plain(one) }))) as string[];
    expect(theirs.map((wire) => readParameters(fromHex(wire), "server"))).toEqual(some.map((one) => ({ ...DEFAULT_PARAMETERS, ...one })));
  });

  test("a preferred address", () => {
    const address = {
      ipv4: { address: fromHex("7f000001"), port: 443 },
      ipv6: { address: octets(16, 1), port: 444 },
      id: fromHex("aabb"),
      resetToken: octets(16, 7),
    };
    const [got] = ask([{ op: "parameters_read", wire: toHex(writeParameters({ preferred_address: address })) }]);
    expect(got).toEqual({
      preferred_address: {
        ipv4: ["127.0.0.1", 443],
        ipv6: ["101:101:101:101:101:101:101:101", 444],
        id: "aabb",
        resetToken: toHex(octets(16, 7)),
      },
    });
  });

  test("ACK frames, both ways", () => {
    const acks = many(anyFrame, 1000).filter((frame): frame is Ack => frame.is === "ACK" && frame.ecn === undefined);
    expect(acks.length).toBeGreaterThan(20);
    const pairs = acks.map(({ ranges, delay }) => ({ ranges: ranges.map(({ smallest, largest }) => [smallest, largest]), delay }));
    // It reads and writes the frame without its type.
    const ours = acks.map((frame) => written((writer) => writeFrame(writer, frame)).slice(2));
    expect(ask(ours.map((wire) => ({ op: "ack_read", wire })))).toEqual(pairs);
    const theirs = ask(pairs.map((pair) => ({ op: "ack_write", ...pair }))) as string[];
    expect(theirs.map((wire) => readFrame(new Reader(fromHex(`02${wire}`)), "1-RTT"))).toEqual(acks);
  });

  test("long headers", () => {
    const heads = many(
      fc.record({ type: fc.constantFrom("initial", "0-RTT", "handshake"), version, destination: id, source: id, token: bytes(0, 300) }),
    );
    const wires = heads.map((head) =>
      written((writer) => {
        writeLongHeader(writer, head, 40, 2);
        writer.bytes(octets(40));
      }),
    );
    const types = { initial: "INITIAL", "0-RTT": "ZERO_RTT", handshake: "HANDSHAKE" } as const;
    expect(ask(wires.map((wire) => ({ op: "header", wire, idLength: 8 })))).toEqual(
      heads.map((head) => ({
        type: types[head.type],
        version: head.version.number,
        destination: toHex(head.destination),
        source: toHex(head.source),
        token: head.type === "initial" ? toHex(head.token) : "",
        tag: "",
        length: longHeadLength(head) + 40,
      })),
    );
  });

  test("Retry packets with their tags", () => {
    const heads = many(fc.record({ version, destination: id, source: id, original: id, token: bytes(1, 100) }), 50);
    const ours = heads.map((head) => toHex(writeRetry(primitives, head, head.token, head.original)));
    const theirs = ask(
      heads.map(({ version, ...rest }) => ({
        op: "retry",
        version: version.number,
        ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, toHex(value)])),
      })),
    );
    // The four unused bits are ours to choose.
    expect(ours.map((wire) => wire.slice(2, -32))).toEqual((theirs as string[]).map((wire) => wire.slice(2, -32)));
    const back = (theirs as string[]).map((wire) => readHeader(fromHex(wire), 0, 0));
    expect(back.map((head) => head.is)).toEqual(heads.map(() => "retry"));
  });

  test("protected packets, both ways, and after a key update", () => {
    const cases = many(
      fc.record({
        version,
        suite,
        destination: bytes(4, 4),
        seed: fc.nat(255),
        number: fc.nat(2 ** 31),
        behind: fc.nat(2 ** 20),
        payload: bytes(3, 300),
        phase: fc.constantFrom<0 | 1>(0, 1),
        isLong: fc.boolean(),
      }),
    ).map((one) => {
      const largest = Math.max(-1, one.number - 1 - one.behind);
      const length = numberLength(one.number, largest);
      const low = Array.from({ length }, (_, at) => Math.floor(one.number / 256 ** (length - 1 - at)) % 256);
      const phase = one.isLong ? 0 : one.phase;
      const head = one.isLong
        ? fromHex(
            written((writer) =>
              writeLongHeader(
                writer,
                { type: "handshake", version: one.version, destination: one.destination, source: octets(0) },
                length + one.payload.length + 16,
                length,
              ),
            ),
          )
        : concatenated([Uint8Array.of(shortFirst(phase, length)), one.destination]);
      const secret = secretFor(one.suite, one.seed);
      const first = new Keys({ primitives, suite: one.suite, version: one.version }, secret);
      const header = concatenated([head, Uint8Array.from(low)]);
      return { ...one, phase, largest, length, header, numberAt: head.length, secret, keys: phase === 0 ? first : first.next() };
    });
    const ours = cases.map(({ header, payload, numberAt, length, number, keys }) => {
      const packet = concatenated([header, payload, octets(16, 0)]);
      keys.protect(packet, numberAt, length, number);
      return toHex(packet);
    });
    const questions = cases.map((one, at) => ({
      suite: one.suite,
      version: one.version.number,
      secret: toHex(one.secret),
      header: toHex(one.header),
      payload: toHex(one.payload),
      number: one.number,
      wire: ours[at],
      numberAt: one.numberAt,
      expected: one.largest + 1,
    }));
    expect(ask(questions.map((question) => ({ op: "unprotect", ...question })))).toEqual(
      cases.map((one) => ({ header: toHex(one.header), payload: toHex(one.payload), number: one.number, update: one.phase === 1 })),
    );
    const first = cases.filter(({ phase }) => phase === 0);
    const theirs = ask(questions.filter((_, at) => cases[at]!.phase === 0).map((question) => ({ op: "protect", ...question }))) as string[];
    const opened = theirs.map((wire, at) => {
      const { keys, numberAt, largest } = first[at]!;
      const packet = fromHex(wire);
      const { header, number, length } = keys.unmask(packet, numberAt)!;
      const full = fullNumber(number, length, largest);
      return [full, toHex(keys.open(packet, header, full)!)];
    });
    expect(opened).toEqual(first.map(({ number, payload }) => [number, toHex(payload)]));
  });
});
