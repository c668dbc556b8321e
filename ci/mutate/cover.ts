import { readdirSync, readFileSync } from "node:fs";
import { type Profiler, Session } from "node:inspector/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** Offsets in a source, and whether that part was executed. The smallest region around an offset applies to it. */
export type Region = { readonly start: number; readonly end: number; readonly executed: boolean };

/** Whether the code at this offset was executed. */
export function covers(regions: readonly Region[], offset: number): boolean {
  let found: Region | undefined;
  for (const region of regions)
    if (region.start <= offset && offset < region.end && (found === undefined || region.end - region.start <= found.end - found.start))
      found = region;
  return found?.executed ?? false;
}

type Script = Profiler.ScriptCoverage;

/** The regions of a script. Types are stripped in place, so offsets are those of the source. */
const regionsOf = ({ functions }: Script): Region[] =>
  functions.flatMap(({ ranges }) =>
    ranges.map(({ startOffset, endOffset, count }) => ({ start: startOffset, end: endOffset, executed: count > 0 })),
  );

/** V8's coverage of the modules that load from now on, by file. */
export async function beginCover(root: string): Promise<() => Promise<Record<string, Region[]>>> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  return async () => {
    const { result } = await session.post("Profiler.takePreciseCoverage");
    session.disconnect();
    return Object.fromEntries(
      result.filter(({ url }) => url.startsWith("file:")).map((script) => [relative(root, fileURLToPath(script.url)), regionsOf(script)]),
    );
  };
}

/** What the processes of a folder (`NODE_V8_COVERAGE`) executed of these files: the regions of each process, by file. */
export function coverIn(folder: string, root: string, files: ReadonlySet<string>): Map<string, Region[][]> {
  const found = new Map<string, Region[][]>();
  for (const name of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, name), "utf8")) as { readonly result: readonly Script[] };
    for (const script of result) {
      const file = script.url.startsWith("file:") ? relative(root, fileURLToPath(script.url)) : "";
      if (files.has(file)) found.set(file, [...(found.get(file) ?? []), regionsOf(script)]);
    }
  }
  return found;
}
