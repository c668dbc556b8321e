import { describe, expect, test } from "vitest";
import { expanded } from "./expand.ts";
import { comesBack, comesBackWith, field, framesOnly, holds, offering, open, send, text } from "./phrases.ts";
import type { Case, Handshake, Sight } from "../vocabulary.ts";

const base = {
  id: "websocket/x",
  spec: "rfc6455#5.2",
  covers: ["rfc6455#5.2/rsv"],
  level: "MUST",
  role: "server",
  title: "It is so.",
} as const;
const plain: Case = { ...base, ...framesOnly(text("Hello")), allowed: comesBack };
const opening = (handshake: Handshake): Case => ({ ...plain, steps: [open(handshake), send(text("Hello"))] });
const seeing = (see: Sight): Case => ({ ...plain, allowed: comesBackWith(see) });
const twins = (c: Case): string[] => expanded([c]).map(({ id }) => id);

describe("a case over HTTP/2", () => {
  test("is the same with its own id, title and needs", () => {
    const [first, second] = expanded([{ ...plain, needs: ["deflate", "tls"] }]);
    expect(first).toEqual({ ...plain, needs: ["deflate", "tls"] });
    expect(second).toMatchObject({ id: "websocket/http2-x", title: "Over HTTP/2: It is so.", over: "http2", steps: plain.steps });
    expect(second?.needs).toEqual(["http2", "deflate over http2", "tls"]);
    expect(second?.covers).toEqual(["rfc6455#5.2/rsv", "rfc8441#5/stream-as-connection"]);
  });

  test.each([
    ["a subprotocol or an extension", opening(offering("client_max_window_bits"))],
    ["another version", opening({ instead: { "Sec-WebSocket-Version": "12" } })],
    ["an origin", opening({ more: ["Origin: null"] })],
    ["a response field of both versions", seeing({ see: "handshake", fields: [field("sec-websocket-protocol", "^chat$")] })],
  ])("exists for a handshake with %s", (_, c) => {
    expect(twins(c)).toEqual(["websocket/x", "websocket/http2-x"]);
  });

  test.each([
    ["a request line", opening({ start: "GET {path} HTTP/1.0" })],
    ["content", opening({ content: "x" })],
    ["a key of its own", opening({ instead: { "Sec-WebSocket-Key": "none" } })],
    ["a connection-specific field", opening({ more: ["Connection: close"] })],
    ["octets that are invalid in HTTP/2 fields", opening({ more: ["Origin: a\u0000b"] })],
    ["a cut", { ...plain, steps: [{ do: "open", cut: 7 }] } satisfies Case],
    ["text of HTTP/1.1", { ...plain, steps: [{ do: "text", text: "GET" }] } satisfies Case],
    ["an accept value", seeing(holds("correct Sec-WebSocket-Accept"))],
    ["Upgrade in the response", seeing({ see: "not", of: { see: "handshake", fields: [field("Upgrade", ".")] } })],
    ["the status 101", seeing({ see: "any", of: [{ see: "handshake", status: [101] }] })],
    ["an end in place of the response", { ...plain, role: "client", steps: [{ do: "half-close" }] } satisfies Case],
    ["a case that is already over HTTP/2", { ...plain, over: "http2" } satisfies Case],
  ])("does not exist for %s", (_, c) => {
    expect(twins(c)).toEqual(["websocket/x"]);
  });
});
