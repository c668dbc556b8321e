import { Block } from "./block.ts";
import { Damage, type Report } from "./block-damage.ts";
import type { PageCache } from "./block-pages.ts";
import { CREATION, DELETION } from "./block-write.ts";
import { inOrderOfTime } from "./compact.ts";
import { FileFault, type Files } from "./files.ts";
import { isUlid } from "./meta.ts";

/**
 * Opens the blocks of a data directory, in order of time. What an interruption left half made or half removed is taken away, as are blocks that another was
 * made of. A block that cannot be read is reported, and stays where it is for somebody to look at: it is not opened, compacted or removed.
 */
export function openBlocks(files: Files, data: string, pages: PageCache, report: Report): Block[] {
  removeUnfinished(files, data);
  const blocks: Block[] = [];
  const damaged = new Map<string, Damage>();
  for (const name of files.list(data)) {
    if (!isUlid(name) || !files.isDirectory(`${data}/${name}`)) continue;
    const opened = open(files, `${data}/${name}`, pages, report);
    if (opened instanceof Block) blocks.push(opened);
    else damaged.set(name, opened);
  }
  const replaced = new Set(blocks.flatMap(({ meta }) => meta.compaction.parents ?? []).map((parent) => parent.ulid));
  for (const { meta } of blocks) if (meta.compaction.deletable === true) replaced.add(meta.ulid);
  for (const block of blocks) if (replaced.has(block.meta.ulid)) block.close();
  for (const name of [...damaged.keys(), ...blocks.map(({ meta }) => meta.ulid)]) if (replaced.has(name)) removeBlock(files, data, name);
  for (const [name, damage] of damaged) if (!replaced.has(name)) report(damage);
  return inOrderOfTime(blocks.filter(({ meta }) => !replaced.has(meta.ulid)));
}

/** Takes a block away: under its name it is there whole, or not at all. */
export function removeBlock(files: Files, data: string, ulid: string): void {
  const dying = `${data}/${ulid}${DELETION}`;
  files.remove(dying);
  files.rename(`${data}/${ulid}`, dying);
  files.syncDirectory(data);
  files.remove(dying);
}

function removeUnfinished(files: Files, data: string): void {
  for (const name of files.list(data)) {
    const ulid = name.slice(0, 26);
    // A directory that was being made by an older server ends in .tmp.
    if (isUlid(ulid) && [CREATION, DELETION, ".tmp"].includes(name.slice(26))) files.remove(`${data}/${name}`);
  }
}

/** A block whose files do not open is as good as damaged; that there are too many files open is not the block's fault. */
function open(files: Files, directory: string, pages: PageCache, report: Report): Block | Damage {
  try {
    return new Block(files, directory, pages, report);
  } catch (error) {
    if (error instanceof Damage) return error;
    if (error instanceof FileFault && error.trouble !== "too many open") return new Damage(directory, 0, error.message);
    throw error;
  }
}
