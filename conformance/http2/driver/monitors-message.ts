import type { ReadField } from "../../wire/http2/read.ts";
import { printable } from "../../wire/octets.ts";
import type { Section } from "../../wire/http2/sections.ts";
import type { Monitor, Watched } from "./watched.ts";
import { fieldOf, isFrame, type SeenFrame } from "./sights.ts";

/** Properties of the subject's own messages (rfc9113#8). */

const sectionsOf = ({ log }: Watched): Section[] =>
  log.seen.filter(isFrame).flatMap(({ on, section }) => (on === 0 && section !== undefined ? [section] : []));
const someSection = (watched: Watched, problem: (section: Section) => string | undefined): string | undefined => {
  for (const section of sectionsOf(watched)) {
    const found = problem(section);
    if (found !== undefined) return `${found} (stream ${section.stream})`;
  }
  return undefined;
};
const someField = (watched: Watched, problem: (field: ReadField, section: Section) => string | undefined): string | undefined =>
  someSection(watched, (section) => {
    for (const field of section.fields) {
      const found = problem(field, section);
      if (found !== undefined) return found;
    }
    return undefined;
  });

const CONNECTION_SPECIFIC = new Set(["connection", "proxy-connection", "keep-alive", "transfer-encoding", "upgrade"]);
const shown = ([name, value]: ReadField): string => `${printable(name, 40)}: ${printable(value, 40)}`;
const isInterim = (section: Section): boolean => /^1\d\d$/.test(fieldOf(section.fields, ":status") ?? "");

export const messageMonitors: Readonly<Record<string, Monitor>> = {
  /** Every field block can be decoded (rfc9113#4.3). */
  "field-blocks-decode": (watched) =>
    someSection(watched, ({ problem }) => (problem === undefined ? undefined : `a field block does not decode: ${problem}`)),
  /** Names are lower-case, without forbidden octets (rfc9113#8.2.1). */
  "field-names-valid": (watched) =>
    someField(watched, ([name, value]) => {
      // eslint-disable-next-line no-control-regex
      const wrong = name === "" || /[\x00-\x20A-Z\x7f-\xff]/.test(name) || name.slice(1).includes(":");
      return wrong ? `the field name "${printable(name, 40)}" (${printable(value, 20)})` : undefined;
    }),
  /** Values contain no NUL, CR or LF, and neither begin nor end with white space (rfc9113#8.2.1). */
  "field-values-valid": (watched) =>
    // eslint-disable-next-line no-control-regex
    someField(watched, (field) => (/[\x00\r\n]|^[ \t]|[ \t]$/.test(field[1]) ? shown(field) : undefined)),
  /** No connection-specific field; `te` only as `trailers` (rfc9113#8.2.2). */
  "no-connection-fields": (watched) =>
    someField(watched, (field) => {
      const [name, value] = field;
      return CONNECTION_SPECIFIC.has(name) || (name === "te" && value !== "trailers") ? shown(field) : undefined;
    }),
  /** Pseudo-fields come first (rfc9113#8.3). */
  "pseudo-fields-first": (watched) =>
    someSection(watched, ({ fields }) => {
      const regular = fields.findIndex(([name]) => !name.startsWith(":"));
      const late = regular < 0 ? undefined : fields.slice(regular).find(([name]) => name.startsWith(":"));
      return late === undefined ? undefined : `${late[0]} after a regular field`;
    }),
  /** A response has one `:status` of three digits and no other pseudo-field; trailers have none (rfc9113#8.3.2). */
  "status-valid": (watched) => {
    const answered = new Set<number>();
    return someSection(watched, (section) => {
      if (section.of !== "HEADERS") return undefined;
      const pseudo = section.fields.filter(([name]) => name.startsWith(":"));
      if (answered.has(section.stream)) return pseudo.length === 0 ? undefined : `trailers with ${pseudo[0]?.[0]}`;
      if (!isInterim(section)) answered.add(section.stream);
      const [status] = pseudo;
      const good = pseudo.length === 1 && status?.[0] === ":status" && /^[1-5]\d\d$/.test(status[1]);
      return good ? undefined : `a response with the pseudo-fields ${pseudo.map(shown).join(", ") || "none"}`;
    });
  },
  /** An interim response does not end its stream, and is never 101 (rfc9113#8.1, rfc9113#8.6). */
  "interim-valid": (watched) =>
    someSection(watched, (section) => {
      if (!isInterim(section)) return undefined;
      if (fieldOf(section.fields, ":status") === "101") return "a response with status 101";
      return section.endStream ? "an interim response that ends its stream" : undefined;
    }),
  /** Trailers end the stream (rfc9113#8.1). */
  "trailers-end-stream": (watched) => {
    const answered = new Set<number>();
    return someSection(watched, (section) => {
      if (section.of !== "HEADERS") return undefined;
      if (answered.has(section.stream) && !section.endStream) return "trailers that do not end the stream";
      if (!isInterim(section)) answered.add(section.stream);
      return undefined;
    });
  },
  /** A request has `:method`, `:scheme` and `:path`, each once and not empty (rfc9113#8.3.1); CONNECT is different (rfc9113#8.5). */
  "request-fields-valid": (watched) =>
    someSection(watched, ({ fields }) => {
      const count = (name: string): number => fields.filter(([known]) => known === name).length;
      // This is a response, or trailers.
      if (count(":status") > 0 || (count(":method") === 0 && !fields.some(([name]) => name.startsWith(":")))) return undefined;
      const known = [":method", ":scheme", ":authority", ":path", ":protocol"];
      const odd = fields.find(([name]) => name.startsWith(":") && !known.includes(name));
      if (odd !== undefined) return `a request with ${shown(odd)}`;
      const connect = fieldOf(fields, ":method") === "CONNECT" && count(":protocol") === 0;
      const needed = connect ? [":method", ":authority"] : [":method", ":scheme", ":path"];
      const wrong = needed.find((name) => count(name) !== 1 || fieldOf(fields, name) === "") ?? known.find((name) => count(name) > 1);
      return wrong === undefined ? undefined : `a request with ${count(wrong)} of ${wrong}`;
    }),
  /** `:authority` has no user information, and Host agrees with it (rfc9113#8.3.1). */
  "authority-valid": (watched) =>
    someSection(watched, ({ fields }) => {
      const authority = fieldOf(fields, ":authority");
      const host = fieldOf(fields, "host");
      if (authority?.includes("@")) return `:authority ${printable(authority)}`;
      return host !== undefined && authority !== undefined && host !== authority
        ? `host ${host} beside :authority ${authority}`
        : undefined;
    }),
  /** The DATA of a response add up to its content-length (rfc9113#8.1.1). */
  "content-length-agrees": (watched) => contentLength(watched),
  /** Content comes only between the header section of a final response and the end of the stream (rfc9113#8.1). */
  "content-after-header": (watched) => {
    const begun = new Set<number>();
    return firstFrame(watched, ({ frame, section }) => {
      if (section?.of === "HEADERS" && !isInterim(section)) begun.add(section.stream);
      return frame.type === "DATA" && !begun.has(frame.stream) ? `DATA before the header section (stream ${frame.stream})` : undefined;
    });
  },
  /** The response to HEAD, a 204 and a 304 have no content (rfc9110#6.4.1). */
  "no-content-with-head-204-304": (watched) => {
    const empty = headStreams(watched);
    return firstFrame(watched, ({ frame, section }) => {
      const status = section?.of === "HEADERS" ? fieldOf(section.fields, ":status") : undefined;
      if (status === "204" || status === "304") empty.add(frame.stream);
      return empty.has(frame.stream) && (frame.data?.length ?? 0) > 0
        ? `content in a response that has none (stream ${frame.stream})`
        : undefined;
    });
  },
  /** A promised request is safe and cacheable, and has no content (rfc9113#8.4). */
  "promised-requests-safe": (watched) =>
    someSection(watched, ({ of, fields }) => {
      if (of !== "PUSH_PROMISE") return undefined;
      const method = fieldOf(fields, ":method") ?? "";
      if (method !== "GET" && method !== "HEAD") return `a promise of ${printable(method, 20)}`;
      const length = fieldOf(fields, "content-length");
      return length === undefined || length === "0" ? undefined : `a promise with content-length ${length}`;
    }),
  /** A promise is sent on a stream of ours that the subject has not ended (rfc9113#8.4.1). */
  "promises-on-open-streams": (watched) => {
    const open = new Set(watched.sent.flatMap(({ frame }) => (frame.type === "HEADERS" ? [frame.stream] : [])));
    return firstFrame(watched, ({ frame, section }) => {
      if (frame.type === "PUSH_PROMISE" && !open.has(frame.stream)) return `PUSH_PROMISE on stream ${frame.stream}`;
      if (frame.endStream === true || section?.endStream === true || frame.type === "RST_STREAM") open.delete(frame.stream);
      return undefined;
    });
  },
  /** Every final response has Date (rfc9110#6.6.1), if the subject has a clock. */
  "date-present": (watched) =>
    someSection(watched, ({ fields, of }) => {
      const status = fieldOf(fields, ":status");
      return of !== "HEADERS" || status === undefined || Number(status) < 200 || fieldOf(fields, "date") !== undefined
        ? undefined
        : "a response without date";
    }),
};

function contentLength(watched: Watched): string | undefined {
  const frames = watched.log.seen.filter(isFrame).filter(({ on }) => on === 0);
  const head = headStreams(watched);
  const declared = new Map<number, number>();
  const got = new Map<number, number>();
  for (const { frame, section } of frames) {
    if (section?.of === "HEADERS" && !isInterim(section)) {
      const value = fieldOf(section.fields, "content-length");
      const status = fieldOf(section.fields, ":status");
      if (value !== undefined && status !== "304" && !declared.has(section.stream)) declared.set(section.stream, Number(value));
    }
    if (frame.data !== undefined) got.set(frame.stream, (got.get(frame.stream) ?? 0) + frame.data.length);
    const ended = frame.endStream === true || section?.endStream === true;
    const wanted = declared.get(frame.stream);
    if (ended && wanted !== undefined && !head.has(frame.stream) && wanted !== (got.get(frame.stream) ?? 0)) {
      return `content-length ${wanted} with ${got.get(frame.stream) ?? 0} octets (stream ${frame.stream})`;
    }
  }
  return undefined;
}

function firstFrame(watched: Watched, problem: (seen: SeenFrame) => string | undefined): string | undefined {
  for (const seen of watched.log.seen.filter(isFrame)) {
    const found = seen.on === 0 ? problem(seen) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The streams of our HEAD requests. */
const headStreams = ({ sent }: Watched): Set<number> =>
  new Set(
    sent.flatMap(({ frame }) => (frame.type === "HEADERS" && frame.fragment !== undefined && isHead(frame.fragment) ? [frame.stream] : [])),
  );
/** Our own blocks are literals, so a HEAD request is visible in the octets. */
const isHead = (block: Uint8Array): boolean => Buffer.from(block).includes("\x07:method\x04HEAD");
