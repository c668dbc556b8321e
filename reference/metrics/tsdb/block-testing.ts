import { Columns, compareLabels, compareText, Labels, Matcher } from "../model/index.ts";
import type { Querier } from "../storage/index.ts";
import { Block } from "./block.ts";
import type { Damage } from "./block-damage.ts";
import { PageCache } from "./block-pages.ts";
import { type BlockAbout, writeBlock } from "./block-write.ts";
import { ChunkBatch } from "./chunk-batch.ts";
import { encodeRows } from "./chunk-encode.ts";
import { FileFault, type FileLock, type Files, type OpenFile, type OpenMode, parentOf } from "./files.ts";

/** A file in memory: what a reader sees, and what would be left after a loss of power. */
type Leaf = { bytes: Uint8Array<ArrayBuffer>; kept: Uint8Array<ArrayBuffer> };
type Names = Map<string, Leaf | Folder>;
type Folder = { names: Names; kept: Names };

/** Stands for the end of the process, at one operation. */
export class Crash extends Error {
  override readonly name = "Crash";
}

const folder = (): Folder => ({ names: new Map(), kept: new Map() });

/** A file system in memory for the tests of this folder: it counts what changes it, can end at any such operation, and knows what would be lost. */
export class MemoryFiles implements Files {
  readonly #root: Folder;
  /** Operations so far that change something. */
  operations = 0;
  /** At this operation everything ends, or there is no space from then on. */
  endAt = Infinity;
  trouble: "crash" | "no space" = "crash";

  constructor(root: Folder = folder()) {
    this.#root = root;
  }

  /** What is left after a loss of power; `all` after the end of the process alone. */
  after(all: boolean): MemoryFiles {
    return new MemoryFiles(left(this.#root, all));
  }

  open(path: string, mode: OpenMode): OpenFile {
    const names = this.#folder(parentOf(path)).names;
    const found = names.get(nameOf(path));
    if (found !== undefined && "names" in found) throw new FileFault("input or output", path, "it is a directory");
    if (found === undefined && mode === "read") throw new FileFault("not found", path, "it is not there");
    if (found !== undefined && mode === "create") throw new FileFault("exists", path, "it is there");
    if (found === undefined) this.step(path);
    const leaf = found ?? { bytes: new Uint8Array(0), kept: new Uint8Array(0) };
    names.set(nameOf(path), leaf);
    return new MemoryFile(this, path, leaf);
  }

  list(directory: string): string[] {
    return [...this.#folder(directory).names.keys()].sort();
  }

  exists(path: string): boolean {
    return this.#find(path) !== undefined;
  }

  isDirectory(path: string): boolean {
    const found = this.#find(path);
    return found !== undefined && "names" in found;
  }

  makeDirectory(path: string): void {
    this.step(path);
    let at = this.#root;
    for (const name of path.split("/")) {
      const next = at.names.get(name) ?? folder();
      if (!("names" in next)) throw new FileFault("exists", path, "it is a file");
      at.names.set(name, next);
      at = next;
    }
  }

  rename(from: string, to: string): void {
    this.step(from);
    const node = this.#find(from);
    if (node === undefined) throw new FileFault("not found", from, "it is not there");
    this.#folder(parentOf(from)).names.delete(nameOf(from));
    this.#folder(parentOf(to)).names.set(nameOf(to), node);
  }

  remove(path: string): void {
    this.step(path);
    const found = this.#find(path);
    if (found === undefined) return;
    // The worst order: what is in a directory is gone on disk before its name is.
    if ("names" in found) empty(found);
    this.#folder(parentOf(path)).names.delete(nameOf(path));
  }

  link(from: string, to: string): void {
    this.step(to);
    const node = this.#find(from);
    if (node !== undefined) this.#folder(parentOf(to)).names.set(nameOf(to), node);
  }

  syncDirectory(path: string): void {
    this.step(path);
    const at = this.#folder(path);
    at.kept = new Map(at.names);
  }

  lock(_path: string): FileLock {
    return { release: () => undefined };
  }

  step(path: string): void {
    this.operations += 1;
    if (this.operations < this.endAt) return;
    if (this.trouble === "no space") throw new FileFault("no space", path, "no space");
    throw new Crash(path);
  }

  #find(path: string): Leaf | Folder | undefined {
    let at: Leaf | Folder | undefined = this.#root;
    for (const name of path.split("/")) at = at !== undefined && "names" in at ? at.names.get(name) : undefined;
    return at;
  }

  #folder(path: string): Folder {
    const found = path === "" ? this.#root : this.#find(path);
    if (found === undefined || !("names" in found)) throw new FileFault("not found", path, "there is no such directory");
    return found;
  }
}

class MemoryFile implements OpenFile {
  readonly path: string;
  readonly #files: MemoryFiles;
  readonly #leaf: Leaf;

  constructor(files: MemoryFiles, path: string, leaf: Leaf) {
    this.#files = files;
    this.path = path;
    this.#leaf = leaf;
  }

  size(): number {
    return this.#leaf.bytes.length;
  }

  read(into: Uint8Array, at: number): number {
    const part = this.#leaf.bytes.subarray(at, at + into.length);
    into.set(part);
    return part.length;
  }

  write(bytes: Uint8Array, at: number): void {
    this.#files.step(this.path);
    const wider = new Uint8Array(Math.max(this.#leaf.bytes.length, at + bytes.length));
    wider.set(this.#leaf.bytes);
    wider.set(bytes, at);
    this.#leaf.bytes = wider;
  }

  truncate(size: number): void {
    this.#files.step(this.path);
    this.#leaf.bytes = this.#leaf.bytes.slice(0, size);
  }

  sync(): void {
    this.#files.step(this.path);
    this.#leaf.kept = this.#leaf.bytes;
  }

  close(): void {}
}

function empty(from: Folder): void {
  for (const node of from.names.values()) if ("names" in node) empty(node);
  from.names.clear();
  from.kept.clear();
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

function left(from: Folder, all: boolean): Folder {
  const names: Names = new Map();
  for (const [name, node] of all ? from.names : from.kept) {
    if ("names" in node) names.set(name, left(node, all));
    else {
      const bytes = (all ? node.bytes : node.kept).slice();
      names.set(name, { bytes, kept: bytes });
    }
  }
  return { names, kept: new Map(names) };
}

/** What a storage holds: of each series, by its labels as a text of JSON, times and values. */
export type Held = Readonly<Record<string, readonly (readonly [time: number, value: number])[]>>;

export const ULIDS = Array.from({ length: 9 }, (_, at) => `0123456789ABCDEFGHJKMNPQR${at}`);

/** An empty data directory that has a name on disk. */
export function emptyFiles(): MemoryFiles {
  const files = new MemoryFiles();
  files.makeDirectory("data");
  files.syncDirectory("");
  return files;
}

/** Writes a block of what is to be held. */
export function writeHeld(files: Files, held: Held, about: Partial<BlockAbout> & { ulid: string }): void {
  const rows = Object.entries(held)
    .map(([key, samples]) => ({ labels: Labels.of(JSON.parse(key) as Record<string, string>), samples }))
    .sort((a, b) => compareLabels(a.labels, b.labels));
  const times = Object.values(held).flatMap((samples) => samples.map(([time]) => time));
  const batch = new ChunkBatch();
  const columns = new Columns();
  const series = function* () {
    for (const { labels, samples } of rows) {
      columns.clear();
      for (const [time, value] of samples) columns.push(time, value);
      batch.clear();
      encodeRows(columns, 0, batch);
      yield { labels, chunks: batch };
    }
  };
  const symbols = [...new Set(rows.flatMap(({ labels }) => labels.flat))].sort(compareText);
  writeBlock(files, "data", { symbols, series: series() }, { minTime: Math.min(...times), maxTime: Math.max(...times) + 1, ...about });
}

/** A block, and what was reported of it. */
export function openBlock(files: Files, ulid: string): { block: Block; reports: Damage[] } {
  const reports: Damage[] = [];
  return { block: new Block(files, `data/${ulid}`, new PageCache(65_536), (damage) => reports.push(damage)), reports };
}

export const ALL = new Matcher("none", "=", "");

/** What a query sees. */
export function heldBy(querier: Querier, matchers: readonly Matcher[] = [ALL], start = -Infinity, end = Infinity): Held {
  const held: Record<string, [number, number][]> = {};
  const columns = new Columns();
  for (const series of querier.select(matchers, start, end)) {
    columns.clear();
    series.read(columns, start, end);
    const samples = Array.from({ length: columns.length }, (_, row): [number, number] => [
      columns.times[row] ?? 0,
      columns.values[row] ?? 0,
    ]);
    if (samples.length > 0) held[JSON.stringify(series.labels)] = samples;
  }
  querier.close();
  return held;
}
