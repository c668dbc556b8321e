import { attackStopped, data, FLOOD_BUDGET, get, handshake, permitted, post, request, send } from "../phrases.ts";
import type { Case, FrameSpec, Row, Step } from "../../vocabulary.ts";

/** What every attack has in common: legal elements in harmful numbers (rfc9114#10.5), far above what any honest client sends. */
const flood = ({ steps, control, ...row }: Row & { readonly steps: readonly Step[]; readonly control: readonly Step[] }): Case => ({
  spec: "rfc9114#10.5",
  covers: ["rfc9114#10.5/track-and-limit", "rfc9114#10.5/excessive-load"],
  level: "SHOULD",
  role: "server",
  group: "abuse",
  budget: FLOOD_BUDGET,
  steps: [handshake, ...steps],
  control: [handshake, ...control],
  allowed: attackStopped(),
  ...row,
});

/** The frames so many times on one stream; the control sends five of them. */
const onOne = ({
  on,
  times,
  frames,
  before = [],
  ...row
}: Row & {
  readonly on: "control" | "request";
  readonly times: number;
  readonly frames: readonly FrameSpec[];
  readonly before?: readonly Step[];
}): Case =>
  flood({
    steps: [...before, { do: "repeat on", on, times, frames }],
    control: [...before, { do: "repeat on", on, times: 5, frames }],
    ...(on === "request" ? { allowed: orStopped } : {}),
    ...row,
  });
/** A flood on one request may also be stopped by giving that up. */
const orStopped: Case["allowed"] = attackStopped(
  permitted({ see: "stream error", on: "request", code: "any error" }, "rfc9114#10.5"),
  permitted({ see: "response", on: "request", status: ["4xx"] }, "rfc9114#4.1"),
);

const UNKNOWN: FrameSpec = { type: 0x21, hex: "" };
const OPEN: readonly Step[] = [send("request", post())];
const [method, scheme, authority] = request();
const WITHOUT_PATH: FrameSpec = { type: "HEADERS", fields: [method!, scheme!, authority!] };

/** Floods of frames, streams and requests (rfc9114#10.5). */
export const cases: readonly Case[] = [
  onOne({
    id: "http3/abuse-unknown-frame-flood-on-the-control-stream",
    title: "The server stops a flood of 10,000 frames of an unknown type on the control stream.",
    on: "control",
    times: 10_000,
    frames: [UNKNOWN],
    controlBreaks: "rfc9114#9/unknown-ignored",
  }),
  onOne({
    id: "http3/abuse-unknown-frame-flood-on-a-request",
    title: "The server stops a flood of 10,000 frames of an unknown type on a request stream.",
    on: "request",
    times: 10_000,
    frames: [UNKNOWN],
    before: OPEN,
  }),
  onOne({
    id: "http3/abuse-empty-data-flood",
    title: "The server stops a flood of 10,000 empty DATA frames.",
    on: "request",
    times: 10_000,
    frames: [data("")],
    before: OPEN,
  }),
  onOne({
    id: "http3/abuse-priority-update-flood",
    title: "The server that supports RFC 9218 stops a flood of 10,000 PRIORITY_UPDATE frames.",
    needs: ["priority-update"],
    on: "control",
    times: 10_000,
    frames: [{ type: "PRIORITY_UPDATE", id: 0, text: "u=1" }],
  }),
  onOne({
    id: "http3/abuse-goaway-flood",
    title: "The server stops a flood of 10,000 GOAWAY frames with the same identifier.",
    on: "control",
    times: 10_000,
    frames: [{ type: "GOAWAY", id: 0 }],
  }),
  onOne({
    id: "http3/abuse-max-push-id-flood",
    title: "The server stops a flood of 10,000 MAX_PUSH_ID frames with the same identifier.",
    on: "control",
    times: 10_000,
    frames: [{ type: "MAX_PUSH_ID", id: 1 }],
  }),
  flood({
    id: "http3/abuse-unknown-stream-flood",
    title: "The server stops a client that opens and ends 2,000 streams of an unknown type.",
    steps: [{ do: "repeat", times: 2_000, kind: 0x21, frames: [] }],
    control: [{ do: "repeat", times: 5, kind: 0x21, frames: [] }],
  }),
  flood({
    id: "http3/abuse-rapid-reset",
    title: "The server stops a flood of 5,000 requests that are reset immediately (CVE-2023-44487 over HTTP/3).",
    steps: [{ do: "repeat", times: 5_000, frames: [get()], after: "reset" }],
    control: [{ do: "repeat", times: 5, frames: [get()] }],
  }),
  flood({
    id: "http3/abuse-rapid-reset-within-a-frame",
    title: "The server stops a flood of 5,000 streams that are reset within their first frame.",
    steps: [{ do: "repeat", times: 5_000, frames: [{ type: "HEADERS", length: 40, hex: "0000" }], after: "reset" }],
    control: [{ do: "repeat", times: 5, frames: [get()] }],
  }),
  flood({
    id: "http3/abuse-malformed-requests",
    title: "The server stops a flood of 2,000 malformed requests, each of which makes it reset a stream (CVE-2025-8671 over HTTP/3).",
    steps: [{ do: "repeat", times: 2_000, frames: [WITHOUT_PATH] }],
    control: [{ do: "repeat", times: 5, frames: [get()] }],
  }),
  flood({
    id: "http3/abuse-streams-without-requests",
    title: "The server stops a flood of 2,000 request streams that end without a frame.",
    steps: [{ do: "repeat", times: 2_000, frames: [] }],
    control: [{ do: "repeat", times: 5, frames: [get()] }],
  }),
];
