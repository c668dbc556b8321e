import { outcomeWith } from "../../harness/words.ts";
import { inWords } from "../../wire/http2/words.ts";
import type { Sight, StreamRef } from "../vocabulary.ts";
import type { Seen } from "./log.ts";
import { isErrorGoaway, isFrame } from "./sights.ts";

/** Sights and observations in words. */

const streamWords = (stream: StreamRef): string =>
  typeof stream === "number" ? `on stream ${stream}` : `on the stream of ${stream === "request" ? "the request" : stream}`;
const oneOf = (values: string | number | readonly (string | number)[]): string =>
  Array.isArray(values) ? values.join(" or ") : String(values);

export function sightInWords(sight: Sight): string {
  switch (sight.see) {
    case "GOAWAY":
      return `GOAWAY with ${oneOf(sight.code)}`;
    case "RST_STREAM":
      return `RST_STREAM ${streamWords(sight.stream)} with ${oneOf(sight.code)}`;
    case "closed":
      return "the connection closed without a GOAWAY that names an error";
    case "http1":
      return "an answer in HTTP/1.1";
    case "response": {
      const status = sight.status === undefined ? "" : ` with status ${oneOf(sight.status)}`;
      const like = sight.sameStatusAs === undefined ? "" : ` with the status of the one ${streamWords(sight.sameStatusAs)}`;
      return `${sight.complete === true ? "a complete response" : "a response"} ${streamWords(sight.stream)}${status}${like}`;
    }
    case "frame": {
      const where = Object.entries(sight.where ?? {}).map(([name, value]) => `${name} ${value}`);
      const details = [...(sight.stream === undefined ? [] : [streamWords(sight.stream)]), ...where];
      const count = sight.count === undefined || sight.count === 1 ? "" : `, ${sight.count} times`;
      return `${sight.type}${details.length === 0 ? "" : ` ${details.join(", ")}`}${count}`;
    }
    case "content":
      return `DATA of at least ${sight.octets} octets${sight.stream === undefined ? "" : ` ${streamWords(sight.stream)}`}`;
    case "text":
      return `content ${streamWords(sight.stream)} with the text "${sight.text}"`;
    case "accepted":
      return "accepted: the next message was answered, and nothing was rejected";
    case "accepted without":
      return `accepted, without ${sight.not.map(sightInWords).join(" or ")}`;
    case "request": {
      const where = Object.entries(sight.where ?? {}).map(([name, value]) => `${name}=${value}`);
      const which = sight.nth === undefined || sight.nth === 1 ? "a request" : `request number ${sight.nth}`;
      return where.length === 0 ? which : `${which} with ${where.join(" ")}`;
    }
    case "exit":
      return sight.ok ? "the command exits with status 0" : "the command exits with a status other than 0";
    case "holds":
      return `${sight.monitor.replaceAll("-", " ")} held for everything that it sent`;
    case "tls":
      return `the separate TLS connection: ${oneOf(sight.outcome)}`;
    case "all":
      return sight.of.map(sightInWords).join(", and ");
  }
}

export const outcomeInWords = outcomeWith(sightInWords);

export function seenInWords(seen: Seen): string {
  switch (seen.is) {
    case "frame":
      return inWords(
        seen.frame,
        seen.section?.fields.filter(([name]) => name === ":status" || name === ":method"),
      );
    case "end":
      return seen.how === "fin" ? "the connection closed" : "the connection was reset";
    case "garbage":
      return seen.text;
    case "tls":
      return seen.words;
    case "exit":
      return seen.code === null ? `the command was killed by ${seen.signal ?? "a signal"}` : `the command exited with status ${seen.code}`;
  }
}

/** What came, without the frames that every connection shows: the telling ones, then how it ended. */
export function observedInWords(seen: readonly Seen[], fence: "answered" | "unanswered" | "none"): string {
  const telling = seen.filter((one) => {
    if (!isFrame(one)) return true;
    const { type } = one.frame;
    return type !== "SETTINGS" && type !== "WINDOW_UPDATE" && type !== "PING" && type !== "DATA" && type !== "CONTINUATION";
  });
  const shown = telling.length > 6 ? [...telling.slice(0, 2), undefined, ...telling.slice(-3)] : telling;
  const words = shown.map((one) => (one === undefined ? `… ${telling.length - 5} more` : seenInWords(one)));
  if (fence === "answered") words.push("what was sent after it was answered");
  if (fence === "unanswered" && !seen.some((one) => one.is === "end" || isErrorGoaway(one))) words.push("silence");
  return words.length === 0 ? "nothing" : words.join("; ");
}
