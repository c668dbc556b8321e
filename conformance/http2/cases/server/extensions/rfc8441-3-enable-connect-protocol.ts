import { get, handshake, malformedFields, permitted, request, send } from "../../phrases.ts";
import type { Case, FrameSpec, Outcome } from "../../../vocabulary.ts";

const setting = (value: number): FrameSpec => ({ type: "SETTINGS", settings: [["ENABLE_CONNECT_PROTOCOL", value]] });
const ACCEPTED: Outcome = { see: { see: "accepted" } };
/** The specification forbids the value to senders, so a server may treat it as an error; it also says that servers ignore the setting. */
const objected = permitted({ see: "GOAWAY", code: "PROTOCOL_ERROR" }, "rfc8441#3");

/** SETTINGS_ENABLE_CONNECT_PROTOCOL (rfc8441#3). */
export const cases: readonly Case[] = [
  {
    id: "http2/enable-connect-protocol-from-client",
    spec: "rfc8441#3",
    covers: ["rfc8441#3/no-effect-on-server"],
    level: "MUST",
    role: "server",
    title: "The server accepts ENABLE_CONNECT_PROTOCOL from a client, without effect.",
    steps: [{ do: "handshake", settings: [["ENABLE_CONNECT_PROTOCOL", 1]] }, send(get(1))],
    control: [handshake, send(get(1))],
    allowed: [{ see: { see: "all", of: [{ see: "accepted" }, { see: "response", stream: 1 }] } }],
  },
  {
    id: "http2/enable-connect-protocol-of-two",
    spec: "rfc8441#3",
    covers: ["rfc8441#3/no-effect-on-server", "rfc8441#3/value-refused"],
    level: "MUST",
    role: "server",
    title: "The server ignores ENABLE_CONNECT_PROTOCOL of 2 from a client, or reports PROTOCOL_ERROR.",
    steps: [handshake, send(setting(2))],
    control: [handshake, send(setting(1))],
    allowed: [ACCEPTED, objected],
  },
  {
    id: "http2/enable-connect-protocol-taken-back",
    spec: "rfc8441#3",
    covers: ["rfc8441#3/no-effect-on-server", "rfc8441#3/not-taken-back"],
    level: "MUST",
    role: "server",
    title: "The server ignores ENABLE_CONNECT_PROTOCOL of 0 after 1 from a client, or reports PROTOCOL_ERROR.",
    steps: [handshake, send(setting(1), setting(0))],
    control: [handshake, send(setting(1), setting(1))],
    allowed: [ACCEPTED, objected],
  },
  {
    id: "http2/enable-connect-protocol-announced-once-and-for-all",
    spec: "rfc8441#3",
    covers: ["rfc8441#3/value", "rfc8441#3/not-taken-back"],
    level: "MUST",
    role: "server",
    needs: ["extended-connect"],
    title: "The server sends ENABLE_CONNECT_PROTOCOL of 1, and does not change it to 0.",
    steps: [handshake, send(get(1))],
    control: [handshake, send(get(1))],
    allowed: [{ see: { see: "accepted without", not: [{ see: "frame", type: "SETTINGS", where: { ENABLE_CONNECT_PROTOCOL: 0 } }] } }],
  },
  {
    id: "http2/protocol-without-the-setting",
    spec: "rfc8441#3",
    covers: ["rfc8441#3/without-opt-in"],
    level: "SHOULD",
    needs: ["no-extended-connect"],
    title: "The server without ENABLE_CONNECT_PROTOCOL treats a request with :protocol as malformed.",
    ...malformedFields([...request("CONNECT"), [":protocol", "websocket"]], request()),
    allowed: [
      { see: { see: "RST_STREAM", stream: 1, code: "PROTOCOL_ERROR" } },
      // A response that rejects the method is as good: there is no tunnel.
      permitted({ see: "response", stream: 1, status: [400, 403, 405, 421, 501, 502, 503] }, "rfc9113#8.1.1"),
      permitted({ see: "GOAWAY", code: "PROTOCOL_ERROR" }, "rfc9113#5.4.1"),
      permitted({ see: "closed" }, "rfc9113#5.4.1", "warn"),
    ],
  },
];
