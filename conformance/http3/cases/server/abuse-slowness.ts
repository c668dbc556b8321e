import { get, getOn, handshake, permitted, post, send } from "../phrases.ts";
import { insert, prefix, line } from "../../../wire/qpack/build.ts";
import { octetsOn, sectionOf } from "../phrases.ts";
import type { Case, Row, Step } from "../../vocabulary.ts";

/** The server gives up the request, or ends the connection with any error. */
const ENDED: Case["allowed"] = [
  { see: { see: "stream error", on: "request", code: "any error" } },
  permitted({ see: "close", code: "any error" }, "rfc9114#10.5"),
  permitted({ see: "closed" }, "rfc9114#8"),
  permitted({ see: "response", on: "request", status: [400, 408] }, "rfc9114#4.1"),
];

/** A client that holds a connection by doing nothing. Each case states how long the server may wait, and ends as soon as the server acts. */
const slow = ({ steps, ...row }: Row<"steps" | "control">): Case => ({
  spec: "rfc9114#10.5",
  covers: ["rfc9114#10.5/track-and-limit"],
  level: "SHOULD",
  role: "server",
  group: "abuse",
  allowed: ENDED,
  fence: "none",
  steps,
  ...row,
});
const given = { see: "stream error", on: "request", code: "any error" } as const;
const wait = (ms: number): Step => ({ do: "wait", ms, until: given });
const TEN = Array.from({ length: 10 }, (_, n) => (n === 0 ? "request" : (`request ${n + 1}` as const)) as "request");
const CAPACITY = octetsOn("encoder", "a capacity", insert.capacity(200));

/** Slow clients (rfc9114#10.5). */
export const cases: readonly Case[] = [
  slow({
    id: "http3/abuse-no-settings",
    title: "The server waits at most 15 seconds for the client's SETTINGS.",
    steps: [{ do: "open", on: "control", kind: "control" }, wait(15_000)],
    control: [handshake],
  }),
  slow({
    id: "http3/abuse-slow-field-section",
    title: "The server waits at most 15 seconds for the rest of a field section.",
    steps: [handshake, send("request", { type: "HEADERS", length: 40, hex: "0000" }), wait(15_000)],
    control: [handshake, getOn("request")],
  }),
  slow({
    id: "http3/abuse-frame-that-never-ends",
    title: "The server waits at most 15 seconds for a request whose first frame is an unknown one of a gigabyte.",
    steps: [handshake, send("request", { type: 0x21, length: 1_073_741_824, hex: "00" }), wait(15_000)],
    control: [handshake, send("request", { type: 0x21, hex: "00" }), getOn("request")],
  }),
  slow({
    id: "http3/abuse-blocked-section",
    title: "The server waits at most 15 seconds for an insertion to which a request refers.",
    needs: ["blocked-streams"],
    steps: [handshake, CAPACITY, { do: "send", on: "request", frames: [sectionOf(prefix(2), line.dynamic(0))], end: true }, wait(15_000)],
    control: [handshake, CAPACITY, getOn("request")],
  }),
  slow({
    id: "http3/abuse-slow-content",
    title: "The server waits at most 90 seconds for the rest of a request's content.",
    needs: ["reads-content"],
    steps: [handshake, send("request", post(["content-length", "100"]), { type: "DATA", data: "c" }), wait(90_000)],
    control: [
      handshake,
      { do: "send", on: "request", frames: [post(["content-length", "7"]), { type: "DATA", data: "content" }], end: true },
    ],
  }),
  slow({
    id: "http3/abuse-window-never-opened",
    title: "The server holds the content of ten responses at most 35 seconds for a client that gives no credit.",
    needs: ["body"],
    windows: "closed",
    steps: [handshake, ...TEN.map((on) => getOn(on)), wait(35_000)],
    control: [handshake, ...TEN.map((on) => getOn(on))],
  }),
  slow({
    id: "http3/abuse-streams-held-open",
    title: "The server waits at most 15 seconds for 50 requests that have begun with an octet each.",
    steps: [
      handshake,
      { do: "octets", on: "request", hex: "01", note: "the type of HEADERS" },
      { do: "repeat", times: 49, frames: [{ type: 0x21, hex: "" }], after: "leave" },
      wait(15_000),
    ],
    control: [handshake, { do: "repeat", times: 49, frames: [get()] }],
  }),
];
