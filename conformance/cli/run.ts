import { askForSuite, check, type CheckOptions, roleOf } from "../check.ts";
import { embedded } from "../embedded.ts";
import { baselineOf, exitStatus, readBaseline, writeBaseline } from "../harness/baseline.ts";
import { Unreachable, WrongUse } from "../harness/driver.ts";
import { Earlier } from "../harness/earlier.ts";
import { allSuites, nameOfSuite, suiteNamed } from "../harness/registry.ts";
import type { Result } from "../harness/result.ts";
import { selectionOf } from "../harness/select.ts";
import { shardOfJob } from "../harness/shard.ts";
import type { OwnProcess } from "../harness/subject/own-process.ts";
import type { Subject } from "../harness/subject/subject.ts";
import type { Registry, Settings } from "../harness/suite.ts";
import { renderText } from "../harness/transcript.ts";
import { list } from "../list.ts";
import type { Flags, Wiring } from "./check.ts";
import { merged } from "./merge.ts";
import { Interruption } from "./interruption.ts";
import { progressOn, silent } from "./progress.ts";
import { reachIn } from "./reach-flags.ts";
import { patienceFor, startedFor, withPort } from "./start.ts";

/** The command line as text. */
export type Asked = {
  readonly registry: Registry;
  readonly suite: string | undefined;
  readonly url: string | undefined;
  readonly flags: Flags & Readonly<Record<string, unknown>>;
  readonly wiring: Wiring;
};

/** The exit status of a run whose report cannot be written. */
const UNWRITTEN = 2;

/** Performs `touchstone check`. Returns the exit status. */
export async function runCheck(given: Asked): Promise<number> {
  const { results, status } = await resultsOf(given);
  return results === undefined ? status : finish(results, status, given);
}

/** The results with the exit status that they have; the status alone if something else was asked for. */
export async function resultsOf(given: Asked): Promise<{ readonly results?: readonly Result[]; readonly status: number }> {
  const shard = given.flags.shard ?? shardOfJob();
  const flags = { ...given.flags, ...(shard === undefined ? {} : { shard }) };
  return resultsOfPart({ ...given, ...(await withPort(given.url, flags)) });
}

async function resultsOfPart(asked: Asked): ReturnType<typeof resultsOf> {
  const { registry, flags } = asked;
  const suite = asked.suite === undefined ? undefined : nameOfSuite(registry, asked.suite);
  const subject = await subjectOf(asked);
  const settings = await settingsOf(registry, suite, flags);
  if (settings === "done") return { status: 0 };
  if (flags.list === true) return { status: await printList(asked, { suite, subject, settings }) };
  // A damaged baseline is reported before the work, not after it.
  if (flags.baseline !== undefined) readBaseline(flags.baseline);
  const earlier = flags.sameAs === undefined ? undefined : Earlier.read(flags.sameAs);
  if (flags.flaky !== undefined) readBaseline(flags.flaky, "list of flaky cases");
  if (flags.failFast === true && flags.writeBaseline !== undefined)
    throw new WrongUse("--fail-fast ends a run early, and no baseline is written of a part: leave out one of both.");
  return measured({ ...asked, suite, subject, settings, earlier });
}

/** Writes the reports and prints the results. Returns the exit status. */
export async function finish(results: readonly Result[], status: number, asked: Pick<Asked, "flags" | "wiring">): Promise<number> {
  const { flags } = asked;
  const written = await report(results, asked);
  if (flags.json === true) process.stdout.write(`${JSON.stringify(merged(results), null, 2)}\n`);
  else process.stdout.write(`${traces(results, flags)}${await asked.wiring.text(results, { strict: flags.strict ?? false })}`);
  return written ? status : Math.max(status, UNWRITTEN);
}

/** The subject of the command line; undefined for the embedded reference. */
async function subjectOf({ registry, suite, url, flags }: Asked): Promise<Subject | undefined> {
  const { server, client, codec, proxy, origin, proxyHttp2: http2 } = flags;
  if (proxy === undefined && (origin ?? http2) !== undefined)
    throw new WrongUse("--origin and --proxy-http2 describe a proxy: name it with --proxy.");
  const given: Subject[] = [
    ...(url === undefined ? [] : [{ url }]),
    ...(server === undefined ? [] : [{ url: server }]),
    ...(client === undefined ? [] : [{ client }]),
    ...(codec === undefined ? [] : [{ codec }]),
    ...(proxy === undefined ? [] : [{ proxy, ...(origin === undefined ? {} : { origin }), ...(http2 === undefined ? {} : { http2 }) }]),
  ];
  if (given.length > 1) throw new WrongUse("One subject at a time: a URL, or --server, or --client, or --codec, or --proxy.");
  const [subject] = given;
  if (suite === undefined && subject !== undefined) throw new WrongUse(await askForSuite(registry, roleOf(subject)));
  return subject;
}

/** The values of the suites' flags. `done` if one of them replaced the check. */
async function settingsOf(registry: Registry, suite: string | undefined, flags: Asked["flags"]): Promise<Settings | "done"> {
  const settings: Record<string, string> = {};
  for (const [name, { flags: own = [] }] of await allSuites(registry)) {
    for (const { name: flag, value: placeholder, instead } of own) {
      const value = flags[flag];
      if (typeof value !== "string") continue;
      if (instead === undefined) settings[flag] = value;
      else if (suite === name) {
        await instead(value);
        return "done";
      } else throw new WrongUse(`--${flag} belongs to the suite ${name}: touchstone check ${name} --${flag} ${placeholder}`);
    }
  }
  return settings;
}

async function printList(
  { registry, flags: { json, only, level, group, shard } }: Asked,
  { suite, subject, settings }: Pick<Measured, "suite" | "subject" | "settings">,
): Promise<number> {
  const infos = await list(registry, {
    ...(only === undefined ? {} : { only }),
    ...(level === undefined ? {} : { level }),
    ...(group === undefined ? {} : { group }),
    ...(shard === undefined ? {} : { shard }),
    ...(suite === undefined ? {} : { suites: [suite] }),
    ...(subject === undefined ? {} : { role: roleOf(subject) }),
    settingsOf: (name) => theirs(registry, name, settings, suite === undefined),
  });
  if (json === true) process.stdout.write(`${JSON.stringify(infos, null, 2)}\n`);
  else {
    for (const { id, spec, level: must, role, title } of infos) process.stdout.write(`${id}  ${spec}  ${must}  ${role}  ${title}\n`);
    process.stdout.write(`${infos.length} cases\n`);
  }
  return 0;
}

type Measured = Omit<Asked, "suite"> & {
  readonly suite: string | undefined;
  readonly subject: Subject | undefined;
  readonly settings: Settings;
  readonly earlier: Earlier | undefined;
  readonly interruption: Interruption;
  readonly own?: OwnProcess | undefined;
};

/** The results with the exit status. Signals end the measurement in good order, and the writing of reports as they end any program. */
async function measured(what: Omit<Measured, "interruption">): Promise<{ readonly results?: readonly Result[]; readonly status: number }> {
  using interruption = new Interruption();
  try {
    const results = await measureOwn({ ...what, interruption });
    return { results, status: interruption.status ?? exitStatus(results, what.flags.strict ?? false) };
  } catch (error) {
    // Interrupted before the first case: there is nothing to report.
    if (interruption.status === undefined || !(error instanceof Unreachable)) throw error;
    console.error(`touchstone: no case ran. ${error.message}`);
    return { status: interruption.status };
  }
}

/** Starts the server of --start, measures, and ends it. */
async function measureOwn(measured: Measured): Promise<Result[]> {
  const own = await startedFor(measured.url, measured.flags);
  try {
    const results = await measure({ ...measured, own });
    const over = own?.over();
    if (over !== undefined) console.error(`touchstone: ${over} The cases after that met no server.`);
    return results;
  } finally {
    await own?.stop();
  }
}

async function measure({ registry, suite, subject, flags, settings, earlier, interruption, own }: Measured): Promise<Result[]> {
  const progress = flags.json === true && !process.stderr.isTTY ? silent : progressOn(process.stderr);
  const { iOperateThisTarget, concurrency, timeout, seed, tls, verify, pid, expectStatus, post, echo, name, baseline, offers } = flags;
  const { repeat, flaky, failFast } = flags;
  const reached = { ...reachIn(flags), ...patienceFor(flags, own) };
  const common = (title: string): Omit<CheckOptions, "suite" | "subject"> => ({
    ...selectionOf(flags),
    ...(iOperateThisTarget === undefined ? {} : { iOperateThisTarget }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(seed === undefined ? {} : { seed }),
    ...(tls === undefined ? {} : { tls }),
    ...(verify === undefined ? {} : { verify }),
    ...reached,
    ...(pid === undefined ? {} : { pid }),
    ...(expectStatus === undefined ? {} : { expectStatus }),
    ...(post === undefined ? {} : { post }),
    ...(echo === undefined ? {} : { echo }),
    ...(name === undefined ? {} : { name }),
    ...(baseline === undefined ? {} : { baseline }),
    ...(earlier === undefined ? {} : { sameAs: earlier }),
    ...(offers === undefined ? {} : { offers }),
    ...(repeat === undefined ? {} : { repeat }),
    ...(flaky === undefined ? {} : { flaky }),
    ...(failFast === undefined ? {} : { failFast: flags.strict === true ? "strict" : true }),
    signal: interruption.signal,
    onStart: (total) => progress.start(title, total),
    onResult: ({ verdict }, done, total) => progress.step(done, total, verdict === "fail"),
  });
  try {
    if (subject !== undefined && suite !== undefined) return [await check(registry, { ...common(suite), suite, subject, settings })];
    const suites = suite === undefined ? Object.keys(registry) : [suite];
    const settingsOf = (name: string): Promise<Settings> => theirs(registry, name, settings, suite === undefined);
    const perform = async (title: string, part: Pick<CheckOptions, "suite" | "subject">): Promise<Result> =>
      check(registry, { ...common(title), ...part, settings: await settingsOf(part.suite) });
    return await embedded(registry, suites, perform, {
      ...selectionOf({ ...flags, abuse: flags.abuse ?? false }),
      settingsOf,
      signal: interruption.signal,
    });
  } finally {
    progress.stop();
  }
}

/** The settings for one suite. If all suites run, each gets only its own; a suite named on the command line gets all, and rejects foreign ones. */
async function theirs(registry: Registry, name: string, settings: Settings, several: boolean): Promise<Settings> {
  if (!several) return settings;
  const { flags = [] } = await suiteNamed(registry, name);
  return Object.fromEntries(Object.entries(settings).filter(([one]) => flags.some((flag) => flag.name === one)));
}

const traces = (results: readonly Result[], { trace }: Flags): string => {
  if (trace !== true) return "";
  const colour = process.stdout.isTTY && process.env["NO_COLOR"] === undefined;
  return results
    .flatMap((result) => result.cases)
    .map(({ id, verdict, transcript, control }) => {
      const twin = control === undefined ? "" : `\n  the control, without the mistake:\n${renderText(control, { colour })}\n`;
      return `${id}: ${verdict}${twin}\n  the case:\n${renderText(transcript, { colour })}\n\n`;
    })
    .join("");
};

/** Writes the reports; false if a file could not be written to its path. The result is printed in any case. */
async function report(results: readonly Result[], { flags, wiring }: Pick<Asked, "flags" | "wiring">): Promise<boolean> {
  const { save, junit, html, markdown, tap, sarif, pcap, github } = flags;
  let whole = true;
  const printed = flags.json === true ? { print: (text: string) => void process.stderr.write(text) } : {};
  for (const { problem } of await wiring.write(results, { json: save, junit, html, markdown, tap, sarif, pcap, github }, printed)) {
    if (problem === undefined) continue;
    console.error(`touchstone: ${problem}`);
    whole = false;
  }
  if (flags.writeBaseline === undefined) return whole;
  if (results.some(({ partial }) => partial !== undefined)) {
    console.error(`touchstone: the run is partial: no baseline is written to ${flags.writeBaseline}.`);
    return false;
  }
  try {
    const older = flags.baseline === undefined ? [] : readBaseline(flags.baseline);
    const known = baselineOf(
      results.flatMap((result) => result.cases),
      older,
      flags.strict ?? false,
    );
    writeBaseline(flags.writeBaseline, known);
    console.error(`touchstone: wrote ${known.length} known failures to ${flags.writeBaseline}.`);
  } catch (error) {
    console.error(
      `touchstone: cannot write the baseline ${flags.writeBaseline}: ${error instanceof Error ? error.message : String(error)}`,
    );
    return false;
  }
  return whole;
}
