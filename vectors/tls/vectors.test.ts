import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { TLS_PRIMITIVES } from "../../reference/io/index.ts";
import { SUITES } from "../../reference/tls/index.ts";
import { Derivation, exported, KeySchedule } from "../../reference/tls/key-schedule.ts";
import { Transcript } from "../../reference/tls/transcript.ts";
import { fileOf, SOURCES } from "./make.ts";

const fromHex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "hex"));
const toHex = (octets: Uint8Array): string => Buffer.from(octets).toString("hex");

test.each(Object.entries(SOURCES))("tls/%s is what its source says", (name, made) => {
  expect(readFileSync(join(import.meta.dirname, `${name}.json`), "utf8")).toBe(fileOf(made));
});

describe("our key schedule agrees with tls/key-schedule", () => {
  test.each(SOURCES["key-schedule"].source.vectors)("$note", (vector) => {
    const { hash } = SUITES[vector.suite];
    const derivation = new Derivation(TLS_PRIMITIVES, hash);
    const offered = vector.psk === undefined ? undefined : new KeySchedule(derivation, fromHex(vector.psk));
    const schedule = vector.resumed && offered !== undefined ? offered : new KeySchedule(derivation);
    const transcript = new Transcript(TLS_PRIMITIVES);
    const secrets: Record<string, string> = {};
    // Of binders and Finished.
    const macs: string[] = [];
    const sessions: string[] = [];
    const expectedMacs: string[] = [];
    let material = "";
    let resumption = new Uint8Array(0) as Uint8Array;

    for (const [by, name, wire] of vector.messages) {
      const message = fromHex(wire);
      if (name === "NewSessionTicket") continue;
      if (name === "HelloRetryRequest") transcript.retry(hash);
      if (name === "ClientHello" && offered !== undefined) {
        const list = 3 + derivation.length;
        const digest = transcript.digestWith(hash, message.subarray(0, -list));
        macs.push(toHex(derivation.finished(offered.binderKey(), digest)));
        expectedMacs.push(wire.slice(-2 * derivation.length));
      }
      if (name === "Finished") {
        expectedMacs.push(toHex(message.subarray(4)));
        macs.push(toHex(derivation.finished(fromHex(secrets[`${by} handshake`] ?? ""), transcript.digest())));
      }
      transcript.add(message);
      if (name === "ClientHello" && vector.secrets["client early"] !== undefined)
        secrets["client early"] = toHex(schedule.derive("clientEarly", transcript.digestWith(hash, new Uint8Array(0))));
      if (name === "ServerHello") {
        transcript.choose(hash);
        schedule.advance(fromHex(vector.shared));
        secrets["client handshake"] = toHex(schedule.derive("clientHandshake", transcript.digest()));
        secrets["server handshake"] = toHex(schedule.derive("serverHandshake", transcript.digest()));
      }
      if (name === "Finished" && by === "server") {
        schedule.advance();
        secrets["client application"] = toHex(schedule.derive("clientApplication", transcript.digest()));
        secrets["server application"] = toHex(schedule.derive("serverApplication", transcript.digest()));
        const secret = schedule.derive("exporter", transcript.digest());
        const { label, context } = vector.exported;
        material = toHex(exported(derivation, TLS_PRIMITIVES, secret, { label, context: fromHex(context), length: 32 }));
      }
      if (name === "Finished" && by === "client") resumption = schedule.derive("resumption", transcript.digest());
    }
    for (const { nonce } of vector.sessions) sessions.push(toHex(derivation.resumption(resumption, fromHex(nonce))));
    expect(secrets).toEqual(vector.secrets);
    expect(macs).toEqual(expectedMacs);
    expect(material).toBe(vector.exported.octets);
    expect(sessions).toEqual(vector.sessions.map(({ psk }) => psk));
  });
});
