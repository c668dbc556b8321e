import { instant, NEVER } from "../../reference/core/index.ts";
import { Hedging, RetryTokens, Status } from "../../reference/rpc/index.ts";
import type { Target } from "../lib/target.ts";

const PUSH_BACKS = [undefined, "0", "700", "-1", "soon"] as const;

/** Any life of a hedged call in virtual time. */
export const target: Target = {
  name: "rpc/hedging",
  about: "a hedged call sends no more attempts than its policy permits, none too early, and ends when nothing else can follow",
  run(input) {
    const [how = 0, delay = 0] = input;
    const policy = { maxAttempts: 2 + (how % 4), delayMs: delay * 10, nonFatalStatusCodes: new Set([Status.UNAVAILABLE, Status.ABORTED]) };
    const tokens = how > 128 ? new RetryTokens({ maxTokens: 1 + (how % 5), tokenRatio: 0.5 }) : undefined;
    let now = 0;
    const hedging = new Hedging(policy, tokens, instant(now));
    let running = 0;
    let lastSent = Number.NEGATIVE_INFINITY;
    /** The earliest time of the next attempt, as the model has it. */
    let permitted = 0;
    let isForbidden = false;
    const send = (): void => {
      while (hedging.take(instant(now))) {
        running++;
        if (hedging.sent > policy.maxAttempts) throw new Error(`${hedging.sent} attempts`);
        if (isForbidden) throw new Error("an attempt against the push-back of the server");
        if (now < permitted) throw new Error(`an attempt at ${now}, before ${permitted}`);
        lastSent = now;
        permitted = lastSent + policy.delayMs;
      }
    };
    send();
    if (hedging.sent === 0) throw new Error("the first attempt was not sent");
    for (let at = 2; at + 1 < input.length; at += 2) {
      const value = input[at + 1]!;
      if (input[at]! % 3 === 0 && running > 0) {
        const status = [Status.UNAVAILABLE, Status.ABORTED, Status.NOT_FOUND][value % 3]!;
        const pushBack = PUSH_BACKS[(value >> 2) % PUSH_BACKS.length];
        running--;
        const verdict = hedging.failed(status, pushBack, instant(now));
        const isFatal = status === Status.NOT_FOUND;
        if (pushBack === "-1" || pushBack === "soon") isForbidden = true;
        else if (!isFatal) permitted = now + Number(pushBack ?? 0);
        const follows = hedging.deadline !== NEVER && tokens?.permits !== false;
        if ((verdict === "ends") !== (isFatal || (running === 0 && !follows)))
          throw new Error(`the call ${verdict} with ${running} attempts`);
        if (verdict === "ends") return;
      } else now += value * 10;
      send();
    }
  },
  seeds: ["0032000001ff01ff", "0132000000040200", "81320000ffff0000", "02000000000100000c00"].map(
    (hex) => new Uint8Array(Buffer.from(hex, "hex")),
  ),
  dictionary: ["0000", "0004", "0008", "000c", "01ff"].map((hex) => new Uint8Array(Buffer.from(hex, "hex"))),
  maxLength: 60,
};
