import type { SenderCase } from "../sender-vocabulary.ts";
import type { Case } from "../vocabulary.ts";

/** All cases for receivers. */
export async function receiverCases(): Promise<readonly Case[]> {
  const files = [import("./server/1-accepts.ts"), import("./server/2-headers.ts"), import("./server/3-refuses.ts")];
  return (await Promise.all(files)).flatMap(({ cases }) => cases);
}

/** All cases for senders. */
export async function senderCases(): Promise<readonly SenderCase[]> {
  const files = [import("./client/1-requests.ts"), import("./client/2-retries.ts")];
  return (await Promise.all(files)).flatMap(({ cases }) => cases);
}
