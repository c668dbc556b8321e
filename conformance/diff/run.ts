import { progressOn, silent } from "../cli/progress.ts";
import { WrongUse } from "../harness/driver.ts";
import { suiteNamed } from "../harness/registry.ts";
import type { Registry } from "../harness/suite.ts";
import { allPeers, startPeer, versionOf, type RunningPeer } from "../peers/index.ts";
import type { DiffFlags, DiffWiring } from "./command.ts";
import { runDiff } from "./diff.ts";
import { diffText } from "./text.ts";

/** The command line as text. */
type Asked = { readonly suite: string; readonly urls: readonly string[]; readonly flags: DiffFlags; readonly wiring: DiffWiring };

/** Compares the servers, and prints the matrix. Returns the exit status. */
export async function compareServers(registry: Registry, { suite: name, urls, flags, wiring }: Asked): Promise<number> {
  const suite = await suiteNamed(registry, name);
  if (suite.diff === undefined)
    throw new WrongUse(`The suite ${name} has no messages to compare servers by: "diff" in conformance/${name}/suite.ts brings them.`);
  const diff = await suite.diff();
  const entries = diff.entries.filter(({ id }) => flags.only === undefined || id.includes(flags.only));
  if (entries.length === 0)
    throw new WrongUse(`No message has "${flags.only}" in its name: touchstone diff ${name} … --all shows the names.`);
  const names = flags.name?.split(",").map((one) => one.trim()) ?? [];
  const running = flags.peers === true ? await installed(name) : [];
  try {
    const subjects = [
      ...urls.map((url, at) => ({ url, name: names[at] ?? (URL.canParse(url) ? new URL(url).host : url) })),
      ...running.map((one) => ({ name: `${one.name} ${one.version}`, url: diff.urlOf(one) })),
    ];
    if (subjects.length < 2) throw new WrongUse("Two servers are needed to differ: give another URL, or --peers.");
    const progress = flags.json === true && !process.stderr.isTTY ? silent : progressOn(process.stderr);
    progress.start(`diff ${name}`, entries.length);
    const onEntry = (done: number, total: number): void => progress.step(done, total, false);
    const result = await runDiff({ protocol: name, diff, subjects, entries, onEntry }).finally(progress.stop);
    if (flags.html !== undefined) await wiring.writeHtml(result, flags.html);
    process.stdout.write(flags.json === true ? `${JSON.stringify(result, null, 2)}\n` : diffText(result, flags.all ?? false));
    return 0;
  } finally {
    await Promise.all(running.map((each) => each.stop()));
  }
}

/** Starts every server of this protocol that is installed. */
async function installed(suite: string): Promise<RunningPeer[]> {
  const here: RunningPeer[] = [];
  for (const peer of allPeers()) {
    if (peer.speaks[suite]?.server?.clear === undefined) continue;
    if ((await versionOf(peer)) === undefined) console.error(`${peer.name} is not installed (${peer.install}): left out.`);
    else here.push(await startPeer(peer, { protocol: suite }));
  }
  return here;
}
