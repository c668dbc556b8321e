import type { Stop } from "../../harness/connection/stage.ts";
import type { Case } from "../vocabulary.ts";
import type { QuicStage } from "./stage.ts";

/** What a subject must answer if it accepted everything before it: no verdict waits for silence alone. */

/** How often a PING is repeated: datagrams get lost. */
const AGAIN_MS = 250;

/** Completes the handshake, and waits until a PING is acknowledged; returns why it was not. */
export async function ping(stage: QuicStage, decided: () => boolean = () => false): Promise<Stop> {
  const { end } = stage;
  const done = (): boolean => decided() || stage.over;
  end.release();
  await stage.until(() => done() || end.established, stage.timeout);
  if (done()) return undefined;
  if (!end.established) return `the handshake was not completed within ${stage.timeout} ms`;
  const numbers: number[] = [];
  const acknowledged = (): boolean => numbers.some((number) => end.hasAcknowledged("application", number));
  for (let left = stage.timeout; left > 0; left -= AGAIN_MS) {
    const number = end.send({ level: "application" }, [{ type: "PING" }]);
    if (number !== undefined) numbers.push(number);
    await stage.until(() => done() || acknowledged(), Math.min(left, AGAIN_MS));
    if (done()) return undefined;
    if (!acknowledged()) continue;
    return undefined;
  }
  return `silence: within ${stage.timeout} ms it neither rejected this nor acknowledged a later packet`;
}

/** Raises the fence of the case; `another` asks another connection. */
export async function raise(
  fence: NonNullable<Case["fence"]>,
  stage: QuicStage,
  decided: () => boolean,
  another: () => Promise<Stop>,
): Promise<Stop> {
  if (fence === "none" || fence === "nothing comes") {
    const step = stage.timeout / PINGS;
    for (let n = 0; n < PINGS && !decided() && !stage.over; n++) {
      if (fence === "nothing comes") stage.end.send({ level: "application" }, [{ type: "PING" }]);
      await stage.until(() => decided() || stage.over, step);
    }
    stage.fenceAnswered = true;
    return undefined;
  }
  const why = fence === "ping" ? await ping(stage, decided) : await another();
  stage.fenceAnswered = why === undefined && (fence === "connection" || !stage.over);
  // What refuses may arrive a little later than what answers.
  if (!decided() && stage.fenceAnswered) await stage.until(() => decided() || stage.over, Math.max(LATE_MS, stage.timeout / LATE_PART));
  return why;
}

/** How long, at least, and as a part of the longest silence: that is longer when a fail is confirmed. */
const LATE_MS = 100;
const LATE_PART = 10;
const PINGS = 4;
