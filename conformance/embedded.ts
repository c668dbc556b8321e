import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CheckOptions } from "./check.ts";
import type { Result } from "./harness/result.ts";
import type { Selection } from "./harness/select.ts";
import type { SuiteName } from "./suites.ts";

type Part = Pick<CheckOptions, "suite" | "subject" | "name">;
type Perform = (title: string, part: Part) => Promise<Result>;

/** The example codec, as a child process of its own: sources in a checkout, compiled in the package. */
function codecCommand(): string {
  const source = join(import.meta.dirname, "hpack", "adapter.ts");
  const file = existsSync(source) ? source : join(import.meta.dirname, "hpack", "adapter.js");
  return [process.execPath, file].map((word) => `'${word}'`).join(" ");
}

/** Every part of the reference that the suites know a role for, started here and judged like anybody's peer. */
export async function embedded(suites: readonly SuiteName[], perform: Perform, _selection: Selection): Promise<Result[]> {
  const results: Result[] = [];
  if (suites.includes("hpack")) {
    const result = await perform("hpack codec", { suite: "hpack", subject: { codec: codecCommand() }, name: "touchstone's own codec" });
    results.push({ ...result, subject: { ...result.subject, target: "embedded codec" } });
  }
  return results;
}
