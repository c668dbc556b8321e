import { Session } from "node:inspector/promises";
import { relative } from "node:path";
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

/** V8's coverage of the modules that load from now on. Types are stripped in place, so offsets are those of the source. */
export async function beginCover(root: string): Promise<() => Promise<Record<string, Region[]>>> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  return async () => {
    const { result } = await session.post("Profiler.takePreciseCoverage");
    session.disconnect();
    const found: Record<string, Region[]> = {};
    for (const { url, functions } of result) {
      if (!url.startsWith("file:")) continue;
      const file = relative(root, fileURLToPath(url));
      found[file] = functions.flatMap(({ ranges }) =>
        ranges.map(({ startOffset, endOffset, count }) => ({ start: startOffset, end: endOffset, executed: count > 0 })),
      );
    }
    return found;
  };
}
