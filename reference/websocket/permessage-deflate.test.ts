import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Misuse } from "../core/index.ts";
import { readExtensions, writeExtensions } from "./extensions.ts";
import { answerDeflate, offerDeflate, readDeflateAnswer, type DeflatePolicy } from "./permessage-deflate.ts";
import type { Agreement } from "./deflate.ts";

const short = ({ serverTakeover, clientTakeover, serverBits, clientBits }: Agreement): string =>
  `${serverBits}${serverTakeover ? "" : "!"} ${clientBits}${clientTakeover ? "" : "!"}`;
/** The server's answer, and the agreement: server's bits, client's bits, `!` without context takeover. */
const answer = (offer: string, policy: DeflatePolicy = {}): string | undefined => {
  const given = answerDeflate(readExtensions([offer])!, policy);
  return given === undefined ? undefined : `${writeExtensions([given.answer])} -> ${short(given.agreed)}`;
};
const D = "permessage-deflate";

describe("server", () => {
  test.each<readonly [string, DeflatePolicy, string]>([
    [D, {}, `${D} -> 15 15`],
    [`${D}; client_max_window_bits`, {}, `${D} -> 15 15`],
    [`${D}; client_max_window_bits=10`, {}, `${D}; client_max_window_bits=10 -> 15 10`],
    [`${D}; client_max_window_bits`, { clientBits: 9 }, `${D}; client_max_window_bits=9 -> 15 9`],
    [`${D}; client_max_window_bits=8`, { clientBits: 9 }, `${D}; client_max_window_bits=8 -> 15 8`],
    [D, { clientBits: 9 }, `${D} -> 15 15`],
    [`${D}; server_max_window_bits=10`, {}, `${D}; server_max_window_bits=10 -> 10 15`],
    [`${D}; server_max_window_bits=15`, {}, `${D}; server_max_window_bits=15 -> 15 15`],
    [`${D}; server_max_window_bits=10`, { serverBits: 9 }, `${D}; server_max_window_bits=9 -> 9 15`],
    [D, { serverBits: 12 }, `${D}; server_max_window_bits=12 -> 12 15`],
    [`${D}; server_no_context_takeover`, {}, `${D}; server_no_context_takeover -> 15! 15`],
    [D, { serverTakeover: false }, `${D}; server_no_context_takeover -> 15! 15`],
    [`${D}; client_no_context_takeover`, {}, `${D}; client_no_context_takeover -> 15 15!`],
    [D, { clientTakeover: false }, `${D}; client_no_context_takeover -> 15 15!`],
    [`x-webkit-deflate-frame, ${D}; foo, ${D}; server_max_window_bits=9, ${D}`, {}, `${D}; server_max_window_bits=9 -> 9 15`],
    [`${D}; server_max_window_bits="10"`, {}, `${D}; server_max_window_bits=10 -> 10 15`],
  ])("%s, wanting %o (rfc7692#7.1)", (offer, policy, told) => {
    expect(answer(offer, policy)).toBe(told);
  });

  test.each([
    "foo",
    "Permessage-Deflate",
    `${D}; foo`,
    `${D}; server_no_context_takeover=1`,
    `${D}; client_no_context_takeover=true`,
    `${D}; server_no_context_takeover; server_no_context_takeover`,
    `${D}; server_max_window_bits`,
    `${D}; server_max_window_bits=7`,
    `${D}; server_max_window_bits=16`,
    `${D}; server_max_window_bits=010`,
    `${D}; server_max_window_bits=+9`,
    `${D}; server_max_window_bits=9; server_max_window_bits=9`,
    `${D}; client_max_window_bits=7`,
    `${D}; client_max_window_bits=16`,
    `${D}; client_max_window_bits; client_max_window_bits=10`,
    `${D}; Server_Max_Window_Bits=10`,
  ])("%s is declined, and the handshake continues without compression", (offer) => {
    expect(answer(offer)).toBeUndefined();
  });
});

describe("client", () => {
  const read = (response: string, policy: DeflatePolicy = {}): string | undefined => {
    const agreed = readDeflateAnswer(readExtensions([response])![0]!, policy);
    return agreed === undefined ? undefined : short(agreed);
  };
  test.each<readonly [DeflatePolicy, string]>([
    [{}, `${D}; client_max_window_bits`],
    [{ clientBits: 10 }, `${D}; client_max_window_bits=10`],
    [{ serverBits: 10 }, `${D}; server_max_window_bits=10; client_max_window_bits`],
    [{ offersClientBits: false }, D],
    [
      { serverTakeover: false, clientTakeover: false },
      `${D}; server_no_context_takeover; client_no_context_takeover; client_max_window_bits`,
    ],
  ])("wanting %o it offers %s", (policy, offer) => {
    expect(writeExtensions([offerDeflate(policy)])).toBe(offer);
  });
  test.each<readonly [string, DeflatePolicy, string | undefined]>([
    [D, {}, "15 15"],
    [`${D}; server_max_window_bits=9`, {}, "9 15"],
    [`${D}; client_max_window_bits=9`, {}, "15 9"],
    [`${D}; client_max_window_bits=12`, { clientBits: 10 }, "15 10"],
    [`${D}; server_no_context_takeover; client_no_context_takeover`, {}, "15! 15!"],
    [D, { clientTakeover: false }, "15 15!"],
    [D, { offersClientBits: false }, "15 15"],
    [`${D}; client_max_window_bits=10`, { offersClientBits: false }, undefined],
    [`${D}; server_max_window_bits=8`, { serverBits: 9 }, "8 15"],
    [`${D}; client_max_window_bits`, {}, undefined],
    [`${D}; server_max_window_bits`, {}, undefined],
    [`${D}; server_max_window_bits=16`, {}, undefined],
    [`${D}; server_no_context_takeover=1`, {}, undefined],
    [`${D}; server_max_window_bits=9; server_max_window_bits=9`, {}, undefined],
    [`${D}; foo=1`, {}, undefined],
    [D, { serverTakeover: false }, undefined],
    [D, { serverBits: 10 }, undefined],
    [`${D}; server_max_window_bits=11`, { serverBits: 10 }, undefined],
  ])("%s in answer to %o: %s", (response, policy, told) => {
    expect(read(response, policy)).toBe(told);
  });
});

const policy: fc.Arbitrary<DeflatePolicy> = fc.record(
  {
    serverTakeover: fc.boolean(),
    clientTakeover: fc.boolean(),
    serverBits: fc.integer({ min: 8, max: 15 }),
    clientBits: fc.integer({ min: 8, max: 15 }),
  },
  { requiredKeys: [] },
);
test("both sides reach the same agreement, which satisfies both", () => {
  fc.assert(
    fc.property(policy, policy, (ofClient, ofServer) => {
      const { answer: said, agreed } = answerDeflate([offerDeflate(ofClient)], ofServer)!;
      const understood = readDeflateAnswer(readExtensions([writeExtensions([said])])![0]!, ofClient);
      expect(understood).toEqual(agreed);
      for (const wanted of [ofClient, ofServer]) {
        expect(agreed.serverBits).toBeLessThanOrEqual(wanted.serverBits ?? 15);
        expect(agreed.clientBits).toBeLessThanOrEqual(wanted.clientBits ?? 15);
        expect([
          agreed.serverTakeover && wanted.serverTakeover === false,
          agreed.clientTakeover && wanted.clientTakeover === false,
        ]).toEqual([false, false]);
      }
    }),
  );
});

test("invalid window bits are Misuse", () => {
  for (const bits of [7, 16, 9.5]) expect(() => offerDeflate({ serverBits: bits })).toThrow(Misuse);
});
