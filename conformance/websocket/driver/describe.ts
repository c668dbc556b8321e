import { outcomeWith } from "../../harness/words.ts";
import type { RawField } from "../../wire/http1/read.ts";
import { printable, toLatin1 } from "../../wire/octets.ts";
import { opcodeName } from "../../wire/websocket/numbers.ts";
import { payloadInWords } from "../../wire/websocket/words.ts";
import type { FieldSight, PayloadSight, Sight, StatusSight } from "../vocabulary.ts";
import type { Conversation } from "./connection.ts";

/** Sights and observations in words. */

const statusInWords = (status: StatusSight): string => status.join(" or ");
const onWords = (on: number | undefined): string => (on === undefined || on === 1 ? "" : ` on connection ${on}`);

const fieldInWords = ({ name, value, pattern, absent }: FieldSight): string => {
  if (absent === true) return `without ${name}`;
  if (value !== undefined) return `with ${name}: ${printable(value)}`;
  return pattern === undefined ? `with ${name}` : `with ${name} matching /${pattern}/`;
};
const fieldsInWords = (fields: readonly FieldSight[] | undefined): string => (fields ?? []).map((one) => ` ${fieldInWords(one)}`).join("");

const payloadSightInWords = ({ text, hex, fill }: PayloadSight): string => {
  if (text !== undefined) return ` "${printable(text, 40)}"`;
  if (hex !== undefined) return hex === "" ? " without content" : ` ${printable(hex, 40)}`;
  return fill === undefined ? "" : ` of ${fill.count} times "${printable(fill.text, 10)}"`;
};

const codesInWords = (codes: readonly (number | "none")[] | undefined): string =>
  codes === undefined ? "" : ` with ${codes.map((code) => (code === "none" ? "no code" : String(code))).join(" or ")}`;
const echoesInWords = (echoes: number | undefined): string =>
  echoes === undefined
    ? ""
    : echoes === 0
      ? ", no message sent back"
      : `, at most ${echoes} ${echoes === 1 ? "message" : "messages"} sent back`;

/** A sight as part of a sentence, in lower case, without a full stop. */
export function sightInWords(sight: Sight): string {
  switch (sight.see) {
    case "handshake":
      return `an answer ${statusInWords(sight.status ?? [101])} to the handshake${fieldsInWords(sight.fields)}${onWords(sight.on)}`;
    case "handshake rejected":
      return `the handshake refused with ${statusInWords(sight.status ?? ["4xx", "5xx"])}${fieldsInWords(sight.fields)}${onWords(sight.on)}`;
    case "message": {
      const { nth = 1, type, compressed } = sight;
      const how = compressed === undefined ? "" : compressed ? " compressed" : " uncompressed";
      return `message ${nth} back${type === undefined ? "" : ` as ${type}`}${how}${payloadSightInWords(sight)}${onWords(sight.on)}`;
    }
    case "messages":
      return `${sight.count} ${sight.count === 1 ? "message" : "messages"} back`;
    case "pong":
      return `a PONG${payloadSightInWords(sight)}${sight.nth === undefined ? "" : ` as number ${sight.nth}`}`;
    case "pongs":
      return sight.count === 0 ? "no PONG" : `exactly ${sight.count} ${sight.count === 1 ? "PONG" : "PONGs"}`;
    case "pings":
      return `${sight.count} of its own ${sight.count === 1 ? "PING" : "PINGs"} at least`;
    case "all echoed":
      return "every message back in order, and what followed answered";
    case "still open":
      return "what followed answered";
    case "Close frame":
      return `a Close frame${codesInWords(sight.codes)}${echoesInWords(sight.echoes)}`;
    case "Close and end":
      return `a Close frame${codesInWords(sight.codes)}${sight.reason === undefined ? "" : ` and the reason "${printable(sight.reason)}"`}, and the end of the connection${echoesInWords(sight.echoes)}`;
    case "closing handshake":
      return `our Close frame answered${codesInWords(sight.codes)}, and the end of the connection${echoesInWords(sight.echoes)}`;
    case "abnormal closure":
      return `the end of the connection without a Close frame${echoesInWords(sight.echoes)}`;
    case "no response":
      return `the end of the connection without an answer to the handshake${onWords(sight.on)}`;
    case "handshake failed":
      return `the end of the connection, and nothing sent after the handshake${onWords(sight.on)}`;
    case "handshake failed late":
      return `nothing sent after the handshake, and the end of the connection after we ended it${onWords(sight.on)}`;
    case "told": {
      const { code, reason, clean } = sight;
      const how = clean === undefined ? "" : clean ? " clean" : " unclean";
      const why = reason === undefined ? "" : reason === "" ? " without a reason" : ` with the reason "${printable(reason)}"`;
      return `its program told of a${how} end${code === undefined ? "" : ` with ${code}`}${why}${onWords(sight.on)}`;
    }
    case "holds":
      return `${sight.monitor}, in everything it sent`;
    case "not":
      return `not ${sightInWords(sight.of)}`;
    case "all":
      return sight.of.map(sightInWords).join(", and ");
    case "any":
      return sight.of.map(sightInWords).join(", or ");
  }
}

export const outcomeInWords = outcomeWith(sightInWords);

const SHOWN_FRAMES = 6;

/** Fields of every handshake, with the same values or with values of chance, and those of servers and proxies themselves. */
const USUAL =
  /^(?::|(?:host|upgrade|connection|sec-websocket-(?:key|accept|version)|content-(?:length|type)|transfer-encoding|date|server|via|keep-alive|user-agent|accept|accept-encoding|accept-language|cache-control|pragma)$)/i;
/** The other fields of a handshake. */
export const specialFields = (fields: readonly RawField[] = []): string => {
  const shown = fields.filter(({ name }) => !USUAL.test(name)).map(({ name, value }) => `${name.toLowerCase()}: ${value}`);
  return shown.length === 0 ? "" : ` (${printable(shown.join(", "), 200)})`;
};

const answerInWords = ({ response, open }: Conversation): string =>
  response === undefined ? "no answer to the handshake" : `${response.status}${open ? specialFields(response.fields) : ""}`;

function conversationInWords(conversation: Conversation, handshakeInWords: (one: Conversation) => string): string {
  const { theirs, ended, on } = conversation;
  const frames = theirs.frames.slice(0, SHOWN_FRAMES).map(({ opcode, payload, code, reason, rsv }) => {
    const name = opcodeName(opcode).toUpperCase();
    const bits = rsv === 0 ? "" : ` RSV ${rsv}`;
    if (code === undefined) return `${name}${bits} ${payloadInWords(payload)}`;
    return `${name} ${code}${(reason?.length ?? 0) === 0 ? "" : ` "${printable(toLatin1(reason ?? payload), 40)}"`}`;
  });
  const parts = [
    handshakeInWords(conversation),
    ...frames,
    ...(theirs.frames.length > SHOWN_FRAMES ? [`${theirs.frames.length - SHOWN_FRAMES} frames more`] : []),
    ...(ended === undefined ? [] : [ended === "fin" ? "the end of the connection" : "a reset of the connection"]),
  ];
  return `${on === 1 ? "" : `connection ${on}: `}${parts.join(", ")}`;
}

/** The reports of the subject's program. */
export const reportsInWords = (reports: ReadonlyMap<number, string>): string =>
  [...reports].map(([on, report]) => `; its program was told${onWords(on)} ${printable(report, 400)}`).join("");

export const observedInWords = (conversations: readonly Conversation[], fenced: boolean, handshakeInWords = answerInWords): string =>
  conversations.length === 0
    ? "nothing"
    : `${conversations.map((one) => conversationInWords(one, handshakeInWords)).join("; ")}${fenced ? "; the next message was answered" : ""}`;
