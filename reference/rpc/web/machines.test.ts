import { field } from "../../core/index.ts";
import { Fields } from "../../http/index.ts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { writeEnvelope } from "../envelope.ts";
import { Status, type StatusCode } from "../status.ts";
import { Base64Decoder } from "./base64-stream.ts";
import { httpOf, readError, writeError } from "./connect-error.ts";
import { readQuery } from "./connect-query.ts";
import { readEndOfStream, writeEndOfStream } from "./end-of-stream.ts";
import { LastEnvelope } from "./last-envelope.ts";
import type { WebContent } from "./web-call.ts";

const octets = fc.uint8Array({ maxLength: 60 });
/** Reads content in pieces of this size. */
function read(machine: Pick<WebContent, "receive">, content: Uint8Array, size: number): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < content.length; at += size) {
    const piece = Uint8Array.from(content.subarray(at, at + size));
    parts.push(Uint8Array.from(machine.receive(piece)));
    piece.fill(0xee);
  }
  return Uint8Array.from(Buffer.concat(parts));
}

describe("Base64 in pieces", () => {
  test("is read however it is cut, with padding wherever its sender flushed", () => {
    fc.assert(
      fc.property(fc.array(octets, { maxLength: 5 }), fc.integer({ min: 1, max: 20 }), (flushed, size) => {
        const text = Buffer.from(flushed.map((part) => part.toBase64()).join(""));
        const machine = new Base64Decoder();
        const found = Buffer.concat([read(machine, text, size), machine.end()]);
        expect(Buffer.compare(found, Buffer.concat(flushed))).toBe(0);
      }),
    );
  });
  test("without its last padding it is read, too; with anything else a reader of messages refuses it", () => {
    const bare = new Base64Decoder();
    expect([...bare.receive(Buffer.from("AAEC/w"))]).toEqual([0, 1, 2]);
    expect([...bare.end()]).toEqual([255]);
    for (const text of ["AAE!", "=AAA", "A=AA"]) expect(new Base64Decoder().receive(Buffer.from(text))[0]).toBe(0x7f);
    const short = new Base64Decoder();
    short.receive(Buffer.from("AAAAA"));
    expect(short.end()[0]).toBe(0x7f);
  });
});

describe("the envelope at the end of a stream", () => {
  const METADATA = [field("x-a", "1"), field("x-b-bin", "AA"), field("x-a", "2")];

  test("is told from the messages before it, however the content is cut", () => {
    fc.assert(
      fc.property(fc.array(octets, { maxLength: 4 }), fc.integer({ min: 1, max: 20 }), (messages, size) => {
        const envelopes = messages.map((one) => writeEnvelope({ isCompressed: false, octets: one }));
        const end = writeEndOfStream({ code: Status.ABORTED, message: "ö" }, METADATA);
        const machine = new LastEnvelope(2, { encoding: undefined, compressors: new Map() });
        const passed = read(machine, Buffer.concat([...envelopes, end]), size);
        expect(Buffer.compare(passed, Buffer.concat(envelopes))).toBe(0);
        expect(readEndOfStream(machine.end()!)).toEqual({
          status: { code: Status.ABORTED, message: "ö" },
          metadata: new Fields([METADATA[0]!, METADATA[2]!, METADATA[1]!]),
        });
      }),
    );
  });
  test("is missing, cut short or followed by more: there is none", () => {
    const end = writeEndOfStream({ code: Status.OK, message: "" }, []);
    for (const content of [new Uint8Array(), end.subarray(0, -1), Buffer.concat([end, end]), Uint8Array.of(2, 255, 255, 255, 255)]) {
      const machine = new LastEnvelope(2, { encoding: undefined, compressors: new Map() });
      read(machine, Uint8Array.from(content), 3);
      expect(machine.end()).toBeUndefined();
    }
  });
  test("says nothing if it is not an object, or its error is not one of the protocol", () => {
    for (const text of ["", "[]", "null", '{"error":null}', '{"error":{}}', '{"error":{"code":null}}', '{"metadata":null}'])
      expect(readEndOfStream(Buffer.from(text)), text).toBeUndefined();
  });
});

describe("errors in JSON", () => {
  const CODES = Object.values(Status).filter((code) => code !== Status.OK);

  test.each(CODES)("the code %i is read as it is written", (code: StatusCode) => {
    expect(readError(writeError({ code, message: "" }), 200)).toEqual({ code, message: "" });
    expect(httpOf(code)).toBeGreaterThanOrEqual(400);
  });
  test("details keep their types and octets; octets that hold none are left out", () => {
    const error = { code: "not_found", details: [{ type: "a.B", value: "CgF4" }] };
    expect(writeError(readError(error, 404)!)).toEqual(error);
    expect(writeError({ code: Status.ABORTED, message: "", details: Uint8Array.of(255) })).toEqual({ code: "aborted" });
  });
  test("an unknown code is that of the HTTP status; what is not an error is not read as one", () => {
    expect(readError({ code: "soap", message: "busy" }, 503)).toEqual({ code: Status.UNAVAILABLE, message: "busy" });
    // The tables of the other dialects have this status, too.
    expect(readError({ code: "soap", message: "" }, 431)).toEqual({ code: Status.UNKNOWN, message: "" });
    for (const json of [undefined, null, "x", [], {}, { code: 5 }]) expect(readError(json, 500)).toBeUndefined();
  });
});

describe("the query of a GET", () => {
  test("is total: any text is read, and octets are those that were written", () => {
    fc.assert(
      fc.property(octets, fc.string(), (message, other) => {
        const base64 = message.toBase64({ alphabet: "base64url", omitPadding: true });
        const { message: found } = readQuery(`message=${base64}&base64=1&${other.replaceAll(/message|base64/g, "")}`);
        expect(found).toEqual(message);
        readQuery(other);
      }),
    );
  });
  test.each([
    ["a=1&message=%7B%22a%22%3A%22%2B+%25%22%7D&encoding=json&connect=v1", '{"a":"+ %"}'],
    ["message=%zz%4", "%zz%4"],
    ["message=first&message=second", "first"],
    ["message=YQ%3D%3D&base64=1", "a"],
    ["message=YQ%3D%3D&base64=true", "YQ=="],
  ])("%s", (query, text) => {
    expect(new TextDecoder().decode(readQuery(query).message)).toBe(text);
  });
});
