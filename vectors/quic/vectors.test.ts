import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Reader, readVarint, varint64, Writer, writeVarint } from "../../reference/core/index.ts";
import { QUIC_PRIMITIVES } from "../../reference/io/index.ts";
import { TransportError } from "../../reference/quic/error-code.ts";
import type { Fault } from "../../reference/quic/faults.ts";
import { readFrame } from "../../reference/quic/frame/index.ts";
import { readHeader } from "../../reference/quic/packet/header.ts";
import { expandLabel, extract } from "../../reference/quic/packet/hkdf.ts";
import { initialKeys, Keys } from "../../reference/quic/packet/keys.ts";
import { fullNumber } from "../../reference/quic/packet/number.ts";
import { retryTag, writeRetry } from "../../reference/quic/packet/retry.ts";
import { SUITES } from "../../reference/quic/packet/suites.ts";
import { DEFAULT_PARAMETERS, readParameters } from "../../reference/quic/params.ts";
import { fromHex, octets, toHex } from "../../reference/quic/testing.ts";
import { V1, V2 } from "../../reference/quic/version.ts";
import { fileOf, SOURCES } from "./make.ts";

const VERSIONS = { v1: V1, v2: V2 };
const verdict = (fault: Fault): readonly [string, number | undefined] => [
  fault.name,
  fault.scope === "connection" ? TransportError[fault.code] : undefined,
];

test.each(Object.entries(SOURCES))("quic/%s is what its source says", (name, made) => {
  expect(readFileSync(join(import.meta.dirname, `${name}.json`), "utf8")).toBe(fileOf(made));
});

describe("our codec agrees with the vectors of QUIC", () => {
  test.each(SOURCES.integers.source.vectors)("integers: $note", ({ wire, value, shortest, fault }) => {
    const reader = new Reader(fromHex(wire));
    const number = readVarint(reader);
    expect([reader.short, reader.left]).toEqual([fault !== undefined, 0]);
    if (value === undefined) return;
    expect([varint64(fromHex(wire)).toString(), number]).toEqual([value, expect.closeTo(Number(value), -3)]);
    const writer = new Writer();
    writeVarint(writer, Number.isSafeInteger(number) ? number : 0);
    expect(toHex(writer.take()) === wire).toBe(Number.isSafeInteger(number) && shortest !== false);
  });

  test.each(SOURCES.frames.source.vectors)("frames: $note", ({ packet, wire, frame, result, fault, code }) => {
    const reader = new Reader(fromHex(wire));
    const got = readFrame(reader, packet);
    const expected = result === "valid" ? [0, frame] : [fault, code];
    expect(got.is === "fault" ? verdict(got) : [reader.left, plain(got)]).toEqual(expected);
  });

  test.each(SOURCES.parameters.source.vectors)("parameters: $note", ({ by, wire, parameters, result, fault }) => {
    const got = readParameters(fromHex(wire), by);
    const expected =
      result === "valid" ? plain({ ...DEFAULT_PARAMETERS, ...parameters }) : [fault, TransportError.TRANSPORT_PARAMETER_ERROR];
    expect("is" in got ? verdict(got) : plain(got)).toEqual(expected);
  });

  test.each(SOURCES.keys.source.vectors)("keys: $note", ({ version, suite, initial, secret, key, iv, hp, next }) => {
    const { hash, keyLength } = SUITES[suite];
    const { label, salt } = VERSIONS[version];
    const from = (secret: Uint8Array, name: string, length: number): string =>
      toHex(expandLabel(QUIC_PRIMITIVES, { hash, octets: secret }, name, length));
    const octets = fromHex(secret);
    const common = extract(QUIC_PRIMITIVES, hash, fromHex(salt), fromHex(initial?.destination ?? ""));
    expect(initial === undefined ? secret : from(common, `${initial.side} in`, 32)).toBe(secret);
    expect([from(octets, `${label} key`, keyLength), from(octets, `${label} iv`, 12), from(octets, `${label} hp`, keyLength)]).toEqual([
      key,
      iv,
      hp,
    ]);
    expect([undefined, from(octets, `${label} ku`, 32)]).toContain(next);
  });

  test.each(SOURCES.packets.source.vectors)(
    "packets: $note",
    ({ version, suite, secret, idLength, number, largest, header, payload, wire, fault }) => {
      const keys = new Keys({ primitives: QUIC_PRIMITIVES, suite, version: VERSIONS[version] }, fromHex(secret));
      const packet = fromHex(wire);
      const head = readHeader(packet, 0, idLength);
      if (head.is !== "long" && head.is !== "short") throw new Error(`a packet of kind ${head.is}`);
      const unmasked = keys.unmask(packet, head.numberAt);
      const full = unmasked === undefined ? -1 : fullNumber(unmasked.number, unmasked.length, largest);
      const opened = unmasked === undefined ? undefined : keys.open(packet, unmasked.header, full);
      const refused = unmasked === undefined ? "packetTooShortToSample" : "packetUndecryptable";
      expect(opened === undefined ? refused : [toHex(unmasked!.header), full, toHex(opened)]).toEqual(fault ?? [header, number, payload]);
      const plain = Uint8Array.from([...fromHex(header), ...fromHex(payload), ...octets(16, 0)]);
      keys.protect(plain, head.numberAt, (fromHex(header).length - head.numberAt) as 1 | 2 | 3 | 4, number);
      expect(toHex(plain) === wire).toBe(fault === undefined);
    },
  );

  test.each(SOURCES.retry.source.vectors)("retry: $note", ({ version, original, wire, token, fault }) => {
    const head = readHeader(fromHex(wire), 0, 0);
    if (head.is !== "retry") throw new Error(`a packet of kind ${head.is}`);
    const tag = retryTag(QUIC_PRIMITIVES, VERSIONS[version], fromHex(original), head.untagged);
    expect(toHex(tag) === toHex(head.tag)).toBe(fault === undefined);
    if (token === undefined) return;
    expect(toHex(head.token)).toBe(token);
    expect(toHex(writeRetry(QUIC_PRIMITIVES, head, head.token, fromHex(original)))).toBe(wire);
  });

  test("the keys of Initial packets open the first packet of the specification", () => {
    const packet = SOURCES.packets.source.vectors[0]!;
    const keys = initialKeys(QUIC_PRIMITIVES, V1, fromHex("8394c8f03e515708"), "client");
    const unmasked = keys.unmask(fromHex(packet.wire), 18)!;
    expect(toHex(keys.open(fromHex(packet.wire), unmasked.header, 2)!)).toBe(packet.payload);
  });
});

/** Values as the vectors have them: octets in hexadecimal, ranges and counts as lists, an address flat. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return toHex(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  if ("smallest" in value && "largest" in value) return [value.smallest, value.largest];
  if ("ect0" in value && "ect1" in value && "ce" in value) return [value.ect0, value.ect1, value.ce];
  const entries = Object.entries(value).flatMap(([name, part]): [string, unknown][] => {
    const { address, port } = (part ?? {}) as { readonly address?: Uint8Array; readonly port?: number };
    return address === undefined
      ? [[name, plain(part)]]
      : [
          [name, toHex(address)],
          [`${name}Port`, port],
        ];
  });
  return Object.fromEntries(entries);
}
