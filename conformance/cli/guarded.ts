import { Unreachable, WrongUse } from "../harness/driver.ts";

/** Runs a command: one clear line for what was to be expected, with its exit status; anything else is our mistake and shows itself. */
export async function guarded(action: () => Promise<number>): Promise<number> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof WrongUse || error instanceof Unreachable)) throw error;
    console.error(`touchstone: ${error.message}`);
    return error instanceof WrongUse ? 2 : 3;
  }
}
