import { Unreachable, WrongUse } from "../harness/driver.ts";

/** Runs a command. An expected error becomes one line and its exit status; any other is a bug and propagates. */
export async function guarded(action: () => Promise<number>): Promise<number> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof WrongUse || error instanceof Unreachable)) throw error;
    console.error(`touchstone: ${error.message}`);
    return error instanceof WrongUse ? 2 : 3;
  }
}
