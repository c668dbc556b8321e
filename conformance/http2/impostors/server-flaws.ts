import type { FieldSpec, FrameSpec } from "../vocabulary.ts";
import { blockDecoder } from "../../wire/hpack/field-block.ts";
import { DEFAULTS } from "../../wire/http2/numbers.ts";
import type { ReadFrame } from "../../wire/http2/read.ts";
import { type DecoderFlaw, WrongDecoder } from "../../hpack/impostors/decoder.ts";
import type { Fields, Peer } from "./peer.ts";
import { LARGE } from "./large.ts";
import { LIFETIMES } from "./lifetimes.ts";
import { MISDEEDS, sends } from "./misdeeds.ts";
import { REFUSALS } from "./refusals.ts";
import { SPENDTHRIFTS } from "./spendthrifts.ts";
import { brokenBy } from "./strict.ts";
import type { ServerFlaw } from "./flaw.ts";

const isFinal = (frame: FrameSpec): boolean =>
  frame.type === "HEADERS" && (frame.fields ?? []).some(([name, value]) => name === ":status" && !value.startsWith("1"));
/** Rewrites the header section of final responses. */
const answers = (about: string, rewrite: (fields: readonly FieldSpec[], frame: FrameSpec) => readonly FieldSpec[]): ServerFlaw =>
  sends(about, (frame) => [isFinal(frame) ? { ...frame, fields: rewrite(frame.fields ?? [], frame) } : frame]);
const without = (fields: readonly FieldSpec[], name: string): FieldSpec[] => fields.filter(([known]) => known !== name);
const onFrame = (about: string, type: FrameSpec["type"], change: (frame: FrameSpec, peer: Peer) => FrameSpec[]): ServerFlaw =>
  sends(about, (frame, peer) => (frame.type === type ? change(frame, peer) : [frame]));

/** Reads field blocks with a flawed decoder. */
const reads = (about: string, flaw: DecoderFlaw): ServerFlaw => ({
  about,
  decoder: () => {
    const wrong = new WrongDecoder(flaw, DEFAULTS.tableSize);
    return {
      limit: (size) => wrong.limit(size),
      decode: (block) => {
        const fields = wrong.decode(block);
        return fields === undefined ? { problem: "it does not read this" } : { fields: fields.map(([name, value]) => [name, value]) };
      },
    };
  },
});
const setting = (frame: ReadFrame, name: string): number | undefined => frame.settings?.findLast(([known]) => known === name)?.[1];

/** The stream limit that the base announces. */
const SLOTS = 100;
const openStreams = (peer: Peer): number => [...peer.opened].filter((stream) => !peer.hasEnded(stream)).length;
const lateUpdates = new WeakMap<Peer, number>();
const MANY_OCTETS = 16_384;
/** The stream of a request with more octets of fields than that. */
const large = new WeakMap<Peer, number>();

const PLAIN_NAMES = new Set([":method", ":scheme", ":authority", ":path"]);
const plain = (fields: Fields): boolean =>
  fields.fields.length === 4 &&
  fields.fields.map(([name]) => name).join(" ") === ":method :scheme :authority :path" &&
  fields.fields.every(
    ([name, value]) => (name !== ":method" || value === "GET" || value === "POST") && (name !== ":path" || value === "/"),
  );

const fussy = (name: string, value: string): boolean =>
  /[^a-z0-9:-]/.test(name) ||
  value === "" ||
  value.length > 500 ||
  /[\t]| {2}/.test(value) ||
  (name === "if-modified-since" && !value.endsWith("GMT"));

/** HTTP/2 servers that are wrong on purpose, by name. */
export const SERVER_FLAWS: Readonly<Record<string, ServerFlaw>> = {
  lenient: { about: "accepts everything, and answers it", anyMagic: true, tls: { minVersion: "TLSv1", ciphers: "ALL:@SECLEVEL=0" } },
  silent: { about: "accepts connections, and says nothing", mute: true },
  slams: {
    about: "answers SETTINGS, then drops the connection on any other frame",
    meets: ({ type }) => (type === "SETTINGS" ? undefined : "close"),
  },
  "wrong-code": {
    about: "detects errors, and reports another code",
    meets: (frame, peer, fields) => (brokenBy(frame, peer, fields) === undefined ? undefined : { goaway: "CONNECT_ERROR" }),
  },
  // The blunt ones come first: the finer ones then need not run the cases that these fail.
  "only-plain-requests": {
    about: "refuses every request that is more than method, scheme, authority and path, in this order",
    meets: (_, __, fields) => (fields === undefined || plain(fields) ? undefined : { reset: "PROTOCOL_ERROR" }),
  },
  "three-requests-a-connection": {
    about: "ends the connection on the way to a fourth request",
    meets: (frame) => (frame.type === "HEADERS" && frame.stream > 6 ? { goaway: "NO_ERROR" } : undefined),
  },
  restless: { about: "sends DATA after the end of a response", restless: true },
  ...REFUSALS,
  "answers-elsewhere": sends("answers streams beyond the seventh on the one before them", (frame) => [
    frame.type !== "PUSH_PROMISE" && typeof frame.stream === "number" && frame.stream > 7 ? { ...frame, stream: frame.stream - 2 } : frame,
  ]),
  "needs-whole-reads": { about: "accepts frames only if each arrives in one piece", wholeReads: true },
  "one-data-a-request": {
    about: "refuses a second DATA frame in a request",
    meets: (frame, peer) => {
      const before = frame.type === "DATA" && (peer.came.get("DATA") ?? 0) > 1 && frame.stream === 1;
      return before ? { reset: "PROTOCOL_ERROR" } : undefined;
    },
  },
  "refuses-any-trailers": {
    about: "refuses a second field section, even an empty one",
    meets: (frame, peer, fields) =>
      fields !== undefined && !fields.fields.some(([name]) => PLAIN_NAMES.has(name)) && frame.type !== "PUSH_PROMISE" && !peer.over
        ? { reset: "PROTOCOL_ERROR" }
        : undefined,
  },
  "fussy-about-fields": {
    about: "refuses names with punctuation, and values that are empty, long, with spaces or unknown to it",
    meets: (_, __, fields) => (fields?.fields.some(([name, value]) => fussy(name, value)) ? { reset: "PROTOCOL_ERROR" } : undefined),
  },
  "no-tls-1.2": { about: "speaks TLS 1.3 only, with its own choice of cipher suites", tls: { ciphers: "ECDHE-RSA-CHACHA20-POLY1305" } },
  "forgets-table": {
    about: "begins every field block with an empty table",
    decoder: () => ({ decode: (block) => blockDecoder().decode(block), limit: () => {} }),
  },
  "skips-large-blocks": {
    about: "throws a large field block away without decoding it",
    decoder: () => {
      const inner = blockDecoder();
      return {
        limit: (size) => inner.limit(size),
        decode: (block) => (block.length > 20_000 ? { fields: [] } : inner.decode(block)),
      };
    },
  },
  "never-ends": sends("never ends a response", (frame) => [
    frame.type === "DATA" || frame.type === "HEADERS" ? { ...frame, flags: frame.type === "HEADERS" ? ["END_HEADERS"] : [] } : frame,
  ]),
  "content-first": sends("sends the content before the header section", (frame) => {
    if (!isFinal(frame)) return [frame];
    return [{ type: "DATA", stream: frame.stream ?? 0, data: "early" }, frame];
  }),
  "content-for-head": sends("sends content where there is none", (frame) =>
    isFinal(frame) && Array.isArray(frame.flags) && frame.flags.includes("END_STREAM")
      ? [
          { ...frame, flags: ["END_HEADERS"] },
          { type: "DATA", stream: frame.stream ?? 0, flags: ["END_STREAM"], data: "content" },
        ]
      : [frame],
  ),
  "trailers-without-end": sends("sends trailers that end nothing", (frame) => {
    const trailers = frame.type === "HEADERS" && (frame.fields ?? []).every(([name]) => !name.startsWith(":"));
    return trailers
      ? [
          { ...frame, flags: ["END_HEADERS"] },
          { type: "DATA", stream: frame.stream ?? 0, flags: ["END_STREAM"] },
        ]
      : [frame];
  }),
  "interim-ends": sends("ends the stream with an interim response", (frame) => {
    const interim = frame.type === "HEADERS" && (frame.fields ?? []).some(([name, value]) => name === ":status" && value.startsWith("1"));
    return [interim ? { ...frame, flags: ["END_HEADERS", "END_STREAM"] } : frame];
  }),
  "ignores-expectations": sends("lets a client wait for its 100", (frame) => {
    const status = frame.type === "HEADERS" && (frame.fields ?? []).some(([name, value]) => name === ":status" && value === "100");
    return status ? [] : [frame];
  }),
  "no-status": answers("answers without :status", (fields) => without(fields, ":status")),
  "status-last": answers("puts :status behind the other fields", ([status, ...rest]) => (status === undefined ? rest : [...rest, status])),
  "odd-status": answers("answers with a status of four digits", (fields) => [[":status", "2000"], ...without(fields, ":status")]),
  "upper-case-names": answers("writes field names in upper case", (fields) => [...fields, ["X-Upper", "1"]]),
  "bad-values": answers("sends values with line ends", (fields) => [...fields, ["x-bad", "a\r\nb"]]),
  "connection-fields": answers("sends connection-specific fields", (fields) => [...fields, ["connection", "keep-alive"]]),
  "wrong-content-length": answers("declares another length than it sends", (fields) => [
    ...without(fields, "content-length"),
    ["content-length", "7"],
  ]),
  "pushes-posts": onFrame("promises requests that are not safe, and not whole", "PUSH_PROMISE", (frame) => [
    {
      ...frame,
      fields: [
        [":method", "POST"],
        [":path", ""],
      ],
    },
  ]),
  "pushes-late": onFrame("promises after the response has ended", "PUSH_PROMISE", (frame) => [
    { type: "HEADERS", stream: frame.stream ?? 0, flags: ["END_HEADERS", "END_STREAM"], fields: [[":status", "200"]] },
    frame,
  ]),
  "no-static-index": reads("reads no indexed fields", { refuses: ({ is }) => is === "indexed" }),
  "no-huffman": reads("reads plain strings only", {
    refuses: (one) => one.is === "literal" && (one.value.huffman || one.name?.huffman === true),
  }),
  "no-incremental": reads("reads no literals with indexing", { refuses: (one) => one.is === "literal" && one.mode === "incremental" }),
  "no-never-indexed": reads("reads no never-indexed literals", { refuses: (one) => one.is === "literal" && one.mode === "never" }),
  "no-name-index": reads("reads no names given by index", { refuses: (one) => one.is === "literal" && one.index.value > 0 }),
  "no-size-updates": reads("refuses size updates", { refuses: ({ is }) => is === "size update" }),
  "never-signals-sizes": sends("signals no table size", (frame) => {
    const { tableSize, ...rest } = frame;
    return tableSize === undefined ? [frame] : [rest];
  }),
  "signals-too-much": sends("signals one octet more than is allowed", (frame, peer) => [
    frame.tableSize === undefined ? frame : { ...frame, tableSize: [peer.setting("HEADER_TABLE_SIZE", 0) + 1] },
  ]),
  "signals-late": sends("signals a table size behind the fields", ({ tableSize, ...frame }) => [
    tableSize === undefined ? frame : { ...frame, blockTail: "20" },
  ]),
  "breaks-blocks": sends("ends field blocks inside a string", (frame) => [
    isFinal(frame) ? { ...frame, blockTail: "0003782d6105" } : frame,
  ]),
  "indexes-nothing": sends("refers to entries of a table that has none", (frame) => [
    isFinal(frame) ? { ...frame, blockTail: "be" } : frame,
  ]),
  "without-extended-connect": {
    about: "accepts everything, even :protocol without having announced it",
    settings: [["MAX_CONCURRENT_STREAMS", 100]],
  },
  "takes-settings-back": sends("announces a setting, and withdraws it", (frame, peer) => {
    const again = isFinal(frame) && !peer.went.some(({ settings }) => settings?.some(([, value]) => value === 0) === true);
    const back: FrameSpec = {
      type: "SETTINGS",
      settings: [
        ["ENABLE_CONNECT_PROTOCOL", 0],
        ["NO_RFC7540_PRIORITIES", 0],
      ],
    };
    return again ? [back, frame] : [frame];
  }),
  "odd-about-extensions": {
    about: "reports an unrelated code for a changed or unknown value of an extension's setting",
    meets: (frame, peer) => {
      const connect = setting(frame, "ENABLE_CONNECT_PROTOCOL");
      const priorities = setting(frame, "NO_RFC7540_PRIORITIES");
      const odd =
        (connect ?? 0) > 1 ||
        (connect === 0 && peer.setting("ENABLE_CONNECT_PROTOCOL", 0) === 1) ||
        (frame.settings?.filter(([name]) => name === "ENABLE_CONNECT_PROTOCOL").length ?? 0) > 1 ||
        (priorities === 0 && peer.setting("NO_RFC7540_PRIORITIES", 0) === 1);
      return odd ? { goaway: "CONNECT_ERROR" } : undefined;
    },
  },
  "any-alpn": { about: "chooses whatever a client names first by ALPN", tls: { ALPNCallback: ({ protocols }) => protocols[0] } },
  "answers-resets": { about: "answers RST_STREAM with RST_STREAM", answersReset: true },
  "refuses-late-resets": {
    about: "ends the connection for RST_STREAM on a stream that it has ended itself",
    meets: ({ type, stream }, peer) => (type === "RST_STREAM" && peer.hasEnded(stream) ? { goaway: "PROTOCOL_ERROR" } : undefined),
  },
  "odd-about-closed-streams": {
    about: "reports an unrelated code for DATA on a closed stream, and for more than one WINDOW_UPDATE",
    meets: ({ type, stream }, peer) => {
      const skipped = stream > 0 && !peer.opened.has(stream) && peer.opened.size > 0;
      const late = type === "WINDOW_UPDATE" && peer.hasEnded(stream) ? (lateUpdates.get(peer) ?? 0) + 1 : 0;
      // One may still be on its way for the content of the response.
      if (late > 0) lateUpdates.set(peer, late);
      return late > 1 || (type === "DATA" && (skipped || peer.hasEnded(stream))) ? { goaway: "CONNECT_ERROR" } : undefined;
    },
  },
  "invalid-settings": {
    about: "announces settings with values that they cannot have",
    settings: [
      ["ENABLE_PUSH", 1],
      ["MAX_FRAME_SIZE", 1],
    ],
  },
  "keeps-slots-after-reset": {
    about: "counts streams that were reset as open for ever",
    meets: ({ type }, peer) => (type === "HEADERS" && openStreams(peer) > SLOTS ? { reset: "REFUSED_STREAM" } : undefined),
  },
  "keeps-slots-after-response": {
    about: "frees the slots of its streams only when all of them are done",
    meets: ({ type }, peer) => {
      const others = openStreams(peer) > 1;
      return type === "HEADERS" && others && peer.opened.size > SLOTS ? { reset: "REFUSED_STREAM" } : undefined;
    },
  },
  "frees-slots-twice": {
    about: "counts content on a closed stream as the end of another",
    meets: ({ type }, peer) => {
      const freed = (peer.came.get("RST_STREAM") ?? 0) + (peer.came.get("DATA") ?? 0);
      return type === "HEADERS" && openStreams(peer) - freed > SLOTS ? { reset: "REFUSED_STREAM" } : undefined;
    },
  },
  "limits-in-secret": {
    about: "announces no limit of streams, and ignores all after the fiftieth",
    settings: [["INITIAL_WINDOW_SIZE", 65_535]],
    meets: ({ type }, peer) => (type === "HEADERS" && peer.opened.size > SLOTS / 2 ? "ignore" : undefined),
  },
  "runs-out-early": {
    about: "allows a million streams, and half of the largest window",
    meets: (frame, peer) => {
      const size = frame.stream === 0 ? peer.sendWindows.connection : peer.sendWindows.stream(frame.stream);
      const wide = frame.type === "WINDOW_UPDATE" && size + (frame.increment ?? 0) > 0x4000_0000;
      return wide || frame.stream > 1_000_000 ? { goaway: "ENHANCE_YOUR_CALM" } : undefined;
    },
  },
  "refuses-second-resets": {
    about: "ends the connection for a second RST_STREAM",
    meets: ({ type }, peer) => (type === "RST_STREAM" && (peer.came.get(type) ?? 0) > 1 ? { goaway: "PROTOCOL_ERROR" } : undefined),
  },
  "odd-about-oddities": {
    about: "reports an unrelated code for padding that is not zero, and for a stream that depends on itself",
    meets: (frame) =>
      frame.dirtyPad === true || (frame.priority !== undefined && frame.priority.on === frame.stream)
        ? { goaway: "CONNECT_ERROR" }
        : undefined,
  },
  "pushes-anyway": { about: "pushes to a client that has switched push off, or has sent GOAWAY", pushesAnyway: true },
  "holds-pushes": sends("leaves pushed responses open", (frame) => [
    frame.type === "HEADERS" && typeof frame.stream === "number" && frame.stream % 2 === 0 ? { ...frame, flags: ["END_HEADERS"] } : frame,
  ]),
  "angry-at-goaway": {
    about: "answers GOAWAY with an error",
    meets: ({ type }) => (type === "GOAWAY" ? { goaway: "CONNECT_ERROR" } : undefined),
  },
  "particular-about-codes": {
    about: "accepts RST_STREAM with CANCEL only",
    meets: ({ type, code }) => (type === "RST_STREAM" && code !== "CANCEL" ? { goaway: "PROTOCOL_ERROR" } : undefined),
  },
  "wants-settings": {
    about: "refuses later SETTINGS that set nothing, and a limit of no streams",
    meets: (frame, peer) => {
      const empty = frame.type === "SETTINGS" && frame.ack === false && frame.length === 0 && (peer.came.get("SETTINGS") ?? 0) > 1;
      return empty || setting(frame, "MAX_CONCURRENT_STREAMS") === 0 ? { goaway: "PROTOCOL_ERROR" } : undefined;
    },
  },
  "resets-what-it-has-answered": {
    about: "sends RST_STREAM after its response to a request with many octets of fields",
    meets: (_, peer, fields) => {
      const octets = fields?.fields.reduce((sum, [name, value]) => sum + name.length + value.length, 0) ?? 0;
      if (fields !== undefined && octets > MANY_OCTETS) large.set(peer, fields.stream);
      return undefined;
    },
    sends: (frame, peer) =>
      Array.isArray(frame.flags) && frame.flags.includes("END_STREAM") && frame.stream === large.get(peer)
        ? [frame, { type: "RST_STREAM", stream: frame.stream ?? 0, code: "NO_ERROR" }]
        : [frame],
  },
  "loses-single-octets": {
    about: "ignores content of a single octet",
    meets: ({ type, data }) => (type === "DATA" && data?.length === 1 ? "ignore" : undefined),
  },
  "answers-tunnels": { about: "answers CONNECT again at the end of the tunnel", answersTunnels: true },
  "tires-of-tunnels": {
    about: "ignores content after the first few frames of it",
    meets: ({ type }, peer) => (type === "DATA" && (peer.came.get(type) ?? 0) > 12 ? "ignore" : undefined),
  },
  "hates-connect": {
    about: "ends the connection for CONNECT",
    meets: (_, __, fields) =>
      fields?.fields.some(([name, value]) => name === ":method" && value === "CONNECT") ? { goaway: "PROTOCOL_ERROR" } : undefined,
  },
  ...LARGE,
  ...LIFETIMES,
  ...MISDEEDS,
  ...SPENDTHRIFTS,
};
