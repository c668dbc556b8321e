import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { goIsMissing, startGo } from "../../reference/io/crypto/handshake/peer.ts";
import { pemOf, rootPem } from "../../reference/io/crypto/handshake/testing.ts";
import { TLS_PRIMITIVES } from "../../reference/io/index.ts";
import { DEFAULT_LIMITS, SUITES } from "../../reference/tls/index.ts";
import { Derivation, exported, KeySchedule } from "../../reference/tls/key-schedule.ts";
import {
  readCertificate,
  readCertificateRequest,
  readCertificateVerify,
  readClientHello,
  readEncryptedExtensions,
  readNewSessionTicket,
  readServerHello,
} from "../../reference/tls/messages.ts";
import { Transcript } from "../../reference/tls/transcript.ts";
import { fileOf, SOURCES } from "./make.ts";
import type { MessageName } from "./source/kinds.ts";

const fromHex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "hex"));
const toHex = (octets: Uint8Array): string => Buffer.from(octets).toString("hex");

test.each(Object.entries(SOURCES))("tls/%s is what its source says", (name, made) => {
  expect(readFileSync(join(import.meta.dirname, `${name}.json`), "utf8")).toBe(fileOf(made));
});

const READERS: Readonly<Record<MessageName, (body: Uint8Array, offered: ReadonlySet<number>) => object>> = {
  ClientHello: (body) => readClientHello(body, DEFAULT_LIMITS),
  ServerHello: (body, offered) => readServerHello(body, DEFAULT_LIMITS, offered),
  HelloRetryRequest: (body, offered) => readServerHello(body, DEFAULT_LIMITS, new Set([...offered, 44])),
  NewSessionTicket: (body) => readNewSessionTicket(body, DEFAULT_LIMITS),
  EncryptedExtensions: (body, offered) => readEncryptedExtensions(body, DEFAULT_LIMITS, offered),
  Certificate: (body, offered) => readCertificate(body, DEFAULT_LIMITS, offered),
  CertificateRequest: (body) => readCertificateRequest(body, DEFAULT_LIMITS),
  CertificateVerify: readCertificateVerify,
};

/** Values as the vectors have them: octets in hexadecimal; what only the machine needs is left out. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return toHex(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !["is", "all", "bindersLength"].includes(name));
  return Object.fromEntries(kept.map(([name, part]) => [name, plain(part)]));
}

describe("our readers agree with tls/messages", () => {
  test.each(SOURCES.messages.source.vectors)("$note", ({ message, wire, offered = [], value, fault, code }) => {
    const got = READERS[message](fromHex(wire).subarray(4), new Set(offered));
    const refused = "name" in got && "error" in got ? [got.name, got.error] : undefined;
    // EncryptedExtensions are read as the list that they are.
    const read = message === "EncryptedExtensions" ? { extensions: plain(got) } : plain(got);
    expect(refused ?? read).toEqual(fault === undefined ? value : [fault, code]);
  });
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

/** Where a server of Go answers an invalid ClientHello: it does not look at these values. */
const UNSEEN_BY_GO = [
  "psk_key_exchange_modes: an empty list",
  "pre_shared_key: a binder of 31 octets",
  "ClientHello: a session identifier of 33 octets",
];

if (goIsMissing !== undefined) process.stderr.write(`${goIsMissing}\n`);
test.runIf(goIsMissing === undefined)(
  "a server of Go answers the valid ClientHellos of tls/messages, and refuses the invalid ones",
  async () => {
    const { peer, stop } = startGo();
    await peer.ask({ config: "server", server: true, protocols: ["h3"], authority: rootPem, identity: pemOf("p256") });
    const wrong: string[] = [];
    for (const { message, note, wire, result } of SOURCES.messages.source.vectors) {
      if (message !== "ClientHello" || result === "acceptable") continue;
      await peer.ask({ open: note, with: "server", parameters: "0100" });
      const { events, error } = await peer.ask({ on: note, level: "initial", octets: wire });
      const isAnswered = error === undefined && events.some(({ is }) => is === "octets");
      if (isAnswered !== (result === "valid")) wrong.push(note);
    }
    stop();
    expect(wrong).toEqual(UNSEEN_BY_GO);
  },
);
