import type { Step } from "../http2/vocabulary.ts";
import type { TranscriptLine } from "./result.ts";

/** A PING that the driver sent to ask whether the subject still answers: not part of what is replayed. */
const FENCE = /^PING 70756e63/;
/** What the driver does by itself, and will do again. */
const AUTOMATIC = /^(?:SETTINGS ACK$|PING ACK |WINDOW_UPDATE )/;
const LONGEST_PAUSE = 10_000;

/**
 * The octets that a transcript says we sent, as steps that send them again in the same order, with the same pauses where time went by.
 * Throws where the transcript was cut, since half a frame is another frame. The handshake is replayed by octets too.
 */
export function stepsOf(lines: readonly TranscriptLine[]): Step[] {
  const steps: Step[] = [];
  let began = false;
  let last = 0;
  for (const { at, way, means, hex, octets } of lines) {
    if (way !== "->" || FENCE.test(means) || (began && AUTOMATIC.test(means))) continue;
    if (hex === undefined) throw new Error(`The line "${means}" has no octets: it cannot be sent again.`);
    if (octets !== undefined && !means.startsWith("DATA "))
      throw new Error(`The line "${means}" was cut at ${hex.length / 2} of ${octets} octets: it cannot be sent again.`);
    const pause = Math.round(at - last);
    if (began && pause > 100) steps.push({ do: "wait", ms: Math.min(pause, LONGEST_PAUSE) });
    // Long DATA is written down by its beginning; what is left out is zeros.
    steps.push({ do: "bytes", hex: octets === undefined ? hex : hex.padEnd(octets * 2, "0"), note: means });
    began = true;
    last = at;
  }
  return steps;
}
