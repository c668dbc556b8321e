import { Block } from "./block.ts";
import { Damage, FileFault, type Files, Foreign, keptIn, type PageCache, replaceFile, type Report, setAside } from "../files/index.ts";
import { CREATION, DELETION } from "./write.ts";
import { EMPTY_SEGMENT } from "./chunks-write.ts";
import { inOrderOfTime } from "./compact.ts";
import { isUlid } from "./meta.ts";

/** A block of which more parts have to be set aside goes as a whole. */
const MOST_MISSED = 16;

/**
 * Opens the blocks of a data directory, in order of time. What an interruption left half made or half removed is taken away, as are blocks that another was
 * made of. A block that is damaged so that it cannot be opened goes into quarantine as a whole; one that can do without what is damaged, without that. What
 * only a passing trouble or a newer format keeps from being opened stays where it is. All of it is reported. Where the newest block goes, the log shows again
 * what it still has of the time before that block's end, also what was deleted from blocks since.
 */
export function openBlocks(files: Files, data: string, pages: PageCache, report: Report): Block[] {
  removeUnfinished(files, data);
  const blocks: Block[] = [];
  const closed = new Map<string, Damage | FileFault>();
  try {
    for (const name of files.list(data)) {
      if (!isUlid(name) || !files.isDirectory(`${data}/${name}`)) continue;
      const opened = open(files, data, name, pages, report);
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

/** Returns why it cannot be opened; that there are too many files open is not the block's matter, and thrown. */
function open(files: Files, data: string, name: string, pages: PageCache, report: Report): Block | Damage | FileFault {
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
 * Sets the part of a block aside that it can do without: its tombstones (what was deleted is seen again, which is better than a block that is not seen), or a
 * segment of chunks, in whose place comes one without chunks, since the place of a segment among the others says which one it is.
 */
function withoutPart(files: Files, data: string, name: string, { path, at, what }: Damage): Damage | undefined {
  const part = path.slice(`${data}/${name}/`.length);
  const isSegment = /^chunks\/\d{6,}$/.test(part);
  if (!isSegment && part !== "tombstones") return undefined;
  const to = files.exists(path) ? setAside(files, data, path) : undefined;
  if (isSegment) replaceFile(files, path, EMPTY_SEGMENT);
  const loss = isSegment ? "Its chunks are not read" : "What was deleted from the block is seen again";
  return new Damage(path, at, what, to === undefined ? loss : `${loss}. ${keptIn(to)}`);
}

/** What to report of a block that is not opened: a damaged one is set aside, so that it is in no server's way. */
function leftOut(files: Files, data: string, name: string, why: Damage | FileFault): Damage {
  const directory = `${data}/${name}`;
  if (why instanceof FileFault) return new Damage(directory, 0, why.message, "The block is not read, and left where it is");
  const { path, at, what } = why;
  if (why instanceof Foreign) return new Foreign(path, at, what, "The block is not read, and left where it is");
  try {
    return new Damage(path, at, what, `The block is not read. ${keptIn(setAside(files, data, directory))}`);
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    return new Damage(path, at, what, `The block is not read, and cannot be set aside: ${error.message}`);
  }
}
