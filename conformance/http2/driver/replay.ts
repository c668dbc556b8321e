import type { Step } from "../vocabulary.ts";
import type { TranscriptLine } from "../../harness/result.ts";

/** A PING of a fence, which is not replayed. */
const FENCE = /^PING 70756e63/;
/** Frames that our end sends on its own, and will send again. */
const AUTOMATIC = /^(?:SETTINGS ACK$|PING ACK |WINDOW_UPDATE )/;
const LONGEST_PAUSE = 10_000;

/**
 * Steps that send the octets of a transcript again, in the same order and with the same pauses. Throws if the transcript was cut, since half a
 * frame is a different frame. The handshake is replayed as octets too.
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
    // A transcript keeps only the beginning of long DATA; the rest is zeros.
    steps.push({ do: "bytes", hex: octets === undefined ? hex : hex.padEnd(octets * 2, "0"), note: means });
    began = true;
    last = at;
  }
  return steps;
}
