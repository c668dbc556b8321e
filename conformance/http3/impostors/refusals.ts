import type { Observed } from "../../wire/http3/end.ts";
import type { ReadField, ReadFrame } from "../../wire/http3/read.ts";
import { type Section, sectionOf } from "../../wire/qpack/section.ts";
import { readVarint, varint } from "../../wire/http3/varint.ts";
import type { Flaw, Peer } from "./peer.ts";

/** Peers that refuse what they must accept: each is a predicate, true for the observations that it refuses. */
const refusing = (about: string, dislike: (observed: Observed, peer: Peer) => boolean): Flaw => ({
  about,
  meets: (observed, peer) => (dislike(observed, peer) ? { close: "H3_GENERAL_PROTOCOL_ERROR" } : undefined),
});
const frames = (about: string, dislike: (frame: ReadFrame, stream: number, peer: Peer) => boolean): Flaw =>
  refusing(about, (observed, peer) => observed.is === "frame" && dislike(observed.frame, observed.stream, peer));
const fields = (about: string, dislike: (fields: readonly ReadField[]) => boolean): Flaw =>
  refusing(about, (observed) => observed.is === "frame" && observed.fields !== undefined && dislike(observed.fields));
const field = (about: string, dislike: (name: string, value: string) => boolean): Flaw =>
  fields(about, (all) => all.some(([name, value]) => dislike(name, value)));
/** Streams in more pieces than this one reads. */
const pieces = (about: string, most: number, onRequests: boolean): Flaw => ({
  about,
  feels: (event, peer) =>
    event.is === "data" && (!onRequests || event.stream % 4 === 0) && (peer.pieces.get(event.stream) ?? 0) > most
      ? { close: "H3_INTERNAL_ERROR" }
      : undefined,
});

const kind = (observed: Observed, peer: Peer): string => ("stream" in observed ? (peer.wire.kindOf(observed.stream) ?? "") : "");
/** The frames of a type that have come on a stream before. */
const before = (type: string, stream: number, { seen }: Peer): number =>
  seen.filter((one) => one.is === "frame" && one.stream === stream && one.frame.type === type).length;

/** The lines of the sections of messages. */
const lines = (about: string, dislike: (section: Section) => boolean): Flaw =>
  frames(about, ({ section }) => {
    const read = section === undefined ? undefined : sectionOf(section, { maxCapacity: TABLE, inserted: INSERTED });
    return read !== undefined && dislike(read);
  });
/** The dynamic table of the base, and the insertions of the cases that refer to it. */
const TABLE = 4_096;
const INSERTED = 2;
const LAST_EXPECTED = 25;

/** Refusals that servers and clients can both have. */
export const REFUSALS: Readonly<Record<string, Flaw>> = {
  "refuses-unknown-streams": refusing(
    "treats a stream of an unknown type as an error",
    (observed) => observed.is === "opened" && observed.kind.startsWith("0x"),
  ),
  "refuses-data-on-unknown-streams": {
    about: "treats data on a stream of an unknown type as an error",
    feels: (event, peer) =>
      event.is === "data" && (peer.wire.kindOf(event.stream) ?? "").startsWith("0x") ? { close: "H3_GENERAL_PROTOCOL_ERROR" } : undefined,
  },
  "refuses-streams-without-type": refusing(
    "treats a stream that ends before its type as an error",
    (observed, peer) => (observed.is === "end" || observed.is === "reset") && /^(?:nothing yet)?$/.test(kind(observed, peer)),
  ),
  "refuses-unknown-frames": frames("treats a frame of an unknown type as an error", ({ type }) => type.startsWith("0x")),
  "refuses-many-pieces": pieces("reads a stream only if it comes in few pieces", 4, false),
  "refuses-three-pieces": pieces("reads a message only if it comes in two pieces", 2, true),
  "refuses-long-stream-types": {
    about: "reads stream types in their shortest form only",
    feels: (event, peer) => {
      if (event.is !== "data" || event.stream % 4 < 2 || (peer.pieces.get(event.stream) ?? 0) > 1) return undefined;
      const type = readVarint(event.octets);
      const isLong = (event.octets[0] ?? 0) >= 0x40 && (type === undefined || varint(type.value).length < type.size);
      return isLong ? { close: "H3_STREAM_CREATION_ERROR" } : undefined;
    },
  },
  "refuses-long-forms": frames("reads types, lengths and identifiers in their shortest form only", ({ octets, payload, id }) => {
    const type = readVarint(octets);
    const length = readVarint(octets, type?.size);
    const identifier = id === undefined ? undefined : readVarint(payload);
    return [type, length, identifier].some((one) => one !== undefined && varint(one.value).length < one.size);
  }),
  "refuses-empty-data": frames("rejects empty DATA", ({ type, length }) => type === "DATA" && length === 0),
  "refuses-second-data": frames(
    "rejects content in several frames",
    ({ type }, stream, peer) => type === "DATA" && before("DATA", stream, peer) > 0,
  ),
  "refuses-ten-octets": frames("rejects content of more than ten octets", ({ type, length }) => type === "DATA" && length > 10),
  "refuses-trailers": frames("rejects trailers", ({ type }, stream, peer) => type === "HEADERS" && before("HEADERS", stream, peer) > 0),
  "refuses-empty-sections": fields("rejects a section without fields", (all) => all.length === 0),
  "refuses-ends-alone": {
    about: "ends the connection when the end of a stream comes alone",
    feels: (event) => (event.is === "data" && event.end && event.octets.length === 0 ? { close: "H3_INTERNAL_ERROR" } : undefined),
  },
  "refuses-content-length": field("rejects Content-Length", (name) => name === "content-length"),
  "refuses-te": field("rejects TE", (name) => name === "te"),
  "refuses-host": field("rejects Host", (name) => name === "host"),
  "refuses-empty-values": field("rejects empty field values", (_, value) => value === ""),
  "refuses-obs-text": field("rejects field values beyond ASCII", (_, value) => /[\x80-\xff]/.test(value)),
  "refuses-tabs": field("rejects tabs in field values", (_, value) => value.includes("\t")),
  "refuses-long-values": field("rejects field values of 1,000 octets", (_, value) => value.length > 1_000),
  "refuses-odd-names": field("rejects field names of other characters than letters, digits and hyphens", (name) =>
    /[^:a-z0-9-]/.test(name),
  ),
  "refuses-repeated-fields": fields("rejects repeated field names", (all) => new Set(all.map(([name]) => name)).size < all.length),
  "refuses-many-fields": fields("rejects more than twenty fields", (all) => all.length > 20),
  "refuses-other-orders": fields("expects :method first", (all) => all.some(([name]) => name === ":method") && all[0]?.[0] !== ":method"),
  "refuses-queries": field("rejects a path with a query", (name, value) => name === ":path" && value.includes("?")),
  "refuses-resets": refusing("ends the connection when a message is given up", ({ is }) => is === "reset" || is === "stop"),
  "needs-qpack-streams": frames("expects both streams of QPACK before a message", ({ type }, _, { seen }) => {
    const opened = (kind: string): boolean => seen.some((one) => one.is === "opened" && one.kind === kind);
    return type === "HEADERS" && !(opened("encoder") && opened("decoder"));
  }),
  "refuses-cancellations": refusing(
    "treats Stream Cancellation as an error",
    (observed) => observed.is === "decoded" && observed.instruction === "cancellation",
  ),
  "bare-and-refuses-cancellations": {
    ...refusing("treats Stream Cancellation as an error, without a dynamic table", ({ is }) => is === "decoded"),
    settings: [],
  },
  "refuses-insertions": refusing("treats any octet on an encoder stream as an error", ({ is }) => is === "insertions"),
  "refuses-static-entries": lines("knows the first entries of the static table only", ({ lines: all }) =>
    all.some(({ refersTo }) => refersTo?.table === "static" && refersTo.index > LAST_EXPECTED),
  ),
  "refuses-static-names": lines("rejects literals with static names", ({ lines: all }) =>
    all.some(({ literal, refersTo }) => literal && refersTo !== undefined),
  ),
  "refuses-never-indexed": lines("rejects literals with the N bit", ({ lines: all }) => all.some(({ never }) => never)),
  "refuses-other-bases": lines("expects the base at the insert count", ({ base, required }) => base !== required),
  "refuses-dynamic-entries": lines("rejects references to its dynamic table", ({ lines: all }) =>
    all.some(({ refersTo }) => refersTo?.table === "dynamic"),
  ),
  "never-acknowledges": {
    about: "acknowledges no section",
    begins: (peer) => {
      peer.wire.acknowledges = false;
      return false;
    },
  },
  "refuses-goaway": frames("ends the connection for any GOAWAY", ({ type }) => type === "GOAWAY"),
  "refuses-max-push-id": frames("ends the connection for any MAX_PUSH_ID", ({ type }) => type === "MAX_PUSH_ID"),
  "refuses-settings": frames("rejects any setting", ({ settings = [] }) => settings.length > 0),
  "misjudges-priorities": {
    about: "refuses PRIORITY_UPDATE on a request stream with another code, and accepts any other",
    meets: (observed) =>
      observed.is === "frame" && observed.stream % 4 === 0 && observed.frame.type === "PRIORITY_UPDATE"
        ? { close: "H3_ID_ERROR" }
        : undefined,
  },
  "refuses-settings-twice": {
    about: "refuses a setting that comes twice with another code",
    meets: (observed) => {
      const names = observed.is === "frame" ? (observed.frame.settings ?? []).map(([name]) => name) : [];
      return new Set(names).size < names.length ? { close: "H3_FRAME_ERROR" } : undefined;
    },
  },
  "refuses-ends-of-tunnels": refusing("ends the connection when the client ends a tunnel", ({ is, ...one }, { seen }) => {
    if (is !== "end" || !("stream" in one)) return false;
    return seen.some(
      (frame) => frame.is === "frame" && frame.stream === one.stream && (frame.fields ?? []).some(([, value]) => value === "CONNECT"),
    );
  }),
  "refuses-priorities": frames("rejects PRIORITY_UPDATE", ({ type }) => type.startsWith("PRIORITY_UPDATE")),
  "refuses-priority-fields": field("rejects the Priority field", (name) => name === "priority"),
};
