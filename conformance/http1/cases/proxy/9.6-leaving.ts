import type { Case } from "../../vocabulary.ts";
import { FRONT, get as h2Get, http2 } from "./http2-phrases.ts";
import { answer, any, atOrigin, awaitAnswer, get, origin, permitted, response, send } from "./phrases.ts";

/** RFC 9112, sections 9.5 and 9.6: a client that leaves, or ends its half, while the proxy waits for the origin. */

const arrived = { do: "await", see: atOrigin({}) } as const;
/** An origin that has not answered yet. */
const WAITING = origin("none");
/** Longer than a proxy needs to notice the end of a connection. */
const LATE_MS = 100;
const closed = { see: "origin closed" } as const;
/** Sooner than a proxy gives up by itself because the origin is silent. */
const soonClosed = { do: "wait", ms: 500, until: closed } as const;

export const cases: readonly Case[] = [
  {
    id: "http1/proxy-client-resets",
    spec: "rfc9112#9.5",
    covers: ["rfc9112#9.5/client-gone"],
    level: "SHOULD",
    role: "proxy",
    fence: "new",
    title: "The proxy gives up its request to the origin when the client resets its connection.",
    steps: [WAITING, send(get()), arrived, { do: "reset" }, soonClosed],
    control: [origin(response("ok")), send(get()), awaitAnswer],
    allowed: [{ see: closed }],
  },
  {
    id: "http1/proxy-h2-stream-cancelled",
    spec: "rfc9112#9.5",
    covers: ["rfc9112#9.5/client-gone"],
    level: "SHOULD",
    ...FRONT,
    fence: "new",
    title: "The proxy gives up its request to the origin when the client resets its stream.",
    steps: [WAITING, http2(h2Get()), arrived, http2({ type: "RST_STREAM", stream: 1, code: "CANCEL" }), soonClosed],
    control: [origin(response("ok")), http2(h2Get()), awaitAnswer],
    allowed: [{ see: closed }],
  },
  {
    id: "http1/proxy-half-closed-client-answered",
    spec: "rfc9112#9.6",
    covers: ["rfc9112#9.6/half-close"],
    level: "SHOULD NOT",
    role: "proxy",
    fence: "new",
    title: "The proxy does not take the client's half-close to mean that the response is unwanted.",
    steps: [
      WAITING,
      send(get()),
      arrived,
      { do: "half-close" },
      { do: "wait", ms: LATE_MS, until: { see: "connection closed" } },
      { do: "origin send", text: response("ok") },
      { do: "await", see: any(answer(), { see: "connection closed" }) },
    ],
    control: [WAITING, send(get()), arrived, { do: "origin send", text: response("ok") }, awaitAnswer],
    allowed: [{ see: answer({ status: [200], body: "ok" }) }, permitted(answer({ status: ["5xx"] }), "rfc9110#15.6", "warn")],
  },
];
