import { data, get, getOn, handshake, post, send } from "../phrases.ts";
import type { Case, Row, Step } from "../../vocabulary.ts";

/** A request of which the client gives up a part. */
const givesUp = ({ steps, ...row }: Row<"covers" | "steps">): Case => ({
  spec: "rfc9114#4.1.1",
  level: "SHOULD",
  role: "server",
  steps: [handshake, ...steps],
  control: [handshake, getOn("request")],
  // The answer to a request that was given up may be given up, too.
  allowed: [{ see: { see: "accepted" } }, { see: { see: "all", of: [{ see: "reset", on: "request" }, served] }, by: "rfc9114#4.1.1" }],
  ...row,
});
const served = { see: "response", on: "request 2", complete: true } as const;
const next: Step = getOn("request 2");
const nextDone: Step = { do: "await", see: served };

/** Requests that the client gives up (rfc9114#4.1.1). */
export const cases: readonly Case[] = [
  givesUp({
    id: "http3/request-reset-by-client",
    title: "The server goes on after a request that the client has reset.",
    covers: ["rfc9114#4.1.1/either-cancels"],
    steps: [send("request", post(), data()), { do: "reset", on: "request", code: "H3_REQUEST_CANCELLED" }, next, nextDone],
  }),
  givesUp({
    id: "http3/request-reset-before-headers",
    title: "The server goes on after a request stream that is reset within its first frame.",
    covers: ["rfc9114#4.1.1/either-cancels"],
    steps: [
      send("request", { type: "HEADERS", length: 40, hex: "0000" }),
      { do: "reset", on: "request", code: "H3_REQUEST_CANCELLED" },
      next,
      nextDone,
    ],
  }),
  givesUp({
    id: "http3/request-reset-within-data",
    title: "The server goes on after a request that is reset within a DATA frame.",
    covers: ["rfc9114#4.1.1/either-cancels"],
    steps: [
      send("request", post(), { type: "DATA", length: 100, data: "content" }),
      { do: "reset", on: "request", code: "H3_REQUEST_CANCELLED" },
      next,
      nextDone,
    ],
  }),
  givesUp({
    id: "http3/response-stopped-by-client",
    title: "The server goes on when the client asks for the end of a response.",
    covers: ["rfc9114#4.1.1/either-cancels"],
    steps: [send("request", post()), { do: "stop", on: "request", code: "H3_REQUEST_CANCELLED" }, next, nextDone],
  }),
  givesUp({
    id: "http3/request-cancelled-in-both-directions",
    title: "The server goes on when the client cancels a request in both directions.",
    covers: ["rfc9114#4.1.1/either-cancels"],
    steps: [
      send("request", post()),
      { do: "reset", on: "request", code: "H3_REQUEST_CANCELLED" },
      { do: "stop", on: "request", code: "H3_REQUEST_CANCELLED" },
      next,
      nextDone,
    ],
  }),
  givesUp({
    id: "http3/request-reset-with-unknown-code",
    title: "The server treats an unknown code of a reset like H3_NO_ERROR.",
    spec: "rfc9114#8",
    level: "MUST",
    covers: ["rfc9114#8/unknown-codes", "rfc9114#9/unknown-ignored"],
    steps: [send("request", post()), { do: "reset", on: "request", code: 0x1f * 77 + 0x21 }, next, nextDone],
  }),
  givesUp({
    id: "http3/response-stopped-with-unknown-code",
    title: "The server treats an unknown code of STOP_SENDING like H3_NO_ERROR.",
    spec: "rfc9114#8",
    level: "MUST",
    covers: ["rfc9114#8/unknown-codes", "rfc9114#9/unknown-ignored"],
    steps: [send("request", post()), { do: "stop", on: "request", code: 0xbad }, next, nextDone],
  }),
  givesUp({
    id: "http3/request-reset-with-a-code-out-of-place",
    title: "The server treats a code of the connection in a reset like H3_NO_ERROR.",
    spec: "rfc9114#8",
    level: "MUST",
    covers: ["rfc9114#8/unknown-codes"],
    steps: [send("request", get()), { do: "reset", on: "request", code: "H3_MISSING_SETTINGS" }, next, nextDone],
  }),
];
