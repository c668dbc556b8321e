import type { CaseResult } from "../result.ts";

const TIMES = 3;

/**
 * What does not pass, with the reason, after it was performed again, alone, up to three times: on a busy machine a wait of a case may be over
 * too early. `perform` without ids performs every case.
 */
export async function notPassing(perform: (only?: readonly string[]) => Promise<readonly CaseResult[]>): Promise<string[]> {
  let others = (await perform()).filter(({ verdict }) => verdict !== "pass");
  for (let time = 0; time < TIMES && others.length > 0; time++) {
    const again = new Map((await perform(others.map(({ id }) => id))).map((one) => [one.id, one]));
    // A case that was not performed again has not passed.
    others = others.map((one) => again.get(one.id) ?? one).filter(({ verdict }) => verdict !== "pass");
  }
  return others.map(({ id, verdict, reason }) => `${verdict} ${id}: ${reason}`);
}
