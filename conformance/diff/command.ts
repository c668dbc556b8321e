import { styleText } from "node:util";
import Table from "cli-table3";
import type { Command } from "commander";
import { guarded } from "../guarded.ts";
import { WrongUse } from "../harness/driver.ts";
import { allPeers, startPeer, versionOf, type RunningPeer } from "../peers/index.ts";
import { progressOn, silent } from "../progress.ts";
import { CORPUS } from "./corpus.ts";
import type { DiffResult } from "./result.ts";
import { diff } from "./run.ts";

type Flags = {
  readonly name?: string;
  readonly only?: string;
  readonly peers?: true;
  readonly all?: true;
  readonly json?: true;
  readonly html?: string;
};
/** Given by the command line: what writes the page. */
export type DiffWiring = { readonly writeHtml: (result: DiffResult, path: string) => Promise<void> };

/** `touchstone diff`: one corpus to several implementations, and where they understand it differently. */
export function diffCommand(program: Command, wiring: DiffWiring): void {
  program
    .command("diff")
    .description("Send the same messages to several servers, and show where they understand them differently.")
    .argument("<protocol>", "http1")
    .argument("[urls...]", "two servers or more; a path that sends the content of a request back tells the most")
    .option("--name <names>", "what the table calls them, with commas between")
    .option("--peers", "start every server that is installed here, and our own, and compare those too")
    .option("--only <pattern>", "messages whose name contains this")
    .option("--all", "also show the messages that all understand alike")
    .option("--json", "print the result as JSON and nothing else")
    .option("--html <file>", "write the matrix as a page")
    .addHelpText(
      "after",
      `
Examples:
  touchstone diff http1 http://127.0.0.1:8080/echo http://127.0.0.1:9090/echo
  touchstone diff http1 http://127.0.0.1:8080/ --peers --only chunk
  touchstone diff http1 --peers --html diff.html

Exit status: 0 compared (whether or not they differ), 2 the command was wrong, 3 a server could not be reached.`,
    )
    .action(async (protocol: string, urls: readonly string[], flags: Flags) => {
      process.exitCode = await guarded(() => act(protocol, urls, flags, wiring));
    });
}

async function act(protocol: string, urls: readonly string[], flags: Flags, { writeHtml }: DiffWiring): Promise<number> {
  if (protocol !== "http1") throw new WrongUse(`There is nothing to compare for "${protocol}": it is http1.`);
  const entries = CORPUS.filter(({ id }) => flags.only === undefined || id.includes(flags.only));
  if (entries.length === 0)
    throw new WrongUse(`No message has "${flags.only}" in its name: touchstone diff http1 … --all shows the names.`);
  const names = flags.name?.split(",").map((name) => name.trim()) ?? [];
  const running = flags.peers === true ? await installed() : [];
  try {
    const subjects = [
      ...urls.map((url, at) => ({ url, name: names[at] ?? (URL.canParse(url) ? new URL(url).host : url) })),
      ...running.map(({ name, version, url }) => ({ name: `${name} ${version}`, url: ECHOES.has(name) ? `${url}echo` : url })),
    ];
    if (subjects.length < 2) throw new WrongUse("Two servers are needed to differ: give another URL, or --peers.");
    const progress = flags.json === true && !process.stderr.isTTY ? silent : progressOn(process.stderr);
    progress.start("diff http1", entries.length);
    const result = await diff({ subjects, entries, onEntry: (done, total) => progress.step(done, total, false) }).finally(progress.stop);
    if (flags.html !== undefined) await writeHtml(result, flags.html);
    process.stdout.write(flags.json === true ? `${JSON.stringify(result, null, 2)}\n` : diffText(result, flags.all ?? false));
    return 0;
  } finally {
    await Promise.all(running.map((each) => each.stop()));
  }
}

/** Peers whose `/echo` sends the content of the request back. */
const ECHOES = new Set(["touchstone", "node-http", "go", "python"]);

async function installed(): Promise<RunningPeer[]> {
  const here: RunningPeer[] = [];
  for (const peer of allPeers()) {
    if (peer.http1?.server?.clear === undefined) continue;
    if ((await versionOf(peer)) === undefined) console.error(`${peer.name} is not here (${peer.install}): left out.`);
    else here.push(await startPeer(peer, { protocol: "http1" }));
  }
  return here;
}

/** Letters for groups: the first is the largest. */
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** The matrix as text: a row a message, a letter for each group, and what the letters mean below. */
export function diffText({ subjects, rows }: DiffResult, everything: boolean): string {
  const differing = rows.filter(({ groups }) => groups.length > 1);
  const shown = everything ? rows : differing;
  const legend = subjects.map(({ name, target, echoes }, at) => `  ${at + 1}  ${name}  ${target}${echoes ? "  (echoes)" : ""}`).join("\n");
  const head = `${subjects.length} implementations, ${rows.length} messages; they differ on ${differing.length}.\n${legend}\n`;
  if (shown.length === 0) return head;
  const table = new Table({
    head: ["message", ...subjects.map((_, at) => String(at + 1)), "understood as"],
    style: { head: [], border: [], compact: true },
    wordWrap: true,
  });
  for (const { id, groups } of shown) {
    const letterOf = (subject: number): string => LETTERS[groups.findIndex(({ members }) => members.includes(subject))] ?? "?";
    table.push([
      id,
      ...subjects.map((_, at) => (letterOf(at) === "A" ? "A" : styleText("yellow", letterOf(at)))),
      groups.map(({ words, members }, at) => `${LETTERS[at] ?? "?"} ${words} (${members.length})`).join("\n"),
    ]);
  }
  return `${head}${table.toString()}\n`;
}
