import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TransportError } from "../error-code.ts";
import type { Frame } from "../frame/index.ts";
import { anyFrame } from "../frame/testing.ts";
import { writeParameters, type Parameters } from "../params.ts";
import { streamId, type Side } from "../stream-id.ts";
import { fromHex, octets, pattern } from "../testing.ts";
import { V1, V2 } from "../version.ts";
import { ending, Liar, Rig, ToyHandshake } from "./testing.ts";

const LIMITS = { connectionWindow: 1_000, streamWindow: 100, bidirectionalStreams: 2, unidirectionalStreams: 2 };
const stream = (id: number, offset: number, length: number, fin = false): Frame => ({
  is: "STREAM",
  stream: streamId(id),
  offset,
  fin,
  data: pattern(offset, length),
});
const newId = (sequence: number, retirePriorTo = 0, value = sequence): Frame => ({
  is: "NEW_CONNECTION_ID",
  sequence,
  retirePriorTo,
  id: octets(8, 100 + value),
  resetToken: octets(16, value),
});

const BREACHES: readonly (readonly [string, Side, readonly Frame[], string])[] = [
  [
    "an acknowledgment of what was not sent",
    "server",
    [{ is: "ACK", delay: 0, ranges: [{ smallest: 900, largest: 900 }] }],
    "ackOfUnsentPacket PROTOCOL_VIOLATION 2",
  ],
  ["NEW_TOKEN from a client", "server", [{ is: "NEW_TOKEN", token: octets(3) }], "newTokenByClient PROTOCOL_VIOLATION 7"],
  ["HANDSHAKE_DONE from a client", "server", [{ is: "HANDSHAKE_DONE" }], "handshakeDoneByClient PROTOCOL_VIOLATION 30"],
  ["STREAM on a stream of ours that is not open", "server", [stream(1, 0, 1)], "streamOnUnopened STREAM_STATE_ERROR 8"],
  ["STREAM on a stream that only we send on", "server", [stream(3, 0, 1)], "streamOnSendOnly STREAM_STATE_ERROR 8"],
  [
    "RESET_STREAM on a stream that only we send on",
    "client",
    [{ is: "RESET_STREAM", stream: streamId(2), code: 0, finalSize: 0 }],
    "resetStreamOnSendOnly STREAM_STATE_ERROR 4",
  ],
  [
    "STOP_SENDING on a stream that only the peer sends on",
    "server",
    [{ is: "STOP_SENDING", stream: streamId(2), code: 0 }],
    "stopSendingOnReceiveOnly STREAM_STATE_ERROR 5",
  ],
  [
    "STOP_SENDING on a stream of ours that is not open",
    "server",
    [{ is: "STOP_SENDING", stream: streamId(1), code: 0 }],
    "stopSendingOnUnopened STREAM_STATE_ERROR 5",
  ],
  [
    "MAX_STREAM_DATA on a stream that only the peer sends on",
    "server",
    [{ is: "MAX_STREAM_DATA", stream: streamId(2), max: 1 }],
    "maxStreamDataOnReceiveOnly STREAM_STATE_ERROR 17",
  ],
  [
    "MAX_STREAM_DATA on a stream of ours that is not open",
    "server",
    [{ is: "MAX_STREAM_DATA", stream: streamId(1), max: 1 }],
    "maxStreamDataOnUnopened STREAM_STATE_ERROR 17",
  ],
  [
    "STREAM_DATA_BLOCKED on a stream that only we send on",
    "client",
    [{ is: "STREAM_DATA_BLOCKED", stream: streamId(2), limit: 1 }],
    "streamDataBlockedOnSendOnly STREAM_STATE_ERROR 21",
  ],
  ["more streams than allowed", "server", [stream(8, 0, 1)], "tooManyStreams STREAM_LIMIT_ERROR 8"],
  [
    "more streams than allowed, by another frame",
    "server",
    [{ is: "STREAM_DATA_BLOCKED", stream: streamId(10), limit: 1 }],
    "tooManyStreams STREAM_LIMIT_ERROR 21",
  ],
  ["octets beyond the limit of the stream", "server", [stream(0, 100, 1)], "dataBeyondStreamLimit FLOW_CONTROL_ERROR 8"],
  ["another final size", "server", [stream(0, 0, 5, true), stream(0, 0, 6, true)], "finalSizeChanged FINAL_SIZE_ERROR 8"],
  ["octets after the end", "server", [stream(0, 0, 5, true), stream(0, 5, 1)], "dataBeyondFinalSize FINAL_SIZE_ERROR 8"],
  [
    "an end before octets",
    "server",
    [stream(0, 0, 5), { is: "RESET_STREAM", stream: streamId(0), code: 0, finalSize: 4 }],
    "finalSizeBelowData FINAL_SIZE_ERROR 4",
  ],
  ["too many IDs", "server", [newId(40), newId(41), newId(42), newId(43), newId(44)], "tooManyConnectionIds CONNECTION_ID_LIMIT_ERROR 24"],
  ["an ID with two numbers", "server", [newId(40, 40), newId(41, 0, 40)], "connectionIdReissued PROTOCOL_VIOLATION 24"],
  [
    "retiring an ID that was not issued",
    "server",
    [{ is: "RETIRE_CONNECTION_ID", sequence: 99 }],
    "retireOfUnissuedId PROTOCOL_VIOLATION 25",
  ],
  ["retiring the ID that the packet has", "server", [{ is: "RETIRE_CONNECTION_ID", sequence: 0 }], "retireOfIdInUse PROTOCOL_VIOLATION 25"],
  ["a datagram that nobody asked for", "server", [{ is: "DATAGRAM", data: octets(1) }], "datagramUnwanted PROTOCOL_VIOLATION 48"],
  [
    "too much of the handshake ahead",
    "client",
    [{ is: "CRYPTO", offset: 70_000, data: octets(1) }],
    "cryptoBufferExceeded CRYPTO_BUFFER_EXCEEDED 6",
  ],
  ["no frame", "server", [], "packetWithoutFrames PROTOCOL_VIOLATION"],
];

describe("a peer that breaks a rule", () => {
  test.each(BREACHES)("%s ends the connection of the %s", (name, side, frames, verdict) => {
    const rig = new Liar({ server: { limits: LIMITS } });
    expect([name, rig.lie(side, frames).verdict(side)]).toEqual([name, verdict]);
    rig.run(1_000);
    const other = ending(side === "client" ? rig.serverEvents : rig.clientEvents);
    expect(other).toBe(`peer transport ${TransportError[verdict.split(" ")[1] as keyof typeof TransportError]} ${verdict.split(" ")[0]}`);
  });

  test("octets beyond the limit of the connection", () => {
    const rig = new Liar({ server: { limits: { ...LIMITS, streamWindow: 1_000 } } });
    rig.lie("server", [stream(0, 0, 600), stream(4, 0, 401)]);
    expect(rig.verdict("server")).toBe("dataBeyondConnectionLimit FLOW_CONTROL_ERROR 8");
  });

  test("a datagram larger than allowed, and one that is not", () => {
    const rig = new Liar({ server: { limits: { datagramOctets: 100 } } });
    expect(rig.lie("server", [{ is: "DATAGRAM", data: octets(99) }]).verdict("server")).toBe("open");
    expect(rig.lie("server", [{ is: "DATAGRAM", data: octets(100) }]).verdict("server")).toBe("datagramTooLarge PROTOCOL_VIOLATION 48");
  });

  test.each([
    ["a frame of unknown type", "21", "frameTypeUnknown FRAME_ENCODING_ERROR 33"],
    ["a frame type in a longer form", "4001", "frameTypeOverlong PROTOCOL_VIOLATION 1"],
    ["a truncated frame", "01 01 06 00 44", "frameTruncated FRAME_ENCODING_ERROR 6"],
  ])("%s", (_, payload, verdict) => {
    expect(new Liar().lie("server", fromHex(payload)).verdict("server")).toBe(verdict);
  });

  test.each([
    ["lost in a changed packet", (packet: Uint8Array) => void (packet[20]! ^= 1)],
    ["with the fixed bit at zero", (packet: Uint8Array) => void (packet[0]! &= 0xbf)],
  ])("a rule broken %s is not broken", (_, change) => {
    expect(new Liar().lie("server", [{ is: "HANDSHAKE_DONE" }], change).verdict("server")).toBe("open");
  });

  test("retirements without end", () => {
    const rig = new Liar();
    rig.meddle = (side, bytes) => (side === "server" ? undefined : bytes);
    for (let at = 10; at < 40; at++) rig.lie("server", [newId(at, at)]);
    expect(rig.verdict("server")).toBe("tooManyRetirements CONNECTION_ID_LIMIT_ERROR 24");
  });

  test("challenges without end are answered up to a limit, each in a datagram no larger than three times the question", () => {
    const rig = new Liar();
    const sizes: number[] = [];
    rig.meddle = (side, bytes) => {
      if (side === "server") sizes.push(bytes.length);
      return bytes;
    };
    for (let at = 0; at < 100; at++) rig.lie("server", [{ is: "PATH_CHALLENGE", data: octets(8, at) }]);
    rig.run(1_000);
    expect(sizes.filter((size) => size > 60).length).toBeLessThan(12);
    expect([Math.max(...sizes) <= 3 * 45, rig.verdict("server")]).toEqual([true, "open"]);
  });
});

describe("a peer that sends anything", () => {
  const some = fc.constantFrom<Side>("client", "server");
  /** Nothing throws, and the connection goes on or ends with a code. */
  const afterwards = (rig: Liar, side: Side): string => {
    rig.run(500);
    return rig.verdict(side);
  };
  const SURVIVED = /^(?:open|\w+ [A-Z_]+.*|undefined (?:[A-Z_]+|undefined))$/;

  test("protected octets of any kind", () => {
    fc.assert(
      fc.property(some, fc.array(fc.uint8Array({ minLength: 1, maxLength: 60 }), { maxLength: 5 }), (side, payloads) => {
        const rig = new Liar({ server: { limits: LIMITS } });
        for (const payload of payloads) rig.lie(side, payload);
        expect(afterwards(rig, side)).toMatch(SURVIVED);
      }),
      { numRuns: 150 },
    );
  });

  test("frames of any kind, also after both sides have sent on streams", () => {
    const smallStream = fc
      .tuple(fc.nat(12), fc.nat(40), fc.nat(40), fc.boolean())
      .map(([id, offset, length, fin]) => stream(id, offset, length, fin));
    fc.assert(
      fc.property(some, fc.array(fc.oneof(anyFrame, smallStream), { maxLength: 12 }), (side, frames) => {
        const rig = new Liar({ server: { limits: LIMITS } });
        for (const connection of [rig.connection, rig.accepted!]) connection.send(connection.open("bidirectional")!, octets(50), false);
        rig.run(50);
        for (const frame of frames) rig.lie(side, [frame]);
        expect(afterwards(rig, side)).toMatch(SURVIVED);
      }),
      { numRuns: 300 },
    );
  });

  test("octets that nobody has protected change nothing", () => {
    const rig = new Liar();
    const first = fc.constantFrom(0x40, 0xc0, 0xe0, 0xf0, 0x00);
    fc.assert(
      fc.property(some, first, fc.uint8Array({ maxLength: 1_300 }), fc.constantFrom(0, 1, 0x6b33_43cf), (side, first, rest, version) => {
        rig.inject(
          side,
          Uint8Array.from([first, version >>> 24, version >>> 16, version >>> 8, version, ...rest].map((octet) => octet & 0xff)),
        );
      }),
      { numRuns: 300 },
    );
    rig.run(500);
    expect([rig.verdict("client"), rig.verdict("server")]).toEqual(["open", "open"]);
  });
});

describe("transport parameters that do not fit", () => {
  const strange = (side: Side, change: (parameters: Uint8Array) => Uint8Array): Rig =>
    new Rig(side === "server" ? { server: { accept: (parameters) => new ToyHandshake("server", change(parameters)) } } : {});
  const without =
    (id: number) =>
    (wire: Uint8Array): Uint8Array => {
      const kept: number[] = [];
      for (let at = 0; at < wire.length; at += 2 + wire[at + 1]!)
        if (wire[at] !== id) kept.push(...wire.subarray(at, at + 2 + wire[at + 1]!));
      return Uint8Array.from(kept);
    };
  const changed =
    (parameters: Partial<Parameters>, id: number) =>
    (wire: Uint8Array): Uint8Array =>
      Uint8Array.from([...without(id)(wire), ...writeParameters(parameters)]);

  test.each([
    ["no source ID", without(0x0f), "sourceIdMissing"],
    ["another source ID", changed({ initial_source_connection_id: octets(8) }, 0x0f), "sourceIdWrong"],
    ["no original ID", without(0x00), "originalIdMissing"],
    ["another original ID", changed({ original_destination_connection_id: octets(8) }, 0x00), "originalIdWrong"],
    ["the ID of a Retry that there was not", changed({ retry_source_connection_id: octets(8) }, 0x10), "retryIdUnasked"],
    ["an invalid value", (wire: Uint8Array) => Uint8Array.from([...wire, 0x0a, 1, 21]), "parameterOutOfRange"],
  ])("%s", (_, change, name) => {
    const rig = strange("server", change);
    rig.run(1_000);
    expect([ending(rig.clientEvents), ending(rig.serverEvents)]).toEqual([`us transport 8 ${name}`, `peer transport 8 ${name}`]);
  });

  const versions = (chosen: number, ...available: number[]): ((wire: Uint8Array) => Uint8Array) =>
    changed({ version_information: { chosen, available } }, 0x11);
  test("a server that has chosen another version than that of its packets", () => {
    const rig = strange("server", versions(V2.number, V2.number, V1.number));
    rig.run(1_000);
    expect(ending(rig.clientEvents)).toBe("us transport 17 versionNotInUse");
  });
  test.each([
    ["another version than that of its packets", versions(V2.number, V1.number, V2.number), "17 versionNotInUse"],
    ["a version that it does not list", versions(V1.number, V2.number), "8 versionNotAvailable"],
  ])("a client that has chosen %s", (_, change, ends) => {
    const rig = new Rig();
    rig.connect({ handshake: (parameters) => new ToyHandshake("client", change(parameters)) });
    rig.run(1_000);
    expect(ending(rig.serverEvents)).toBe(`us transport ${ends}`);
  });

  test.each([
    ["no ID of the Retry", without(0x10), "retryIdMissing"],
    ["another ID of the Retry", changed({ retry_source_connection_id: octets(8) }, 0x10), "retryIdWrong"],
  ])("%s", (_, change, name) => {
    const rig = new Rig({ server: { retry: "always", accept: (parameters) => new ToyHandshake("server", change(parameters)) } });
    rig.run(1_000);
    expect(ending(rig.clientEvents)).toBe(`us transport 8 ${name}`);
  });
});
