import type { Case } from "../vocabulary.ts";

/** All cases for receivers. */
export async function receiverCases(): Promise<readonly Case[]> {
  const files = [import("./server/1-accepts.ts"), import("./server/2-headers.ts"), import("./server/3-refuses.ts")];
  return (await Promise.all(files)).flatMap(({ cases }) => cases);
}
