import { progressOn, silent } from "../cli/progress.ts";
import { WrongUse } from "../harness/driver.ts";
import { suiteNamed } from "../harness/registry.ts";
import type { Registry } from "../harness/suite.ts";
import { allPeers, startPeer, versionOf, type RunningPeer } from "../peers/index.ts";
import type { DiffFlags, DiffWiring } from "./command.ts";
import { ACROSS } from "./across.ts";
import type { Diff } from "./diff.ts";
import { diffText } from "./text.ts";

/** The command line as text. */
type Asked = { readonly suite: string; readonly urls: readonly string[]; readonly flags: DiffFlags; readonly wiring: DiffWiring };

/** Compares the servers, and prints the matrix. Returns the exit status. */
export async function compareServers(registry: Registry, { suite: name, urls, flags, wiring }: Asked): Promise<number> {
  const diff = await comparisonNamed(registry, name);
  const only = (id: string): boolean => flags.only === undefined || id.includes(flags.only);
  const total = diff.entries.filter(({ id }) => only(id)).length;
  if (total === 0) throw new WrongUse(`No message has "${flags.only}" in its name: touchstone diff ${name} … --all shows the names.`);
  const names = flags.name?.split(",").map((one) => one.trim()) ?? [];
  const running = flags.peers === true ? await installed(diff) : [];
  try {
    const subjects = [
      ...urls.map((url, at) => ({ url, name: names[at] ?? hostOf(url) })),
      ...running.map(([suite, one]) => ({ name: `${one.name} ${one.version}`, url: diff.urlOf({ ...one, suite }) })),
    ];
    const progress = flags.json === true && !process.stderr.isTTY ? silent : progressOn(process.stderr);
    progress.start(`diff ${name}`, total);
    const onEntry = (done: number): void => progress.step(done, total, false);
    const result = await diff.run({ protocol: name, subjects, only, onEntry }).finally(progress.stop);
    if (flags.html !== undefined) await wiring.writeHtml(result, flags.html);
    process.stdout.write(flags.json === true ? `${JSON.stringify(result, null, 2)}\n` : diffText(result, flags.all ?? false));
    return 0;
  } finally {
    await Promise.all(running.map(([, each]) => each.stop()));
  }
}

/** The comparison of several suites, or that of one. */
async function comparisonNamed(registry: Registry, name: string): Promise<Diff> {
  if (Object.hasOwn(ACROSS, name)) return ACROSS[name as keyof typeof ACROSS]();
  const { diff } = await suiteNamed(registry, name);
  if (diff === undefined)
    throw new WrongUse(`The suite ${name} has no messages to compare servers by: "diff" in conformance/${name}/suite.ts brings them.`);
  return diff();
}

/** `http2=https://host:port/` is named by its host, too. */
function hostOf(target: string): string {
  const url = target.replace(/^\w+=/, "");
  return URL.canParse(url) ? new URL(url).host : url;
}

/** Starts every server that is installed, once for each suite of the comparison that it speaks. */
async function installed({ peersOf }: Diff): Promise<(readonly [suite: string, peer: RunningPeer])[]> {
  const here: (readonly [string, RunningPeer])[] = [];
  for (const peer of allPeers()) {
    const spoken = peersOf.filter(({ suite, tls }) => peer.speaks[suite]?.server?.[tls ? "tls" : "clear"] !== undefined);
    if (spoken.length === 0) continue;
    if ((await versionOf(peer)) === undefined) console.error(`${peer.name} is not installed (${peer.install}): left out.`);
    else for (const { suite, tls } of spoken) here.push([suite, await startPeer(peer, { protocol: suite, tls })]);
  }
  return here;
}
