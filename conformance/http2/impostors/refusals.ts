import { FLAGS_OF, FLAGS } from "../../wire/http2/numbers.ts";
import type { ReadFrame } from "../../wire/http2/read.ts";
import type { Fields, Flaw, Peer, Reaction } from "./peer.ts";

/** Peers that refuse what they must accept: each is a predicate, true for the frames that it refuses. */
type Dislike = (frame: ReadFrame, fields: Fields | undefined, peer: Peer) => boolean;

const refusing = (about: string, dislike: Dislike, reaction: Reaction = { goaway: "PROTOCOL_ERROR" }): Flaw => ({
  about,
  meets: (frame, peer, fields) => (dislike(frame, fields, peer) ? reaction : undefined),
});

const undefinedFlags = (frame: ReadFrame): boolean => {
  const known = FLAGS_OF[frame.type] ?? [];
  return (frame.flags & ~known.reduce((sum, name) => sum | FLAGS[name], 0)) !== 0 && !frame.type.startsWith("0x");
};
const KNOWN_SETTINGS = new Set([
  "HEADER_TABLE_SIZE",
  "ENABLE_PUSH",
  "MAX_CONCURRENT_STREAMS",
  "INITIAL_WINDOW_SIZE",
  "MAX_FRAME_SIZE",
  "MAX_HEADER_LIST_SIZE",
]);
const names = (fields: Fields | undefined): string[] => (fields?.fields ?? []).map(([name]) => name);

/** Refusals that servers and clients can both have. */
export const REFUSALS: Readonly<Record<string, Flaw>> = {
  "refuses-unknown-frames": refusing("treats a frame of an unknown type as an error", ({ type }) => type.startsWith("0x")),
  "refuses-extension-frames": refusing("treats ALTSVC and ORIGIN as errors", ({ type }) => type === "ALTSVC" || type === "ORIGIN"),
  "refuses-unused-flags": refusing("treats a flag that means nothing as an error", undefinedFlags),
  "refuses-reserved-bit": refusing(
    "treats a reserved bit that is set as an error",
    (frame) => frame.reservedBit || (frame.type === "WINDOW_UPDATE" && (frame.payload[0] ?? 0) >= 0x80),
  ),
  "refuses-large-frames": refusing("rejects frames of more than 8,192 octets", ({ length }) => length > 8192, {
    goaway: "FRAME_SIZE_ERROR",
  }),
  "refuses-padding": refusing("rejects padding", ({ pad }) => pad !== undefined),
  "refuses-empty-data": refusing("rejects empty DATA", (frame) => frame.type === "DATA" && frame.length === 0),
  "refuses-priority": refusing("rejects priority signals", ({ priority }) => priority !== undefined),
  "refuses-continuation": refusing("rejects field blocks in several frames", ({ type }) => type === "CONTINUATION"),
  "refuses-unknown-settings": refusing("treats a setting that it does not know as an error", ({ settings }) =>
    (settings ?? []).some(([name]) => !KNOWN_SETTINGS.has(name)),
  ),
  "refuses-settings": refusing("rejects settings other than the defaults", ({ settings }) =>
    (settings ?? []).some(([name]) => name !== "MAX_CONCURRENT_STREAMS" && name !== "ENABLE_PUSH" && !name.startsWith("0x")),
  ),
  "refuses-window-updates-on-streams": refusing(
    "treats WINDOW_UPDATE as the connection only",
    (frame) => frame.type === "WINDOW_UPDATE" && frame.stream !== 0,
  ),
  "refuses-trailers": refusing(
    "rejects trailers",
    (_, fields) => fields !== undefined && fields.end && fields.fields.length > 0 && !names(fields).some((name) => name.startsWith(":")),
  ),
  "refuses-obs-text": refusing("rejects field values beyond ASCII", (_, fields) =>
    (fields?.fields ?? []).some(([, value]) => /[\x80-\xff]/.test(value)),
  ),
  "refuses-repeated-fields": refusing("rejects repeated field names", (_, fields) => new Set(names(fields)).size < names(fields).length),
  "refuses-goaway": refusing("closes the connection when it receives GOAWAY", ({ type }) => type === "GOAWAY", "close"),
};
