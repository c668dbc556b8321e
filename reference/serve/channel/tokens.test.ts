import { describe, expect, test } from "vitest";
import { Fields } from "../../http/index.ts";
import { drawToken, identifier, SUB_PROTOCOL, wrongToken } from "./tokens.ts";

const tokens = { agent: drawToken(), client: drawToken() };
const whois = identifier(tokens);
const ask = (...fields: [string, string][]) => whois(Fields.from(fields));

describe("tokens", () => {
  test("are 256 bits, each another, and fit as a sub-protocol", () => {
    expect(Buffer.from(tokens.agent, "base64url").length).toBe(32);
    expect(tokens.agent).not.toBe(tokens.client);
    expect(wrongToken(tokens.agent)).toBeUndefined();
  });

  test("tell who asks, in Authorization or among the sub-protocols", () => {
    expect(ask(["authorization", `Bearer ${tokens.agent}`])).toBe("agent");
    expect(ask(["authorization", `bearer ${tokens.client}`])).toBe("client");
    expect(ask(["sec-websocket-protocol", `${SUB_PROTOCOL}, token.${tokens.client}`])).toBe("client");
    expect(ask(["sec-websocket-protocol", SUB_PROTOCOL], ["sec-websocket-protocol", `token.${tokens.agent}`])).toBe("agent");
  });

  test.each([
    ["nothing", [], "nobody"],
    ["the sub-protocol alone", [["sec-websocket-protocol", SUB_PROTOCOL]], "nobody"],
    ["another scheme", [["authorization", `Basic ${tokens.client}`]], "nobody"],
    ["an empty token", [["sec-websocket-protocol", "token."]], "stranger"],
    ["a beginning of one", [["authorization", `Bearer ${tokens.client.slice(0, -1)}`]], "stranger"],
    ["one in other letters", [["authorization", `Bearer ${tokens.client.toLowerCase()}`]], "stranger"],
    [
      "two of them",
      [
        ["authorization", `Bearer ${tokens.client}`],
        ["sec-websocket-protocol", `token.${tokens.agent}`],
      ],
      "stranger",
    ],
  ] as [string, [string, string][], string][])("%s opens nothing", (_, fields, who) => {
    expect(ask(...fields)).toBe(who);
  });

  test.each(["short", "x".repeat(21), `${"x".repeat(40)} `, `${"x".repeat(40)},`])("%j is not taken as a token", (token) => {
    expect(wrongToken(token)).toMatch(/token/);
  });
});
