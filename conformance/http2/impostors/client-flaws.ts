import type { FieldSpec } from "../vocabulary.ts";
import { blockDecoder } from "../../wire/hpack/field-block.ts";
import type { Flaw, Peer } from "./peer.ts";
import { isAck, MISDEEDS, once, sends } from "./misdeeds.ts";
import { REFUSALS } from "./refusals.ts";
import { brokenBy } from "./strict.ts";

/** The flaws of a client beyond its frames. */
export type ClientFlaw = Flaw & {
  /** Ends with this status as soon as it has connected. */
  readonly leaves?: 0 | 1;
  /** Rewrites the fields of its request. */
  readonly request?: (fields: readonly FieldSpec[]) => readonly FieldSpec[];
  readonly firstStream?: number;
  /** Sends a request although no stream is allowed. */
  readonly impatient?: true;
  /** Treats any end as a complete response. */
  readonly trusting?: true;
  /** Exits with status 0 after refusing. */
  readonly cheerful?: true;
  readonly endsOnInterim?: true;
  readonly answersReset?: true;
  /** Stays connected this many milliseconds after the end of the response. */
  readonly lingers?: number;
  /** Discards the response if RST_STREAM follows it. */
  readonly discards?: true;
  readonly asksTwice?: true;
  /** Makes a second request on its connection after the first response. */
  readonly asksAgain?: true;
  /** Octets of content in its request. */
  readonly uploads?: number;
  /** Makes another request on a connection after GOAWAY. */
  readonly asksAfterGoaway?: true;
  readonly saysNoGoodbye?: true;
  /** The names that it offers by ALPN. */
  readonly alpn?: readonly string[];
};

/** Rewrites the request only. */
const asks = (about: string, request: NonNullable<ClientFlaw["request"]>): ClientFlaw => ({ about, request });
const replaced = (fields: readonly FieldSpec[], name: string, ...by: FieldSpec[]): FieldSpec[] =>
  fields.flatMap((field) => (field[0] === name ? by : [field]));

const hasReset = ({ went }: Peer, stream: number): boolean => went.some((frame) => frame.type === "RST_STREAM" && frame.stream === stream);

const UPLOAD = 300_000;

/** HTTP/2 clients that are wrong on purpose, by name. */
export const CLIENT_FLAWS: Readonly<Record<string, ClientFlaw>> = {
  lenient: { about: "accepts everything" },
  "lenient-without-push": { about: "accepts everything, even pushes that it has disabled", settings: [["ENABLE_PUSH", 0]] },
  silent: { about: "connects, and says nothing", mute: true },
  "leaves-at-once": { about: "ends with status 0 before anything has come", leaves: 0 },
  "fails-at-once": { about: "ends with status 1 before anything has come", leaves: 1 },
  slams: {
    about: "asks, then drops the connection on anything but SETTINGS",
    meets: ({ type }) => (type === "SETTINGS" ? undefined : "close"),
  },
  trusting: { about: "treats any end as a good one", trusting: true },
  lingers: { about: "accepts everything, and stays connected for a while", lingers: 40 },
  "wrong-code": {
    about: "detects errors, and reports another code",
    lingers: 40,
    meets: (frame, peer, fields) => {
      const late = fields !== undefined && peer.finished.has(fields.stream);
      return late || brokenBy(frame, peer, fields) !== undefined ? { goaway: "HTTP_1_1_REQUIRED" } : undefined;
    },
  },
  "misnames-priorities": {
    about: "reports a change of NO_RFC7540_PRIORITIES with another code",
    lingers: 40,
    meets: ({ settings = [] }) =>
      settings.some(([name, value]) => name === "NO_RFC7540_PRIORITIES" && value > 0) ? { goaway: "HTTP_1_1_REQUIRED" } : undefined,
  },
  ...REFUSALS,
  "offers-h2c": { about: "offers h2c by ALPN", alpn: ["h2", "h2c"] },
  "forgets-its-resets": {
    about: "resets a response without :status, and treats a promise on that stream as a connection error",
    meets: (frame, peer, fields) => {
      if (frame.type === "PUSH_PROMISE") return hasReset(peer, frame.stream) ? { goaway: "PROTOCOL_ERROR" } : undefined;
      if (fields === undefined || fields.fields.some(([name]) => name === ":status" || name === ":method")) return undefined;
      peer.send({ type: "RST_STREAM", stream: frame.stream, code: "PROTOCOL_ERROR" });
      return "ignore";
    },
  },
  "needs-whole-reads": { about: "accepts frames only if each arrives in one piece", wholeReads: true },
  "no-goaway": { about: "leaves without GOAWAY", saysNoGoodbye: true },
  impatient: { about: "opens a stream beyond the limit", impatient: true },
  "answers-resets": { about: "answers RST_STREAM with RST_STREAM", answersReset: true },
  discards: { about: "throws a response away when RST_STREAM follows it", lingers: 40, discards: true },
  "asks-twice": { about: "asks for the same thing twice", asksTwice: true },
  "asks-after-goaway": { about: "opens another stream after GOAWAY", asksAfterGoaway: true },
  "even-streams": { about: "opens even streams", firstStream: 2 },
  "ends-on-interim": { about: "treats an interim response as the final one", endsOnInterim: true },
  "settings-late": sends("begins with another frame than SETTINGS", (frame, peer) =>
    frame.type === "SETTINGS" && once("SETTINGS", peer) ? [{ type: "WINDOW_UPDATE", increment: 1 }, frame] : [frame],
  ),
  "sets-unused-flags": sends("sets flags that mean nothing", (frame) =>
    frame.type === "SETTINGS" && !isAck(frame) ? [{ ...frame, flags: 0x80 }] : [frame],
  ),
  "interrupts-blocks": sends("puts a PING inside its field block", (frame) =>
    frame.type === "HEADERS" && frame.fields !== undefined
      ? [
          { ...frame, flags: ["END_STREAM"], fields: frame.fields.slice(0, 2) },
          { type: "PING", hex: "0102030405060708" },
          { type: "CONTINUATION", stream: frame.stream ?? 0, flags: ["END_HEADERS"], fields: frame.fields.slice(2) },
        ]
      : [frame],
  ),
  promises: sends("promises a stream to the server", (frame) =>
    frame.type === "HEADERS"
      ? [frame, { type: "PUSH_PROMISE", stream: frame.stream ?? 0, flags: ["END_HEADERS"], promised: 1001, block: "82" }]
      : [frame],
  ),
  "invalid-settings": {
    about: "announces a setting with a value it cannot have",
    settings: [
      ["ENABLE_PUSH", 1],
      ["INITIAL_WINDOW_SIZE", 0x8000_0000],
    ],
  },
  "hates-push": {
    about: "ends the connection for a legal promise",
    meets: ({ type }) => (type === "PUSH_PROMISE" ? { goaway: "PROTOCOL_ERROR" } : undefined),
  },
  "forgets-table": {
    about: "begins every field block with an empty table",
    decoder: () => ({ decode: (block) => blockDecoder().decode(block), limit: () => {} }),
    meets: (_, __, fields) => (fields?.problem === undefined ? undefined : { goaway: "COMPRESSION_ERROR" }),
  },
  "refuses-bare-responses": {
    about: "expects content in every response",
    meets: (frame, _, fields) => (frame.type === "HEADERS" && fields?.end === true ? { reset: "PROTOCOL_ERROR" } : undefined),
  },
  "refuses-interim": {
    about: "expects the final response at once",
    meets: (_, __, fields) =>
      fields?.fields.some(([name, value]) => name === ":status" && value.startsWith("1")) ? { reset: "PROTOCOL_ERROR" } : undefined,
  },
  "refuses-bad-news": {
    about: "ends the connection for a status of 400 and above",
    meets: (_, __, fields) =>
      fields?.fields.some(([name, value]) => name === ":status" && /^[45]/.test(value)) ? { goaway: "PROTOCOL_ERROR" } : undefined,
  },
  "counts-padding": {
    about: "counts padding as content, and rejects a content-length other than 0 on a response without content",
    meets: (frame, _, fields) => {
      const padded = frame.type === "DATA" && frame.pad !== undefined && frame.pad > 0;
      const bare = fields?.end === true && fields.fields.some(([name, value]) => name === "content-length" && value !== "0");
      return padded || bare ? { reset: "PROTOCOL_ERROR" } : undefined;
    },
  },
  "pseudo-fields-last": asks("puts pseudo-fields behind a regular one", (fields) => [...fields.slice(-1), ...fields.slice(0, -1)]),
  "other-authority": asks("asks for another authority than that of its URL", (fields) =>
    replaced(fields, ":authority", [":authority", "elsewhere.invalid"]),
  ),
  "upper-case-names": asks("writes field names in upper case", (fields) => replaced(fields, "user-agent", ["User-Agent", "impostor"])),
  "connection-fields": asks("sends connection-specific fields", (fields) => [...fields, ["connection", "keep-alive"], ["te", "gzip"]]),
  "asks-again": { about: "accepts everything, and asks for the same again, even after GOAWAY", asksAgain: true },
  "asks-again-with-the-last-size": {
    about: "signals only the last of several table sizes",
    asksAgain: true,
    sends: (frame) => [frame.tableSize === undefined ? frame : { ...frame, tableSize: frame.tableSize.slice(-1) }],
  },
  "asks-again-beyond-the-last-size": {
    about: "declares a table twice as large as the one that the server announces",
    asksAgain: true,
    sends: (frame) => [frame.tableSize === undefined ? frame : { ...frame, tableSize: [8192] }],
  },
  "uploads-over-the-connection": { about: "keeps to the window of its request only", uploads: UPLOAD, disregards: "connection window" },
  "uploads-over-the-stream": { about: "keeps to the window of the connection only", uploads: UPLOAD, disregards: "stream window" },
  "uploads-and-discards": {
    about: "throws a response away when RST_STREAM stops its upload",
    uploads: UPLOAD,
    lingers: 40,
    discards: true,
  },
  "large-field-in-one-frame": asks("sends a large field block in one frame", (fields) => [...fields, ["x-large", "a".repeat(20_000)]]),
  ...MISDEEDS,
};
