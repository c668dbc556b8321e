import { DEFAULTS } from "../../wire/http2/numbers.ts";
import { toHex } from "../../wire/octets.ts";
import { encoderMonitors } from "./monitors-hpack.ts";
import { messageMonitors } from "./monitors-message.ts";
import { isFrame, type SeenFrame } from "./sights.ts";
import type { Watched, Monitor } from "./watched.ts";

const framesOf = ({ log }: Watched): SeenFrame[] => log.seen.filter(isFrame).filter(({ on }) => on === 0);
const first = <T>(items: readonly T[], problem: (item: T, at: number) => string | undefined | false): string | undefined => {
  for (const [at, item] of items.entries()) {
    const found = problem(item, at);
    if (found !== undefined && found !== false) return found;
  }
  return undefined;
};
/** The largest value of one setting of ours that may apply: the last acknowledged one, or one announced since (rfc9113#6.5.3). */
class Limits {
  readonly #watched: Watched;
  readonly #name: string;
  #acknowledged: number;
  readonly #announced: number[][] = [];
  #sent = 0;
  #seen = 0;

  constructor(watched: Watched, name: string, initial: number) {
    this.#watched = watched;
    this.#name = name;
    this.#acknowledged = initial;
  }

  /** The limit for the observation at this position; positions may only grow. */
  at(position: number): number {
    const { sent, log } = this.#watched;
    for (; this.#seen <= position; this.#seen++) {
      for (; this.#sent < sent.length && (sent[this.#sent]?.after ?? 0) <= this.#seen; this.#sent++)
        this.#announce(sent[this.#sent]?.frame);
      const seen = log.seen[this.#seen];
      const isAck = seen !== undefined && isFrame(seen) && seen.on === 0 && seen.frame.type === "SETTINGS" && seen.frame.ack === true;
      if (isAck) this.#acknowledged = this.#announced.shift()?.at(-1) ?? this.#acknowledged;
    }
    return Math.max(this.#acknowledged, ...this.#announced.flat());
  }

  #announce(frame: Watched["sent"][number]["frame"] | undefined): void {
    if (frame?.type !== "SETTINGS" || frame.ack !== false) return;
    this.#announced.push((frame.settings ?? []).filter(([name]) => name === this.#name).map(([, value]) => value));
  }
}

const STREAM_ZERO = new Set(["SETTINGS", "PING", "GOAWAY", "PRIORITY_UPDATE"]);
const STREAM_ONLY = new Set(["DATA", "HEADERS", "PRIORITY", "RST_STREAM", "PUSH_PROMISE", "CONTINUATION"]);
const UNDEFINED_FLAGS: Readonly<Record<string, number>> = {
  DATA: 0xf6,
  HEADERS: 0xd2,
  PRIORITY: 0xff,
  RST_STREAM: 0xff,
  SETTINGS: 0xfe,
  PUSH_PROMISE: 0xf3,
  PING: 0xfe,
  GOAWAY: 0xff,
  WINDOW_UPDATE: 0xff,
  CONTINUATION: 0xfb,
};

const wireMonitors: Readonly<Record<string, Monitor>> = {
  /** The first frame is SETTINGS, not an acknowledgement (rfc9113#3.4). */
  "settings-first": (watched) => {
    const [one] = framesOf(watched);
    return one === undefined || (one.frame.type === "SETTINGS" && one.frame.ack === false)
      ? undefined
      : `the first frame was ${one.frame.type}`;
  },
  /** All content of stream 3 precedes that of stream 1 (rfc9218#10). */
  "content-of-stream-3-first": (watched) => {
    const content = framesOf(watched).flatMap(({ frame }) => (frame.type === "DATA" && frame.length > 0 ? [frame.stream] : []));
    const begin = content.indexOf(1);
    return begin >= 0 && content.lastIndexOf(3) > begin ? "content of stream 1 came before the last of stream 3" : undefined;
  },
  /** Each SETTINGS of ours is acknowledged once (rfc9113#6.5.3). */
  "settings-acknowledged": (watched) => {
    const ours = watched.sent.filter(({ frame }) => frame.type === "SETTINGS" && frame.ack === false).length;
    const acks = framesOf(watched).filter(({ frame }) => frame.type === "SETTINGS" && frame.ack === true).length;
    return ours === acks ? undefined : `${ours} SETTINGS were acknowledged ${acks} times`;
  },
  /** h2c, the name for HTTP/2 without TLS, is not offered to a TLS server (rfc9113#3.2). */
  "h2c-not-offered": ({ log }) => (log.offered.has("h2c") ? "it offers h2c by ALPN" : undefined),
  /** Every setting has a legal value, and a server does not enable push (rfc9113#6.5.2). */
  "setting-values-legal": (watched) =>
    first(
      framesOf(watched).flatMap(({ frame }) => frame.settings ?? []),
      ([name, value]) => illegalSetting(name, value, watched.role),
    ),
  /** Every frame has the length and layout of its type (rfc9113#6). */
  "frames-well-formed": (watched) => first(framesOf(watched), ({ frame }) => frame.problem && `${frame.type}: ${frame.problem}`),
  /** No payload is larger than we allow (rfc9113#4.2). */
  "frame-sizes": (watched) => {
    const limits = new Limits(watched, "MAX_FRAME_SIZE", DEFAULTS.maxFrameSize);
    return first(watched.log.seen, (seen, at) => {
      const limit = limits.at(at);
      if (!isFrame(seen) || seen.on !== 0) return undefined;
      const { type, length } = seen.frame;
      return length > limit && `${type} of ${length} octets where ${limit} are allowed`;
    });
  },
  /** The reserved bit is unset (rfc9113#4.1). */
  "reserved-bit-unset": (watched) => first(framesOf(watched), ({ frame }) => frame.reservedBit && `${frame.type} with the reserved bit`),
  /** No flag is set that the type does not define (rfc9113#4.1). */
  "undefined-flags-unset": (watched) =>
    first(
      framesOf(watched),
      ({ frame }) => (frame.flags & (UNDEFINED_FLAGS[frame.type] ?? 0)) !== 0 && `${frame.type} with flags 0x${frame.flags.toString(16)}`,
    ),
  /** Padding consists of zero octets (rfc9113#6.1). */
  "padding-zero": (watched) =>
    first(framesOf(watched), ({ frame }) => frame.dirtyPad === true && `${frame.type} with padding that is not zero`),
  /** Connection frames are on stream 0, stream frames on others (rfc9113#6). */
  "stream-identifiers": (watched) =>
    first(framesOf(watched), ({ frame }) => {
      if (STREAM_ZERO.has(frame.type) && frame.stream !== 0) return `${frame.type} on stream ${frame.stream}`;
      return STREAM_ONLY.has(frame.type) && frame.stream === 0 && `${frame.type} on stream 0`;
    }),
  /** Nothing comes between HEADERS or PUSH_PROMISE and the last CONTINUATION of its block (rfc9113#4.3). */
  "field-blocks-contiguous": (watched) => {
    let open: number | undefined;
    return first(framesOf(watched), ({ frame }) => {
      const wrong = open === undefined ? frame.type === "CONTINUATION" : frame.type !== "CONTINUATION" || frame.stream !== open;
      if (wrong)
        return `${frame.type} on stream ${frame.stream} ${open === undefined ? "without a block" : `inside the block of stream ${open}`}`;
      if (frame.fragment !== undefined) open = frame.endHeaders === true ? undefined : frame.stream;
      return undefined;
    });
  },
  /** After END_STREAM or RST_STREAM, only WINDOW_UPDATE, PRIORITY or RST_STREAM on that stream (rfc9113#5.1). */
  "nothing-after-end-stream": (watched) => {
    const ended = new Set<number>();
    let ending: number | undefined;
    return first(framesOf(watched), ({ frame }) => {
      const { type, stream } = frame;
      if (ended.has(stream) && ["DATA", "HEADERS", "PUSH_PROMISE"].includes(type)) return `${type} on stream ${stream} after its end`;
      if (type === "HEADERS" && frame.endStream === true && frame.endHeaders !== true) ending = stream;
      else if (frame.endStream === true || type === "RST_STREAM") ended.add(stream);
      if (type === "CONTINUATION" && frame.endHeaders === true && ending === stream) ended.add(stream);
      return undefined;
    });
  },
  /** DATA stays within our windows, that of the stream and that of the connection (rfc9113#6.9.1). */
  "flow-control": (watched) => flowControl(watched),
  /** No WINDOW_UPDATE has an increment of 0 (rfc9113#6.9). */
  "window-increments-not-zero": (watched) =>
    first(framesOf(watched), ({ frame }) => frame.increment === 0 && `WINDOW_UPDATE of 0 on stream ${frame.stream}`),
  /** No PUSH_PROMISE after we disabled push (rfc9113#6.5.2). */
  "no-push": (watched) =>
    first(framesOf(watched), ({ frame }) => frame.type === "PUSH_PROMISE" && `PUSH_PROMISE of stream ${frame.promised}`),
  /** New streams have the subject's parity and increasing identifiers (rfc9113#5.1.1). */
  "stream-identifiers-increase": (watched) => newStreamsRise(watched),
  /** The last stream of GOAWAY never increases (rfc9113#6.8). */
  "goaway-never-rises": (watched) => {
    let last = Number.POSITIVE_INFINITY;
    return first(framesOf(watched), ({ frame }) => {
      if (frame.type !== "GOAWAY" || frame.last === undefined) return undefined;
      if (frame.last > last) return `GOAWAY with last stream ${frame.last} after one with ${last}`;
      last = frame.last;
      return undefined;
    });
  },
  /** Nothing is sent on a stream of ours above the last one of the subject's GOAWAY, which has not been processed (rfc9113#6.8). */
  "nothing-beyond-goaway": (watched) => {
    let last = Number.POSITIVE_INFINITY;
    return first(framesOf(watched), ({ frame }) => {
      if (frame.type === "GOAWAY") last = Math.min(last, frame.last ?? last);
      const answers = (frame.type === "HEADERS" || frame.type === "DATA") && frame.stream % 2 === 1;
      return answers && frame.stream > last && `${frame.type} on stream ${frame.stream} after GOAWAY with last stream ${last}`;
    });
  },
  /** The subject never has more open streams than we allow (rfc9113#5.1.2). */
  "concurrent-streams": (watched) => concurrent(watched),
  /** RST_STREAM is not answered with RST_STREAM (rfc9113#5.4.2). */
  "rst-stream-not-answered": (watched) => {
    const { log, sent } = watched;
    return first(log.seen, (seen, at) => {
      if (!isFrame(seen) || seen.on !== 0 || seen.frame.type !== "RST_STREAM") return undefined;
      const ours = sent.some(({ frame, after }) => frame.type === "RST_STREAM" && frame.stream === seen.frame.stream && after <= at);
      return ours && `RST_STREAM on stream ${seen.frame.stream}, which we had reset`;
    });
  },
  /** No new stream after our GOAWAY was certainly read: after the acknowledgement of a PING that followed it (rfc9113#6.8). */
  "no-stream-after-goaway": (watched) => {
    const { log, sent } = watched;
    const goaway = sent.findIndex(({ frame }) => frame.type === "GOAWAY");
    const ping = goaway < 0 ? undefined : sent.slice(goaway).find(({ frame }) => frame.type === "PING" && frame.ack === false);
    if (ping === undefined) return undefined;
    const hex = toHex(ping.frame.payload);
    const read = log.seen.findIndex(
      (seen) => isFrame(seen) && seen.on === 0 && seen.frame.ack === true && toHex(seen.frame.payload) === hex,
    );
    const before = new Set(
      log.seen
        .slice(0, read + 1)
        .filter(isFrame)
        .map(({ frame }) => frame.stream),
    );
    return first(read < 0 ? [] : log.seen.slice(read), (seen) => {
      const opens = isFrame(seen) && seen.on === 0 && seen.frame.type === "HEADERS" && !before.has(seen.frame.stream);
      return opens && `HEADERS on the new stream ${seen.frame.stream} after GOAWAY`;
    });
  },
  /** No stream is reset twice. */
  "one-rst-stream-per-stream": (watched) => {
    const reset = new Set<number>();
    return first(framesOf(watched), ({ frame }) => {
      if (frame.type !== "RST_STREAM") return undefined;
      if (reset.has(frame.stream)) return `two RST_STREAM on stream ${frame.stream}`;
      reset.add(frame.stream);
      return undefined;
    });
  },
};

const illegalSetting = (name: string, value: number, role: "server" | "client"): string | undefined => {
  const max: Readonly<Record<string, number>> = {
    ENABLE_PUSH: role === "server" ? 0 : 1,
    INITIAL_WINDOW_SIZE: 0x7fff_ffff,
    MAX_FRAME_SIZE: 0xff_ffff,
    ENABLE_CONNECT_PROTOCOL: 1,
    NO_RFC7540_PRIORITIES: 1,
  };
  const low = name === "MAX_FRAME_SIZE" ? DEFAULTS.maxFrameSize : 0;
  return value < low || value > (max[name] ?? 0xffff_ffff) ? `${name}=${value}` : undefined;
};

function flowControl(watched: Watched): string | undefined {
  const { sent, log } = watched;
  let initial: number = DEFAULTS.window;
  let connection: number = DEFAULTS.window;
  const streams = new Map<number, number>();
  let next = 0;
  const grantUpTo = (index: number): void => {
    for (; next < sent.length && (sent[next]?.after ?? 0) <= index; next++) {
      const frame = sent[next]?.frame;
      for (const [name, value] of frame?.ack === false ? (frame.settings ?? []) : []) {
        if (name !== "INITIAL_WINDOW_SIZE") continue;
        // A larger window may be used as soon as it is sent; a smaller one binds only after its acknowledgement, which the cases wait for.
        for (const [id, size] of streams) streams.set(id, size + value - initial);
        initial = value;
      }
      if (frame?.type !== "WINDOW_UPDATE") continue;
      if (frame.stream === 0) connection += frame.increment ?? 0;
      else streams.set(frame.stream, (streams.get(frame.stream) ?? initial) + (frame.increment ?? 0));
    }
  };
  return first(log.seen, (seen, at) => {
    grantUpTo(at);
    if (!isFrame(seen) || seen.on !== 0 || seen.frame.type !== "DATA" || seen.frame.length === 0) return undefined;
    const { stream, length } = seen.frame;
    connection -= length;
    streams.set(stream, (streams.get(stream) ?? initial) - length);
    if (connection < 0) return `${-connection} octets beyond the connection's window`;
    const left = streams.get(stream) ?? 0;
    return left < 0 && `${-left} octets beyond the window of stream ${stream}`;
  });
}

function newStreamsRise(watched: Watched): string | undefined {
  let last = 0;
  const odd = watched.role === "client" ? 1 : 0;
  return first(framesOf(watched), ({ frame }) => {
    const opened =
      watched.role === "client"
        ? frame.type === "HEADERS"
          ? frame.stream
          : undefined
        : frame.type === "PUSH_PROMISE"
          ? frame.promised
          : undefined;
    if (opened === undefined || (opened <= last && watched.role === "client" && opened % 2 === 1)) return undefined;
    if (opened % 2 !== odd) return `stream ${opened} has the other side's parity`;
    if (opened <= last) return `stream ${opened} after stream ${last}`;
    last = opened;
    return undefined;
  });
}

function concurrent(watched: Watched): string | undefined {
  const theirs = watched.role === "client" ? 1 : 0;
  const open = new Set<number>();
  const limits = new Limits(watched, "MAX_CONCURRENT_STREAMS", Number.POSITIVE_INFINITY);
  let next = 0;
  return first(watched.log.seen, (seen, at) => {
    for (; next < watched.sent.length && (watched.sent[next]?.after ?? 0) <= at; next++) {
      const frame = watched.sent[next]?.frame;
      if (frame !== undefined && (frame.endStream === true || frame.type === "RST_STREAM")) open.delete(frame.stream);
    }
    const limit = limits.at(at);
    if (!isFrame(seen) || seen.on !== 0) return undefined;
    const { type, stream } = seen.frame;
    const opens = type === "HEADERS" && stream % 2 === theirs && !open.has(stream);
    if (opens) open.add(stream);
    if (type === "RST_STREAM" || (watched.role === "server" && seen.frame.endStream === true)) open.delete(stream);
    // A lower limit closes no open stream; it only prevents new ones (rfc9113#5.1.2).
    return opens && open.size > limit && `${open.size} streams open where ${limit} are allowed`;
  });
}

const MONITORS: Readonly<Record<string, Monitor>> = { ...wireMonitors, ...messageMonitors, ...encoderMonitors };
/** Every name that a `holds` sight may use. */
export const monitorNames: readonly string[] = Object.keys(MONITORS);

/** What broke the property of this name; undefined while it holds. */
export function monitor(name: string, watched: Watched): string | undefined {
  const known = MONITORS[name];
  if (known === undefined) throw new Error(`There is no monitor "${name}". Known: ${monitorNames.join(", ")}.`);
  return known(watched);
}
