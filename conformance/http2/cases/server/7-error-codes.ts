import { get, halfClosedRemote, handshake, openStreamWindows, permitted, send } from "../phrases.ts";
import type { Case, ErrorName, Outcome, Row } from "../../vocabulary.ts";

const answeredAll: Outcome["see"] = { see: "response", stream: 1, complete: true };

const reset = ({ code, ...row }: Row & { readonly code: ErrorName | number }): Case => ({
  spec: "rfc9113#7",
  covers: ["rfc9113#7/unknown-codes", "rfc9113#7/unknown-as-internal", "rfc9113#5.5/unknown-ignored"],
  level: "MUST NOT",
  role: "server",
  needs: ["body"],
  steps: [...halfClosedRemote, send({ type: "RST_STREAM", stream: 1, code }, openStreamWindows)],
  control: [...halfClosedRemote, send({ type: "RST_STREAM", stream: 1, code: "CANCEL" }, openStreamWindows)],
  allowed: [{ see: { see: "accepted without", not: [{ see: "frame", type: "DATA", stream: 1 }] } }],
  ...row,
});
/** A client's GOAWAY names streams of the server: its own requests still complete. */
const goaway = ({ code, ...row }: Row & { readonly code: ErrorName | number }): Case => ({
  spec: "rfc9113#7",
  covers: ["rfc9113#7/unknown-codes", "rfc9113#6.8/graceful-completes"],
  level: "MUST NOT",
  role: "server",
  steps: [handshake, send(get(1), { type: "GOAWAY", last: 0, code })],
  control: [handshake, send(get(1))],
  fence: { stream: 1 },
  allowed: [
    { see: answeredAll },
    permitted({ see: "all", of: [answeredAll, { see: "closed" }] }, "rfc9113#6.8"),
    // A server that also leaves before it answers sends GOAWAY with NO_ERROR.
    permitted({ see: "all", of: [{ see: "frame", type: "GOAWAY", where: { code: "NO_ERROR" } }, { see: "closed" }] }, "rfc9113#5.4.1"),
  ],
  ...row,
});

/** Error codes (rfc9113#7). */
export const cases: readonly Case[] = [
  reset({
    id: "http2/reset-with-unknown-code",
    title: "The server treats RST_STREAM with an unknown code as any other reset.",
    code: 0xff,
  }),
  reset({
    id: "http2/reset-with-largest-code",
    title: "The server treats RST_STREAM with code 2^32-1 as any other reset.",
    code: 0xffff_ffff,
  }),
  reset({
    id: "http2/reset-with-connection-code",
    title: "The server treats RST_STREAM with a code meant for connections as any other reset.",
    code: "SETTINGS_TIMEOUT",
  }),
  goaway({
    id: "http2/goodbye-with-unknown-code",
    title: "The server completes its response after GOAWAY with an unknown code.",
    code: 0xff,
  }),
  goaway({
    id: "http2/goodbye-with-largest-code",
    title: "The server completes its response after GOAWAY with code 2^32-1.",
    code: 0xffff_ffff,
  }),
];
