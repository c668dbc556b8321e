import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** Runs the runner of the connect project on our server or our client. */

export type Mode = "server" | "client";
export type Run = {
  /** Whether everything passed but the listed differences, which failed. */
  readonly isAsExpected: boolean;
  readonly passed: number;
  /** Cases that fail for a reason that `differences.json` gives. */
  readonly differing: number;
  /** What the runner says. */
  readonly said: string;
};
/** Cases in which the runner and the texts differ, and why. */
export type Difference = { readonly cases: readonly string[]; readonly why: string };

const HERE = fileURLToPath(new URL(".", import.meta.url));
/** The version of the contract that the adapters speak. */
export const VERSION = "1.0.7";
const MODULE = `connectrpc.com/conformance@v${VERSION}`;
/** How to get the runner. */
export const INSTALL = `go install connectrpc.com/conformance/cmd/connectconformance@v${VERSION}`;
const OUTPUT_OCTETS = 67_108_864;
const execute = promisify(execFile);

export const differencesOf = (mode: Mode): readonly Difference[] =>
  (JSON.parse(readFileSync(join(HERE, "differences.json"), "utf8")) as Record<Mode, Difference[]>)[mode];

/** The folder of the runner's contract; undefined where the runner, or Go, is not installed. */
export async function contractFolder(): Promise<string | undefined> {
  try {
    await execute("connectconformance", ["--version"]);
    const { stdout } = await execute("go", ["mod", "download", "-json", MODULE]);
    return join((JSON.parse(stdout) as { readonly Dir: string }).Dir, "proto");
  } catch {
    return undefined;
  }
}

/** Runs all cases of a mode, without those that `skipped` names. */
export async function run(mode: Mode, folder: string, skipped: readonly string[] = []): Promise<Run> {
  const known = differencesOf(mode).flatMap(({ cases }) => cases.flatMap((one) => ["--known-failing", one]));
  const skips = skipped.flatMap((one) => ["--skip", one]);
  const adapter = [process.execPath, join(HERE, `${mode}.ts`), folder];
  const args = ["--mode", mode, "--conf", join(HERE, `${mode}.yaml`), ...known, ...skips, "--", ...adapter];
  const { said, status } = await execute("connectconformance", args, { maxBuffer: OUTPUT_OCTETS }).then(
    ({ stdout, stderr }) => ({ said: stdout + stderr, status: 0 }),
    ({ stdout, stderr, code }: { stdout: string; stderr: string; code: number }) => ({ said: stdout + stderr, status: code }),
  );
  const count = (pattern: RegExp): number => Number(pattern.exec(said)?.[1] ?? 0);
  return { isAsExpected: status === 0, passed: count(/(\d+) passed/), differing: count(/(\d+) failed as expected/), said };
}
