import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CheckOptions } from "./check.ts";
import type { Role } from "./harness/case.ts";
import type { Result } from "./harness/result.ts";
import type { Selection } from "./harness/select.ts";
import { list } from "./listing.ts";
import type { SuiteName } from "./suites.ts";

type Part = Pick<CheckOptions, "suite" | "subject" | "name" | "only">;
type Perform = (title: string, part: Part) => Promise<Result>;

/** Every part of the reference that the suites know a role for, started here and judged like anybody's peer. A role without a selected case is left out. */
export async function embedded(suites: readonly SuiteName[], perform: Perform, selection: Selection): Promise<Result[]> {
  // Over all of them, so that a pattern which matches nothing anywhere is refused, and one that matches one role only is not.
  const selected = await list({ abuse: false, ...selection, suites });
  const idsOf = (suite: SuiteName, role: Role): string[] =>
    selected.filter(({ id, role: theirs }) => theirs === role && id.startsWith(`${suite}/`)).map(({ id }) => id);
  const results: Result[] = [];
  const codec = idsOf("hpack", "codec");
  if (codec.length > 0) {
    results.push(await perform("hpack codec", { suite: "hpack", subject: { codec: codecCommand() }, name: "touchstone's own codec", only: codec }));
  }
  return results;
}

/** The example codec, as a child process of its own: sources in a checkout, compiled in the package. */
function codecCommand(): string {
  const source = join(import.meta.dirname, "hpack", "adapter.ts");
  const file = existsSync(source) ? source : join(import.meta.dirname, "hpack", "adapter.js");
  return [process.execPath, file].map((word) => `'${word}'`).join(" ");
}
