import type { Case, Sight } from "../../vocabulary.ts";
import { awaitAnswer as awaitStream, get as h2Get, http2 } from "./http2-phrases.ts";
import { all, answer, any, get, origin, permitted, response, send, awaitAnswer } from "./phrases.ts";
import {
  awaiting,
  came,
  connect,
  exactly,
  frame,
  HANDSHAKE,
  switched,
  SWITCHES,
  TEXT,
  awaitSwitch,
  open,
  opens,
} from "./websocket-phrases.ts";

/** RFC 9110, section 7.8, and RFC 8441, section 3: a proxy that offers a WebSocket, and what it does when the origin agrees. */

const reply = frame(TEXT, "world");
/** The frame came through the tunnel on this connection. */
const cameOn = (on: number): Sight => ({ see: "tunnel octets", pattern: exactly(reply), on });
/** A WebSocket outlives the time that a response may take: here, that of the embedded proxy. */
const LONG_MS = 1_300;

export const cases: readonly Case[] = [
  {
    id: "http1/proxy-ws-offered-and-agreed",
    spec: "rfc9110#7.8",
    covers: ["rfc9110#7.8/relayed"],
    level: "SHOULD",
    role: "proxy",
    needs: ["upgrade forwarded"],
    fence: "new",
    title: "The proxy that forwards the Upgrade of a WebSocket opens it when the origin agrees.",
    steps: [origin(SWITCHES + reply), send(HANDSHAKE), awaitSwitch, { do: "wait", ms: 250, until: came(reply) }],
    control: [origin(response("ok")), send(get()), awaitAnswer],
    allowed: [{ see: all(switched, came(reply)) }],
  },
  {
    id: "http1/proxy-ws-second-at-once",
    spec: "rfc9110#15.6.4",
    covers: ["rfc9110#7.8/relayed"],
    level: "MAY",
    role: "proxy",
    needs: ["websocket"],
    fence: "new",
    title: "The proxy opens a second WebSocket beside the first, or answers 5xx until that has ended.",
    steps: [
      origin(SWITCHES + reply),
      send(HANDSHAKE),
      awaiting(any(came(reply), { see: "response" }, { see: "connection closed" })),
      send(HANDSHAKE, { on: 2 }),
      awaiting(any(cameOn(2), { see: "response", on: 2 }, { see: "connection closed", on: 2 })),
      { do: "close" },
      awaiting({ see: "origin closed", nth: 1 }),
      send(HANDSHAKE, { on: 3 }),
      awaiting(any(cameOn(3), { see: "response", on: 3 }, { see: "connection closed", on: 3 })),
    ],
    control: opens,
    allowed: [
      { see: all(came(reply), cameOn(2), cameOn(3)) },
      permitted(all(came(reply), { see: "response", on: 2, status: ["5xx"] }, cameOn(3)), "rfc9110#15.6.4"),
      permitted(
        all(came(reply), { see: "response", on: 2, status: ["5xx"] }, { see: "response", on: 3, status: ["5xx"] }),
        "rfc9110#15.6.4",
        "warn",
      ),
    ],
  },
  {
    id: "http1/proxy-ws-after-a-pause",
    spec: "rfc9110#7.8",
    covers: ["rfc9110#7.8/relayed"],
    level: "SHOULD",
    role: "proxy",
    needs: ["websocket"],
    fence: "new",
    title: "The proxy still relays the octets of a WebSocket after a pause.",
    steps: [
      ...open,
      { do: "wait", ms: LONG_MS, until: { see: "connection closed" } },
      { do: "origin send", text: reply },
      awaiting(any(came(reply), { see: "connection closed" })),
    ],
    control: opens,
    allowed: [{ see: came(reply) }],
  },
  {
    id: "http1/proxy-h2-ws-announced-and-agreed",
    spec: "rfc8441#3",
    covers: ["rfc8441#3/announced-served"],
    level: "SHOULD",
    role: "proxy",
    needs: ["extended connect", "http2 front"],
    fence: "new",
    title: "The proxy that announces extended CONNECT opens a WebSocket for it when the origin agrees.",
    steps: [
      origin(SWITCHES),
      http2(connect()),
      awaiting(
        any(
          answer(),
          { see: "response", status: ["2xx"] },
          { see: "stream reset", stream: 1 },
          { see: "goaway" },
          { see: "connection closed" },
        ),
      ),
    ],
    control: [origin(response("ok")), http2(h2Get()), awaitStream],
    allowed: [{ see: { see: "response", status: [200] } }],
  },
];
