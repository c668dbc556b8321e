import type { Party } from "../../harness/impostors/catch.ts";
import { writeHints } from "../../harness/impostors/hints.ts";
import { senderCases } from "../cases/load.ts";
import type { Case } from "../vocabulary.ts";
import { startSender } from "./sender.ts";
import { SENDER_FLAWS } from "./sender-flaws.ts";

export const SENDER_HINTS = new URL("./sender-hints.json", import.meta.url);

/** The impostors of senders. The silent one fails every case that has no mistake, which proves nothing of the case. */
export const senders: Party<Case> = {
  cases: await senderCases(),
  names: Object.keys(SENDER_FLAWS).filter((name) => name !== "silent"),
  start: startSender,
  concurrency: 512,
  abreast: 8,
};

if (import.meta.main) await writeHints(SENDER_HINTS, [senders]);
