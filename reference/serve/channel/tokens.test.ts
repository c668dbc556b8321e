import { describe, expect, test } from "vitest";
import { Fields } from "../../http/index.ts";
import { authenticator, drawToken, SUBPROTOCOL, tokenProblem } from "./tokens.ts";

const tokens = { agent: drawToken(), client: drawToken() };
const authenticate = authenticator(tokens);
const roleOf = (...fields: [string, string][]) => authenticate(Fields.from(fields));

describe("tokens", () => {
  test("a drawn token: 256 bits, unique, and valid as a subprotocol", () => {
    expect(Buffer.from(tokens.agent, "base64url").length).toBe(32);
    expect(tokens.agent).not.toBe(tokens.client);
    expect(tokenProblem(tokens.agent)).toBeUndefined();
  });

  test("a valid token in Authorization or among the subprotocols: its role", () => {
    expect(roleOf(["authorization", `Bearer ${tokens.agent}`])).toBe("agent");
    expect(roleOf(["authorization", `bearer ${tokens.client}`])).toBe("client");
    expect(roleOf(["sec-websocket-protocol", `${SUBPROTOCOL}, token.${tokens.client}`])).toBe("client");
    expect(roleOf(["sec-websocket-protocol", SUBPROTOCOL], ["sec-websocket-protocol", `token.${tokens.agent}`])).toBe("agent");
  });

  test.each([
    ["no fields", [], "anonymous"],
    ["only the real subprotocol", [["sec-websocket-protocol", SUBPROTOCOL]], "anonymous"],
    ["another authentication scheme", [["authorization", `Basic ${tokens.client}`]], "anonymous"],
    ["an empty token", [["sec-websocket-protocol", "token."]], "unknown"],
    ["a truncated token", [["authorization", `Bearer ${tokens.client.slice(0, -1)}`]], "unknown"],
    ["a token in lower case", [["authorization", `Bearer ${tokens.client.toLowerCase()}`]], "unknown"],
    [
      "two valid tokens",
      [
        ["authorization", `Bearer ${tokens.client}`],
        ["sec-websocket-protocol", `token.${tokens.agent}`],
      ],
      "unknown",
    ],
  ] as [string, [string, string][], string][])("%s: no role", (_, fields, none) => {
    expect(roleOf(...fields)).toBe(none);
  });

  test.each(["short", "x".repeat(21), `${"x".repeat(40)} `, `${"x".repeat(40)},`])("%j: refused as a token", (token) => {
    expect(tokenProblem(token)).toMatch(/token/);
  });
});
