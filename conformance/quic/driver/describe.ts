import { orList, outcomeWith } from "../../harness/words.ts";
import { frameInWords } from "../../wire/quic/words.ts";
import type { Sight } from "../vocabulary.ts";
import type { Shown } from "./shown.ts";

/** Sights and observations in words. */

export function sightInWords(sight: Sight): string {
  switch (sight.see) {
    case "close":
      return `the connection closed with ${orList(sight.code)}`;
    case "application close":
      return "the connection closed by the application";
    case "stateless reset":
      return "a stateless reset";
    case "frame": {
      const where = Object.entries(sight.where ?? {}).map(([name, value]) => ` ${name}=${value}`);
      return `${sight.type}${where.join("")}${sight.level === undefined ? "" : ` in a packet of level ${sight.level}`}`;
    }
    case "frames": {
      const least = sight.atLeast === undefined ? [] : [`at least ${sight.atLeast}`];
      const most = sight.atMost === undefined ? [] : [`at most ${sight.atMost}`];
      return `${[...least, ...most].join(" and ")} frames of type ${sight.type}`;
    }
    case "retry":
      return "a Retry packet";
    case "version negotiation":
      return `a Version Negotiation packet${sight.version === undefined ? "" : ` with version ${sight.version}`}`;
    case "established":
      return "a complete handshake";
    case "resumed":
      return "a handshake that resumes the session";
    case "full handshake":
      return "a handshake without a session";
    case "early data":
      return `0-RTT data ${sight.accepted ? "accepted" : "refused"}`;
    case "key update":
      return "a new key phase";
    case "silence":
      return "no answer";
    case "acknowledged":
      return "the packet acknowledged";
    case "discarded":
      return "the packet not acknowledged, and a later one acknowledged";
    case "accepted":
      return "accepted: a later PING was acknowledged";
    case "exit":
      return sight.ok ? "an exit with status 0" : "an exit with another status than 0";
    case "holds":
      return `${sight.monitor.replaceAll("-", " ")} held for everything that it sent`;
    case "all":
      return sight.of.map(sightInWords).join(", and ");
  }
}

export const outcomeInWords = outcomeWith(sightInWords);

const USUAL = new Set(["PING", "ACK", "ACK_ECN", "CRYPTO", "NEW_TOKEN", "NEW_CONNECTION_ID", "HANDSHAKE_DONE", "STREAM"]);

/** What came, without what every connection shows. */
export function observedInWords(seen: readonly Shown[], isFenced: boolean): string {
  const words = seen.flatMap((one): string[] => {
    switch (one.is) {
      case "closed":
        return [one.words];
      case "failed":
        return [`our TLS gave up: ${one.words}`];
      case "versions":
        return [`Version Negotiation with ${one.versions.map((version) => `0x${version.toString(16)}`).join(", ")}`];
      case "retry":
        return ["Retry"];
      case "stateless reset":
        return ["a stateless reset"];
      case "established":
        return [`the handshake completed${one.resumed ? " with the session" : ""}`];
      case "early data":
        return [`0-RTT data ${one.accepted ? "accepted" : "refused"}`];
      case "exit":
        return [`the command exited with status ${one.code ?? "?"}`];
      case "frame":
        return USUAL.has(one.frame.type) || one.frame.type.startsWith("CONNECTION_CLOSE") ? [] : [frameInWords(one.frame)];
      default:
        return [];
    }
  });
  const shown = words.length > 8 ? [...words.slice(0, 4), `… ${words.length - 7} more`, ...words.slice(-3)] : words;
  if (isFenced) shown.push("what was sent after it was answered");
  return shown.length === 0 ? "nothing" : shown.join("; ");
}
