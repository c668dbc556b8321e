import { expect, test } from "vitest";
import { concatenated, Misuse } from "../../../core/index.ts";
import { Client, Server } from "../../../tls/index.ts";
import { bytes, edit, editExtension, editList, retried } from "./tampering.ts";
import { clientOptions, faultOf, hex, serverOptions, shake, T0, type Tamper } from "./testing.ts";

/** Values that a peer may send and that mean nothing to us. The Finished of the peer then fails, because what it hashed was changed on the way. */

const GREASE = bytes(0x0a, 0x0a);
const inList16 = (old: Uint8Array): Uint8Array => concatenated([bytes(0, old.length), GREASE, old.subarray(2)]);

test.each<[string, Tamper]>([
  ["an unknown suite", edit("ClientHello", (body) => concatenated([body.subarray(0, 35), bytes(0, 8), GREASE, body.subarray(37)]))],
  ["an unknown group", editExtension("ClientHello", 10, inList16)],
  ["an unknown signature scheme", editExtension("ClientHello", 13, inList16)],
  ["an unknown version", editExtension("ClientHello", 43, (old) => concatenated([bytes(4), GREASE, old.subarray(1)]))],
  ["an unknown mode of pre-shared keys", editExtension("ClientHello", 45, bytes(2, 0x0b, 1))],
  ["an unknown protocol", editExtension("ClientHello", 16, bytes(0, 6, 2, 0x0a, 0x0a, 2, 0x68, 0x33))],
  ["unknown extensions", editList("ClientHello", (list) => [[0x0a0a, bytes()], ...list, [0x1a1a, bytes(0)]])],
  [
    "extensions that only TLS over TCP needs",
    editList("ClientHello", (list) => [[1, bytes(1)], [23, bytes()], [0xff01, bytes(0)], ...list, [21, bytes(0, 0)]]),
  ],
  ["another legacy version", edit("ClientHello", (body) => concatenated([bytes(3, 1), body.subarray(2)]))],
])("a server ignores %s in a ClientHello", (_what, tamper) => {
  const { server, client } = shake({}, { tamper });
  expect([faultOf(server), faultOf(client)]).toEqual([undefined, "signatureWrong"]);
});

test.each<[string, Tamper]>([
  ["CertificateRequest", editExtension("CertificateRequest", 0x0a0a, bytes(1))],
  ["CertificateRequest with names of authorities", editExtension("CertificateRequest", 47, bytes(0, 3, 0, 1, 7))],
])("a client ignores unknown extensions in a %s", (_what, tamper) => {
  const { client } = shake({ server: { clients: { trust: { check: () => undefined }, required: false } } }, { tamper });
  expect(faultOf(client)).toBe("signatureWrong");
});

test.each([
  ["no protocol", { alpn: [] }],
  ["an empty protocol", { alpn: [""] }],
  ["a long protocol", { alpn: ["x".repeat(256)] }],
])("%s is a fault of the caller", (_what, change) => {
  expect(() => new Client(clientOptions(change), T0)).toThrow(Misuse);
  expect(() => new Server(serverOptions(change), T0)).toThrow(Misuse);
});

test.each([
  ["a name that is no host name", { serverName: "ä.example" }],
  ["an empty name", { serverName: "" }],
  ["no groups", { groups: [] }],
  ["no suites", { suites: [] }],
  ["shares of other groups", { groups: ["x25519"], shares: ["secp256r1"] } as const],
])("%s is a fault of the caller of a client", (_what, change) => {
  expect(() => new Client(clientOptions(change), T0)).toThrow(Misuse);
});

test("exporting before the end of the handshake is a fault of the caller", () => {
  expect(() => new Client(clientOptions(), T0).exported("label", bytes(), 32)).toThrow(Misuse);
  expect(() => new Server(serverOptions(), T0).exported("label", bytes(), 32)).toThrow(Misuse);
});

test("a client returns the cookie of a HelloRetryRequest, with the same random value and shares", () => {
  const again = retried(44, bytes(0, 3, 7, 8, 9));
  const { sent } = shake({ client: { groups: ["x25519"] } }, { tamper: (one) => (one.type === 2 ? again(one) : one.octets) });
  const [first, second] = sent.filter(({ type }) => type === 1).map(({ octets }) => hex(octets));
  const cookie = "002c00050003070809";
  expect(second).toContain(cookie);
  expect(second!.length - first!.length).toBe(cookie.length);
  expect(second?.slice(12, 76)).toBe(first?.slice(12, 76));
});
