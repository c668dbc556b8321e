import type { VNode } from "preact";
import type { CaseResult, Result, TranscriptLine } from "../../conformance/harness/result.ts";
import { cut } from "../clean.ts";
import { html } from "./html.ts";

/** Limits of one transcript on the page: the first and last lines, and the length of a line in characters and octets. */
const HEAD_LINES = 120;
const TAIL_LINES = 80;
const WORDS = 1200;
const HEX_DIGITS = 1024;
/** The limit on all transcripts of a page together, in characters; beyond it, transcripts of passed cases are left out. */
const PAGE_CHARACTERS = 8_000_000;

/** A line in the format of the page's script: time, direction, meaning, octets in hex, number of octets. */
type Packed = readonly [at: number, way: string, means: string, hex?: string, octets?: number];
type PackedCase = { readonly lines: readonly Packed[]; readonly control?: readonly Packed[] };
export type Transcripts = Readonly<Record<string, PackedCase>>;

/** The anchor of a case on the page. */
export const anchorOf = (run: number, c: Pick<CaseResult, "id">): string => `case-${run + 1}-${c.id.replaceAll(/[^\w.-]+/g, "-")}`;

function pack(transcript: readonly TranscriptLine[]): Packed[] {
  const left = transcript.length - HEAD_LINES - TAIL_LINES;
  if (left <= 1) return transcript.map(packLine);
  const gap: Packed = [transcript[HEAD_LINES]?.at ?? 0, "--", `(${left} lines left out of this page; the JSON result has them)`];
  return [...transcript.slice(0, HEAD_LINES).map(packLine), gap, ...transcript.slice(-TAIL_LINES).map(packLine)];
}

function packLine({ at, way, means, hex, octets }: TranscriptLine): Packed {
  const words = cut(means, WORDS);
  if (hex === undefined) return [at, way, words];
  const digits = hex.replaceAll(/[^0-9a-fA-F]/g, "");
  return [at, way, words, digits.slice(0, HEX_DIGITS), octets ?? digits.length / 2];
}

/** The transcripts of a page by anchor. Cases that did not pass come first, so that the limit drops the least interesting ones. */
export function packTranscripts(results: readonly Result[], most: number = PAGE_CHARACTERS): Transcripts {
  const all = results.flatMap((result, run) => result.cases.map((c) => ({ anchor: anchorOf(run, c), c })));
  const packed: Record<string, PackedCase> = {};
  let room = most;
  for (const passed of [false, true])
    for (const { anchor, c } of all) {
      if ((c.verdict === "pass" || c.verdict === "skip") !== passed || c.transcript.length === 0) continue;
      const one: PackedCase = { lines: pack(c.transcript), ...(c.control === undefined ? {} : { control: pack(c.control) }) };
      room -= JSON.stringify(one).length;
      if (room < 0) return packed;
      packed[anchor] = one;
    }
  return packed;
}

const WAYS: Readonly<Record<TranscriptLine["way"], readonly [arrow: string, words: string]>> = {
  "->": ["→", "sent"],
  "<-": ["←", "received"],
  "--": ["·", "note"],
};
const EVIDENCE_LINES = 8;

type EvidenceProps = { readonly transcript: readonly TranscriptLine[]; readonly anchor: string; readonly open: boolean };

/** The last lines of a transcript, inline: a failure shows them without the script. */
export function Evidence({ transcript, anchor, open }: EvidenceProps): VNode {
  const left = transcript.length - EVIDENCE_LINES;
  return html`
    <details class="more" open=${open}>
      <summary>${left > 0 ? "How the transcript ended" : "Transcript"}</summary>
      <ol class="wire">
        ${transcript.slice(-EVIDENCE_LINES).map(
          (line) => html`
            <li class=${WAYS[line.way][1]}>
              <span class="at">${line.at.toFixed(1)}</span>
              <span class="way"><span aria-hidden="true">${WAYS[line.way][0]}</span><span class="unseen">${WAYS[line.way][1]}</span></span>
              <span class="means">${cut(line.means, WORDS)}</span>
            </li>
          `,
        )}
      </ol>
      <p class="aside"><a href=${`#${anchor}`}>The whole transcript, with its octets and its control</a></p>
    </details>
  `;
}
