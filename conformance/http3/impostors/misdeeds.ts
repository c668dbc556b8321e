import { fromHex } from "../../wire/octets.ts";
import type { FieldSpec, FrameSpec } from "../vocabulary.ts";
import type { ServerFlaw } from "./flaw.ts";
import type { Flaw, Peer } from "./peer.ts";

/** Servers that send what they must not send. */

const adds = (about: string, add: NonNullable<Flaw["adds"]>): ServerFlaw => ({ about, adds: add });
const onControl = (about: string, ...frames: FrameSpec[]): ServerFlaw => adds(about, (peer) => peer.control(...frames));
const head = (about: string, rewrite: NonNullable<ServerFlaw["head"]>): ServerFlaw => ({ about, head: rewrite });
const answers = (about: string, rewrite: (frames: readonly FrameSpec[]) => readonly FrameSpec[], end = true): ServerFlaw => ({
  about,
  answers: (frames) => ({ frames: rewrite(frames), end }),
});
const raw = (peer: Peer, kind: "encoder" | "decoder", hex: string): void => {
  const stream = peer.ours.get(kind);
  if (stream !== undefined) peer.wire.octets(stream, fromHex(hex), "octets");
};
const replaced = (fields: readonly FieldSpec[], name: string, ...by: FieldSpec[]): FieldSpec[] =>
  fields.flatMap((field) => (field[0] === name ? by : [field]));
const isHead = ({ fields = [] }: FrameSpec): boolean => fields.some(([name, value]) => name === ":status" && value !== "103");

export const MISDEEDS: Readonly<Record<string, ServerFlaw>> = {
  "two-control-streams": adds("opens two control streams", (peer) => void peer.openTyped("control")),
  "two-encoder-streams": adds("opens two encoder streams", (peer) => void peer.openTyped("encoder")),
  "two-decoder-streams": adds("opens two decoder streams", (peer) => void peer.openTyped("decoder")),
  "settings-second": {
    about: "begins its control stream with another frame than SETTINGS",
    begins: (peer) => {
      const stream = peer.openTyped("control");
      if (stream !== undefined) peer.wire.send(stream, [{ type: 0x21, hex: "00" }, { type: "SETTINGS" }]);
      return true;
    },
  },
  "settings-late": {
    about: "sends SETTINGS only when those of the client have come",
    begins: () => true,
    meets: (observed, peer) => {
      if (observed.is === "frame" && observed.frame.type === "SETTINGS") peer.openCritical();
      return undefined;
    },
  },
  "settings-twice": onControl("sends SETTINGS twice", { type: "SETTINGS" }),
  "a-setting-twice": {
    about: "announces a setting twice",
    settings: [
      ["MAX_FIELD_SECTION_SIZE", 16_384],
      ["MAX_FIELD_SECTION_SIZE", 16_384],
    ],
  },
  "a-setting-of-http2": { about: "announces a setting of HTTP/2", settings: [[0x3, 100]] },
  "a-switch-of-two": { about: "announces ENABLE_CONNECT_PROTOCOL=2", settings: [["ENABLE_CONNECT_PROTOCOL", 2]] },
  "a-frame-of-http2": onControl("sends PING of HTTP/2", { type: 0x6, hex: "0102030405060708" }),
  "headers-on-control": onControl("sends HEADERS on its control stream", { type: "HEADERS", fields: [["x-name", "1"]] }),
  "max-push-id": onControl("sends MAX_PUSH_ID", { type: "MAX_PUSH_ID", id: 1 }),
  "frame-too-long": onControl("sends CANCEL_PUSH with an octet too many", { type: "CANCEL_PUSH", id: 1, hex: "00" }),
  "settings-on-requests": answers("sends SETTINGS with its responses", (frames) => [...frames, { type: "SETTINGS" }]),
  "frame-cut": answers("ends a response within a frame", (frames) => [...frames, { type: 0x21, length: 9, hex: "00" }]),
  "data-first": answers("sends content before the header section", (frames) => [{ type: "DATA", data: "early" }, ...frames]),
  "data-last": answers("sends content after the trailers", (frames) => [
    ...frames,
    { type: "HEADERS", fields: [["x-sum", "1"]] },
    { type: "DATA", data: "late" },
  ]),
  "content-with-head": answers("sends content with every response", (frames) =>
    frames.some(({ type }) => type === "DATA") ? frames : [...frames, { type: "DATA", data: "content" }],
  ),
  "two-responses": answers("sends two final responses", (frames) => frames.flatMap((frame) => (isHead(frame) ? [frame, frame] : [frame]))),
  "no-end": answers("does not end a stream after the response", (frames) => frames, false),
  "bad-section": answers("sends a section that refers to no entry", (frames) => [...frames, { type: "HEADERS", hex: "000080" }]),
  "a-bidirectional-stream": adds("opens a bidirectional stream", (peer) => {
    const stream = peer.wire.open("bidirectional");
    if (stream !== undefined) peer.wire.send(stream, [{ type: 0x21 }]);
  }),
  "a-push-stream": adds("opens a push stream that nobody has permitted", (peer) => {
    const stream = peer.openTyped("push");
    if (stream !== undefined) peer.wire.octets(stream, Uint8Array.of(0), "push ID 0");
  }),
  "a-promise": answers("promises a push that nobody has permitted", (frames) => [
    { type: "PUSH_PROMISE", id: 0, fields: [[":method", "GET"]] },
    ...frames,
  ]),
  "ends-control": adds("ends its control stream", (peer) => peer.wire.finish(peer.ours.get("control") ?? 0)),
  "stops-control": {
    about: "asks for the end of the control stream",
    meets: (observed, peer) => {
      if (observed.is === "opened" && observed.kind === "control") peer.wire.stop(observed.stream, "H3_NO_ERROR");
      return undefined;
    },
  },
  "stops-unknown-streams": {
    about: "stops streams of unknown types with H3_INTERNAL_ERROR",
    meets: (observed, peer) => {
      if (observed.is === "opened" && observed.kind.startsWith("0x")) peer.wire.stop(observed.stream, "H3_INTERNAL_ERROR");
      return undefined;
    },
  },
  "stops-streams-without-type": {
    about: "stops streams before their type has come",
    feels: (event, peer) => {
      if (event.is === "opened" && event.stream % 4 >= 2) peer.wire.stop(event.stream, "H3_NO_ERROR");
      return undefined;
    },
  },
  "inserts-without-table": adds("inserts although no table is permitted", (peer) => raw(peer, "encoder", "20")),
  "inserts-nonsense": adds("duplicates an entry that does not exist", (peer) => raw(peer, "encoder", "05")),
  "names-in-upper-case": head("sends field names in upper case", (fields) => replaced(fields, "server", ["Server", "impostor"])),
  "connection-field": head("sends Connection", (fields) => [...fields, ["connection", "keep-alive"]]),
  "bad-value": head("sends LF in a field value", (fields) => [...fields, ["x-name", "a\nb"]]),
  "no-status": head("sends no :status", (fields) => replaced(fields, ":status")),
  "late-status": head("sends :status after a regular field", (fields) => [...fields.slice(1), ...fields.slice(0, 1)]),
  "a-path-in-a-response": head("sends :path in a response", (fields) => [...fields, [":path", "/"]]),
  "status-101": answers("sends 101", (frames) => [{ type: "HEADERS", fields: [[":status", "101"]] }, ...frames]),
  "wrong-content-length": head("announces more content than it sends", (fields) =>
    replaced(fields, "content-length", ["content-length", "9999"]),
  ),
  "few-requests": {
    about: "closes a connection after two requests",
    meets: (observed) =>
      observed.is === "opened" && observed.kind === "request" && observed.stream >= 8 ? { close: "H3_NO_ERROR" } : undefined,
  },
  "ten-requests": {
    about: "rejects all requests of a connection after the tenth",
    meets: (observed) =>
      observed.is === "opened" && observed.kind === "request" && observed.stream >= 40 ? { reset: "H3_REQUEST_REJECTED" } : undefined,
  },
  "one-at-a-time": {
    about: "answers a request only if all earlier ones are complete",
    meets: ({ is, ...one }, peer) => {
      if (is !== "end" || !("stream" in one)) return undefined;
      const isOver = (stream: number): boolean => peer.seen.some((seen) => seen.is === "end" && seen.stream === stream);
      const begun = peer.seen.flatMap((seen) => (seen.is === "opened" && seen.kind === "request" ? [seen.stream] : []));
      return begun.some((stream) => stream < one.stream && !isOver(stream)) ? "ignore" : undefined;
    },
  },
  "fifty-streams": { about: "permits fifty request streams", limits: { bidirectionalStreams: 50 } },
  "refuses-early-requests": {
    about: "treats a request before SETTINGS as an error",
    meets: (observed, peer) =>
      observed.is === "opened" && observed.kind === "request" && !peer.wire.hasTheirSettings ? { close: "H3_MISSING_SETTINGS" } : undefined,
  },
  // It fails every case, so it comes last.
  "few-streams": { about: "permits two unidirectional streams", limits: { unidirectionalStreams: 2 } },
};
