import { orList, outcomeWith } from "../../harness/words.ts";
import { inWords } from "../../wire/http3/words.ts";
import type { Sight } from "../vocabulary.ts";
import type { Seen } from "./log.ts";
import { isFrame } from "./sights.ts";

/** Sights and observations in words. */

const onWords = (on: string): string => (/^(?:control|encoder|decoder)$/.test(on) ? `on the ${on} stream` : `on ${on}`);
const withCode = (code: unknown): string => (code === undefined ? "" : ` with ${orList(code)}`);

export function sightInWords(sight: Sight): string {
  switch (sight.see) {
    case "close":
      return `the connection closed with ${orList(sight.code)}`;
    case "closed":
      return "the connection ended without an error that HTTP/3 names";
    case "stream error":
      return `a stream error ${onWords(sight.on)} with ${orList(sight.code)}`;
    case "stop":
      return `STOP_SENDING ${onWords(sight.on)}${withCode(sight.code)}`;
    case "reset":
      return `RESET_STREAM ${onWords(sight.on)}${withCode(sight.code)}`;
    case "response": {
      const status = sight.status === undefined ? "" : ` with status ${orList(sight.status)}`;
      const like = sight.sameStatusAs === undefined ? "" : ` with the status of the one ${onWords(sight.sameStatusAs)}`;
      return `${sight.complete === true ? "a complete response" : "a response"} ${onWords(sight.on)}${status}${like}`;
    }
    case "frame": {
      const where = Object.entries(sight.where ?? {}).map(([name, value]) => ` ${name}=${value}`);
      return `${sight.type}${where.join("")} ${onWords(sight.on)}`;
    }
    case "content":
      return `at least ${sight.octets} octets of content ${onWords(sight.on)}`;
    case "text":
      return `content ${onWords(sight.on)} with the text "${sight.text}"`;
    case "decoded":
      return `a QPACK ${sight.instruction}${sight.value === undefined ? "" : ` ${sight.value}`}`;
    case "ended":
      return `the end of its part ${onWords(sight.on)}`;
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
    case "all":
      return sight.of.map(sightInWords).join(", and ");
  }
}

export const outcomeInWords = outcomeWith(sightInWords);

export function seenInWords(seen: Seen): string {
  switch (seen.is) {
    case "opened":
      return `stream ${seen.stream} opened (${seen.kind})`;
    case "frame":
      return `stream ${seen.stream}: ${inWords(
        seen.frame,
        seen.fields?.filter(([name]) => name === ":status" || name === ":method"),
      )}`;
    case "insertions":
      return `${seen.octets} octets of QPACK instructions`;
    case "decoded":
      return `a QPACK ${seen.instruction} ${seen.value}`;
    case "end":
      return `the end of stream ${seen.stream}${seen.cut ? " within a frame" : ""}`;
    case "reset":
      return `RESET_STREAM on stream ${seen.stream} with ${seen.code}`;
    case "stop":
      return `STOP_SENDING on stream ${seen.stream} with ${seen.code}`;
    case "closed":
      return seen.words;
    case "exit":
      return seen.code === null ? `the command was killed by ${seen.signal ?? "a signal"}` : `the command exited with status ${seen.code}`;
  }
}

/** What tells nothing: every connection shows it. */
function isUsual(seen: Seen): boolean {
  if (isFrame(seen)) return seen.frame.type === "SETTINGS" || seen.frame.type === "DATA" || seen.frame.type.startsWith("0x");
  return seen.is === "opened" || seen.is === "end" || seen.is === "insertions" || seen.is === "decoded";
}

/** What came, without what every connection shows: the telling observations, then how it ended. */
export function observedInWords(seen: readonly Seen[], fence: "answered" | "unanswered" | "none"): string {
  const telling = seen.filter((one) => !isUsual(one));
  const shown = telling.length > 6 ? [...telling.slice(0, 2), undefined, ...telling.slice(-3)] : telling;
  const words = shown.map((one) => (one === undefined ? `… ${telling.length - 5} more` : seenInWords(one)));
  if (fence === "answered") words.push("what was sent after it was answered");
  if (fence === "unanswered" && !seen.some((one) => one.is === "closed")) words.push("silence");
  return words.length === 0 ? "nothing" : words.join("; ");
}
