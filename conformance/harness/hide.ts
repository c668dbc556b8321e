import { fromLatin1, toHex } from "../wire/octets.ts";
import type { CaseResult, TranscriptLine } from "./result.ts";

/** The beginning of a secret at the end of a text that was cut counts from this length. */
const LEAST = 4;

/** Replaces each secret in a text by stars, and the beginning of one at its end, where the text was cut. */
function starred(text: string, secrets: readonly string[], star: string): string {
  let out = text;
  for (const secret of secrets) {
    out = out.replaceAll(secret, star.repeat(secret.length / star.length));
    const [, kept = out, cut = ""] = /^(.*?)(…?"?)$/s.exec(out) ?? [];
    for (let length = Math.min(secret.length - 1, kept.length); length >= LEAST; length--) {
      if (!kept.endsWith(secret.slice(0, length))) continue;
      out = kept.slice(0, -length) + star.repeat(Math.ceil(length / star.length)) + cut;
      break;
    }
  }
  return out;
}

/** Hides secrets in everything that reports show of a case: the words, and the octets of its transcripts. */
export function hiding(secrets: readonly string[]): (result: CaseResult) => CaseResult {
  if (secrets.length === 0) return (result) => result;
  // Longer ones first: one may contain another.
  const words = [...new Set(secrets)].sort((a, b) => b.length - a.length);
  const octets = words.map((word) => toHex(fromLatin1(word)));
  const text = (given: string): string => starred(given, words, "*");
  const lines = (given: readonly TranscriptLine[]): TranscriptLine[] =>
    given.map((line) => ({
      ...line,
      means: text(line.means),
      ...(line.hex === undefined ? {} : { hex: starred(line.hex, octets, "2a") }),
    }));
  return (result) => ({
    ...result,
    reason: text(result.reason),
    observed: text(result.observed),
    ...(result.details === undefined ? {} : { details: text(result.details) }),
    transcript: lines(result.transcript),
    ...(result.control === undefined ? {} : { control: lines(result.control) }),
  });
}
