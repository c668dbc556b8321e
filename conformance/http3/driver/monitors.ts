import { isReserved, STREAMS } from "../../wire/http3/numbers.ts";
import type { ReadField } from "../../wire/http3/read.ts";
import type { Seen } from "./log.ts";
import { isFrame, type SeenFrame } from "./sights.ts";

/** What a monitor looks at: everything observed on the connection of the case. */
export type Watched = {
  readonly seen: readonly Seen[];
  readonly role: "server" | "client";
  /** We have sent MAX_PUSH_ID. */
  readonly allowsPush: boolean;
};
/** A property of everything that the subject sent: undefined while it holds, otherwise its violation. */
type Monitor = (watched: Watched) => string | undefined;

const kindsOf = (seen: readonly Seen[]): ReadonlyMap<number, string> =>
  new Map(seen.flatMap((one) => (one.is === "opened" ? [[one.stream, one.kind] as const] : [])));
const countOf = (kind: string, seen: readonly Seen[]): number => seen.filter((one) => one.is === "opened" && one.kind === kind).length;
const framesOn = (kind: string, seen: readonly Seen[]): SeenFrame[] => {
  const kinds = kindsOf(seen);
  return seen.filter(isFrame).filter(({ stream }) => kinds.get(stream) === kind);
};
/** The frames of messages. */
const messageFrames = (seen: readonly Seen[]): SeenFrame[] => seen.filter(isFrame).filter(({ stream }) => stream % 4 < 2);

/** The first of the items that is wrong, in words. */
function firstOf<Item>(items: readonly Item[], wrong: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const words = wrong(item);
    if (words !== undefined) return words;
  }
  return undefined;
}

const CRITICAL = Object.keys(STREAMS).filter((kind) => kind !== "push");
/** Types and settings of HTTP/2 without a counterpart (rfc9114#7.2.8, #7.2.4.1). */
const HTTP2_FRAMES = new Set(["0x2", "0x6", "0x8", "0x9"]);
const HTTP2_SETTINGS = new Set(["0x0", "0x2", "0x3", "0x4", "0x5"]);
const FOR_CONTROL = new Set(["SETTINGS", "GOAWAY", "CANCEL_PUSH", "MAX_PUSH_ID", "PRIORITY_UPDATE", "PRIORITY_UPDATE_PUSH"]);
const FOR_MESSAGES = new Set(["DATA", "HEADERS", "PUSH_PROMISE"]);
const CONNECTION_SPECIFIC = new Set(["connection", "proxy-connection", "keep-alive", "transfer-encoding", "upgrade"]);

const settingsOf = (seen: readonly Seen[]): (readonly [string, number])[] =>
  framesOn("control", seen).flatMap(({ frame }) => [...(frame.settings ?? [])]);

function repeated(names: readonly string[]): string | undefined {
  return names.find((name, at) => names.indexOf(name) < at);
}

/** The sections of the messages, without those that do not decode. */
const sectionsIn = (seen: readonly Seen[]): { readonly fields: readonly ReadField[]; readonly one: SeenFrame }[] =>
  messageFrames(seen).flatMap((one) => (one.frame.type === "HEADERS" && one.fields !== undefined ? [{ fields: one.fields, one }] : []));
const isTrailer = (fields: readonly ReadField[]): boolean => !fields.some(([name]) => name === ":status" || name === ":method");

const statusOf = (fields: readonly ReadField[]): string | undefined => fields.find(([name]) => name === ":status")?.[1];

/** The final responses with their content. */
function responsesIn(
  seen: readonly Seen[],
): { stream: number; fields: readonly ReadField[]; octets: number; ended: boolean; sections: number }[] {
  const streams = [...new Set(messageFrames(seen).map(({ stream }) => stream))];
  return streams.flatMap((stream) => {
    const those = messageFrames(seen).filter((one) => one.stream === stream);
    const sections = those.filter(({ frame, fields }) => frame.type === "HEADERS" && fields !== undefined);
    const head = sections.find(({ fields = [] }) => /^[2-5]/.test(statusOf(fields) ?? ""));
    if (head?.fields === undefined) return [];
    const octets = those.reduce((sum, { frame }) => sum + (frame.type === "DATA" ? frame.length : 0), 0);
    const ended = seen.some((one) => one.is === "end" && one.stream === stream);
    return [{ stream, fields: head.fields, octets, ended, sections: sections.slice(sections.indexOf(head)).length }];
  });
}

/** What may come next in a message: an interim response, the final one, content, trailers (rfc9114#4.1). */
function sequence(frames: readonly SeenFrame[]): string | undefined {
  let state: "head" | "content" | "over" = "head";
  for (const { frame, fields = [] } of frames) {
    if (frame.type === "DATA" && state !== "content")
      return `DATA on stream ${frames[0]?.stream} ${state === "head" ? "before" : "after"} the header sections`;
    if (frame.type !== "HEADERS") continue;
    if (state === "over") return `a third section on stream ${frames[0]?.stream}`;
    if (state === "content") state = "over";
    else if (statusOf(fields)?.startsWith("1") !== true) state = "content";
  }
  return undefined;
}

const MONITORS: Readonly<Record<string, Monitor>> = {
  "one-control-stream": ({ seen }) => {
    const count = countOf("control", seen);
    return count === 1 ? undefined : `it opened ${count} control streams`;
  },
  "settings-first": ({ seen }) => {
    const [first] = framesOn("control", seen);
    if (first === undefined) return "no frame came on its control stream";
    return first.frame.type === "SETTINGS" ? undefined : `its control stream began with ${first.frame.type}`;
  },
  "settings-once": ({ seen }) => {
    const count = framesOn("control", seen).filter(({ frame }) => frame.type === "SETTINGS").length;
    return count === 1 ? undefined : `it sent ${count} SETTINGS frames`;
  },
  "settings-differ": ({ seen }) => {
    const twice = repeated(settingsOf(seen).map(([name]) => name));
    return twice === undefined ? undefined : `it announced ${twice} twice`;
  },
  "no-settings-of-http2": ({ seen }) =>
    firstOf(settingsOf(seen), ([name]) => (HTTP2_SETTINGS.has(name) ? `it announced the setting ${name} of HTTP/2` : undefined)),
  "settings-grease": ({ seen }) =>
    settingsOf(seen).some(([name]) => name.startsWith("0x") && isReserved(Number(name)))
      ? undefined
      : "none of its settings was a reserved one",
  "switches-are-0-or-1": ({ seen }) =>
    firstOf(settingsOf(seen), ([name, value]) =>
      (name === "ENABLE_CONNECT_PROTOCOL" || name === "H3_DATAGRAM") && value > 1 ? `it announced ${name}=${value}` : undefined,
    ),
  "no-frames-of-http2": ({ seen }) =>
    firstOf(seen.filter(isFrame), ({ frame, stream }) =>
      HTTP2_FRAMES.has(frame.type) ? `it sent a frame of type ${frame.type} on stream ${stream}` : undefined,
    ),
  "frames-in-place": ({ seen, role }) =>
    firstOf(framesOn("control", seen), ({ frame }) => {
      if (FOR_MESSAGES.has(frame.type)) return `it sent ${frame.type} on its control stream`;
      return role === "server" && /^MAX_PUSH_ID$|^PRIORITY_UPDATE/.test(frame.type) ? `it sent ${frame.type}` : undefined;
    }) ??
    firstOf(messageFrames(seen), ({ frame, stream }) =>
      FOR_CONTROL.has(frame.type) ? `it sent ${frame.type} on stream ${stream}` : undefined,
    ),
  "frames-complete": ({ seen }) =>
    firstOf(seen, (one) => {
      if (one.is === "end" && one.cut) return `stream ${one.stream} ended within a frame`;
      return isFrame(one) && one.frame.problem !== undefined
        ? `${one.frame.type} on stream ${one.stream}: ${one.frame.problem}`
        : undefined;
    }),
  "messages-in-order": ({ seen }) => {
    const streams = [...new Set(messageFrames(seen).map(({ stream }) => stream))];
    return firstOf(streams, (stream) => sequence(messageFrames(seen).filter((one) => one.stream === stream)));
  },
  "no-bidirectional-streams": ({ seen }) => (countOf("bidirectional", seen) === 0 ? undefined : "it opened a bidirectional stream"),
  "no-push": ({ seen, allowsPush }) => {
    if (allowsPush) return undefined;
    if (countOf("push", seen) > 0) return "it opened a push stream, although no MAX_PUSH_ID permits any";
    return seen.some((one) => isFrame(one) && one.frame.type === "PUSH_PROMISE")
      ? "it promised a push, although no MAX_PUSH_ID permits any"
      : undefined;
  },
  "critical-streams-last": ({ seen }) => {
    const kinds = kindsOf(seen);
    return firstOf(seen, (one) => {
      if (one.is !== "end" && one.is !== "reset") return undefined;
      const kind = kinds.get(one.stream) ?? "";
      return CRITICAL.includes(kind) ? `it ended its ${kind} stream` : undefined;
    });
  },
  "one-encoder-stream": ({ seen }) => (countOf("encoder", seen) <= 1 ? undefined : `it opened ${countOf("encoder", seen)} encoder streams`),
  "one-decoder-stream": ({ seen }) => (countOf("decoder", seen) <= 1 ? undefined : `it opened ${countOf("decoder", seen)} decoder streams`),
  "sections-decode": ({ seen }) =>
    firstOf(seen, (one) =>
      isFrame(one) && one.problem !== undefined ? `a section on stream ${one.stream} does not decode: ${one.problem}` : undefined,
    ),
  "insertions-decode": ({ seen }) =>
    firstOf(seen, (one) =>
      one.is === "insertions" && one.problem !== undefined ? `its encoder stream cannot be read: ${one.problem}` : undefined,
    ),
  "no-instructions-without-table": ({ seen }) =>
    seen.some(({ is }) => is === "insertions") ? "it sent instructions although no table is permitted" : undefined,
  "names-in-lower-case": ({ seen }) =>
    firstOf(
      sectionsIn(seen).flatMap(({ fields }) => [...fields]),
      ([name]) => (/[A-Z]/.test(name) ? `it sent the field name ${name}` : undefined),
    ),
  "no-connection-fields": ({ seen }) =>
    firstOf(
      sectionsIn(seen).flatMap(({ fields }) => [...fields]),
      ([name]) => (CONNECTION_SPECIFIC.has(name) ? `it sent the field ${name}` : undefined),
    ),
  "fields-valid": ({ seen }) =>
    firstOf(
      sectionsIn(seen).flatMap(({ fields }) => [...fields]),
      ([name, value]) => {
        if (!/^:?[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) return `it sent the invalid field name "${name}"`;
        return /[\0\r\n]|^[ \t]|[ \t]$/.test(value) ? `the value of its field ${name} is invalid` : undefined;
      },
    ),
  "status-alone-and-first": ({ seen }) =>
    firstOf(sectionsIn(seen), ({ fields, one }) => {
      const pseudo = fields.filter(([name]) => name.startsWith(":"));
      if (isTrailer(fields)) return pseudo.length === 0 ? undefined : `trailers on stream ${one.stream} have ${pseudo[0]?.[0]}`;
      if (pseudo.length !== 1 || pseudo[0]?.[0] !== ":status")
        return `a response on stream ${one.stream} has ${pseudo.map(([name]) => name).join(", ")}`;
      if (!/^[1-5]\d\d$/.test(pseudo[0][1])) return `a response has the status "${pseudo[0][1]}"`;
      return fields[0]?.[0] === ":status" ? undefined : `a response on stream ${one.stream} has :status after a regular field`;
    }),
  "no-101": ({ seen }) => firstOf(sectionsIn(seen), ({ fields }) => (statusOf(fields) === "101" ? "it sent the status 101" : undefined)),
  "content-length-agrees": ({ seen }) =>
    firstOf(responsesIn(seen), ({ stream, fields, octets, ended }) => {
      const length = fields.find(([name]) => name === "content-length")?.[1];
      const agrees = length === undefined || !ended || Number(length) === octets || octets === 0;
      return agrees ? undefined : `on stream ${stream} it announced ${length} octets of content, and sent ${octets}`;
    }),
  "one-final-response": ({ seen }) =>
    firstOf([...new Set(messageFrames(seen).map(({ stream }) => stream))], (stream) => {
      const finals = sectionsIn(seen).filter(({ fields, one }) => one.stream === stream && /^[2-5]/.test(statusOf(fields) ?? ""));
      return finals.length <= 1 ? undefined : `it sent ${finals.length} final responses on stream ${stream}`;
    }),
  "responses-end": ({ seen }) =>
    firstOf(responsesIn(seen), ({ stream, ended }) => (ended ? undefined : `it did not end stream ${stream} after its response`)),
};

export const monitorNames: readonly string[] = Object.keys(MONITORS);

/** What broke the property of this name. */
export function monitor(name: string, watched: Watched): string | undefined {
  const find = MONITORS[name];
  if (find === undefined) throw new RangeError(`there is no monitor "${name}"`);
  return find(watched);
}
