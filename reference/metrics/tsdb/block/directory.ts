import { Block } from "./block.ts";
import { Damage, FileFault, type Files, Foreign, keptIn, type PageCache, replaceFile, type Report, setAside } from "../files/index.ts";
import { CREATION, DELETION } from "./write.ts";
import { EMPTY_SEGMENT } from "./chunks-write.ts";
import { inOrderOfTime } from "./compact.ts";
import { isUlid } from "./meta.ts";

/** If more parts of a block are damaged, all of it goes into quarantine. */
const MOST_MISSED = 16;

/**
 * Opens the blocks of a data directory, in time order. Removes unfinished blocks, half-removed ones, and those that a compaction replaced. If the
 * damaged part of a block is dispensable, only that part goes into quarantine, otherwise the whole block. A block with a transient fault or a newer
 * format stays where it is. Everything is reported. If the newest block is set aside, the log brings back what it still has of its time range,
 * including samples deleted from blocks since.
 */
export function openBlocks(files: Files, data: string, pages: PageCache, report: Report): Block[] {
  removeUnfinished(files, data);
  const blocks: Block[] = [];
  const closed = new Map<string, Damage | FileFault>();
  try {
    for (const name of files.list(data)) {
      if (!isUlid(name) || !files.isDirectory(`${data}/${name}`)) continue;
      const opened = open({ files, data, pages, report }, name);
      if (opened instanceof Block) blocks.push(opened);
      else closed.set(name, opened);
    }
    const replaced = new Set(blocks.flatMap(({ meta }) => meta.compaction.parents ?? []).map((parent) => parent.ulid));
    for (const { meta } of blocks) if (meta.compaction.deletable === true) replaced.add(meta.ulid);
    for (const block of blocks) if (replaced.has(block.meta.ulid)) block.close();
    for (const name of [...closed.keys(), ...blocks.map(({ meta }) => meta.ulid)]) if (replaced.has(name)) removeBlock(files, data, name);
    for (const [name, why] of closed) if (!replaced.has(name)) report(leftOut(files, data, name, why));
    return inOrderOfTime(blocks.filter(({ meta }) => !replaced.has(meta.ulid)));
  } catch (error) {
    for (const block of blocks) block.close();
    throw error;
  }
}

/** Removes a block atomically: renames it first. */
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
    // Older servers mark unfinished directories with .tmp.
    if (isUlid(ulid) && [CREATION, DELETION, ".tmp"].includes(name.slice(26))) files.remove(`${data}/${name}`);
  }
}

type Opening = { readonly files: Files; readonly data: string; readonly pages: PageCache; readonly report: Report };

/** Opens a block or returns why that fails. Throws "too many open": not a fault of the block. */
function open({ files, data, pages, report }: Opening, name: string): Block | Damage | FileFault {
  try {
    for (const missed = new Set<string>(); ;) {
      try {
        return new Block(files, `${data}/${name}`, pages, report);
      } catch (error) {
        if (!(error instanceof Damage) || error instanceof Foreign || missed.has(error.path) || missed.size === MOST_MISSED) throw error;
        const done = withoutPart(files, data, name, error);
        if (done === undefined) throw error;
        missed.add(error.path);
        report(done);
      }
    }
  } catch (error) {
    if (error instanceof Damage || (error instanceof FileFault && error.trouble !== "too many open")) return error;
    throw error;
  }
}

/**
 * Moves a dispensable part of a block into quarantine: its tombstones (deleted samples reappear, which is better than losing the block), or a segment of
 * chunks. An empty segment replaces it, because chunk references contain the segment number.
 */
function withoutPart(files: Files, data: string, name: string, { path, at, what }: Damage): Damage | undefined {
  const part = path.slice(`${data}/${name}/`.length);
  const isSegment = /^chunks\/\d{6,}$/.test(part);
  if (!isSegment && part !== "tombstones") return undefined;
  const to = files.exists(path) ? setAside(files, data, path) : undefined;
  if (isSegment) replaceFile(files, path, EMPTY_SEGMENT);
  const loss = isSegment ? "Its chunks are not read" : "Samples deleted from the block reappear";
  return new Damage(path, at, what, to === undefined ? loss : `${loss}. ${keptIn(to)}`);
}

/** The report for a block that is not opened. A damaged one is set aside, so that it does not block other servers. */
function leftOut(files: Files, data: string, name: string, why: Damage | FileFault): Damage {
  const directory = `${data}/${name}`;
  if (why instanceof FileFault) return new Damage(directory, 0, why.message, "The block is not read and stays where it is");
  const { path, at, what } = why;
  if (why instanceof Foreign) return new Foreign(path, at, what, "The block is not read and stays where it is");
  try {
    return new Damage(path, at, what, `The block is not read. ${keptIn(setAside(files, data, directory))}`);
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    return new Damage(path, at, what, `The block is not read and cannot be set aside: ${error.message}`);
  }
}
