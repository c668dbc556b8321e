import { Command } from "commander";
import { allSuites } from "../harness/registry.ts";
import type { Result } from "../harness/result.ts";
import { declareCheck } from "./check.ts";
import { jobsOf, readConfig, reportWords } from "./config-file.ts";
import { configSchema } from "./config-schema.ts";
import { type Asked, finish, resultsOf } from "./run.ts";

/** From this status on, a signal has ended the run. */
const BY_SIGNAL = 128;

/** The flags of the command line itself, without defaults: they override those of a configuration. */
function given(command: Command, flags: Asked["flags"]): Asked["flags"] {
  return Object.fromEntries(Object.entries(flags).filter(([name]) => command.getOptionValueSource(name) === "cli"));
}

/** Runs what a configuration file says, one subject and suite after the other, and reports all of it together. Returns the exit status. */
export async function runConfig(
  path: string,
  { command, flags, registry, wiring }: Asked & { readonly command: Command },
): Promise<number> {
  const suites = await allSuites(registry);
  const schema = configSchema(
    command,
    suites.map(([name]) => name),
  );
  const config = await readConfig(path, schema);
  const over = given(command, flags);
  const parsed = (words: readonly string[]): { readonly args: readonly string[]; readonly flags: Asked["flags"] } => {
    const made = declareCheck(new Command("check").exitOverride(), suites).action(() => {});
    made.parse(words, { from: "user" });
    return { args: made.args, flags: { ...made.opts<Asked["flags"]>(), ...over } };
  };
  const all: Result[] = [];
  let worst = 0;
  for (const { words } of jobsOf(config, flags.subject)) {
    const one = parsed(words);
    const [suite, url] = one.args;
    const { results = [], status } = await resultsOf({ registry, wiring, suite, url, flags: one.flags });
    all.push(...results);
    worst = Math.max(worst, status);
    if (status >= BY_SIGNAL) break;
  }
  if (flags.list === true) return worst;
  return finish(all, worst, { wiring, flags: parsed(reportWords(config)).flags });
}
