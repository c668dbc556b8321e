import { styleText } from "node:util";
import type { TranscriptLine } from "./result.ts";
import { membersOf } from "./shapes.ts";

/** Octets of hex shown beside a line of text. */
const SHOWN_HEX = 64;

/** A transcript for people: time, direction, meaning, and the octets beneath. */
export function renderText(lines: readonly TranscriptLine[], options: { readonly colour?: boolean; readonly hex?: boolean } = {}): string {
  const paint = (way: TranscriptLine["way"], text: string): string =>
    options.colour === true ? styleText(way === "->" ? "cyan" : way === "<-" ? "yellow" : "dim", text, { validateStream: false }) : text;
  return lines
    .map(({ at, way, means, hex, octets }) => {
      const line = paint(way, `${at.toFixed(1).padStart(8)} ms ${way} ${means}`);
      if (hex === undefined || hex === "" || options.hex === false) return line;
      const more = octets === undefined && hex.length <= SHOWN_HEX * 2 ? "" : `… (${octets ?? hex.length / 2} octets)`;
      return `${line}\n${" ".repeat(15)}${hex.slice(0, SHOWN_HEX * 2)}${more}`;
    })
    .join("\n");
}

/** One line of JSON each, for programs and for `replay`. */
export const renderJsonLines = (lines: readonly TranscriptLine[]): string => lines.map((line) => JSON.stringify(line)).join("\n");

function isLine(value: unknown): value is TranscriptLine {
  const { at, way, means } = membersOf(value);
  return typeof at === "number" && typeof means === "string" && (way === "->" || way === "<-" || way === "--");
}

/** Reads the output of `renderJsonLines`; throws with the number of an invalid line. */
export function parseJsonLines(text: string): TranscriptLine[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line, at) => {
      const wrong = `Line ${at + 1} of the transcript is invalid: expected {"at":…,"way":"->","means":…}.`;
      let parsed: unknown;
      try {
        parsed = JSON.parse(line);
      } catch {
        throw new SyntaxError(wrong);
      }
      if (!isLine(parsed)) throw new SyntaxError(wrong);
      return parsed;
    });
}
