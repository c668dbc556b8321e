import { FileFault, type FileLock, type Files, type FileTrouble, type OpenFile, type OpenMode, parentOf } from "./files.ts";

/** Thrown by every operation from the one on at which the process is to die. */
export class Crash extends Error {
  override readonly name = "Crash";
}

/** What goes wrong at an operation: the process dies in the middle of it, or it fails and the process goes on. */
export type Mishap = "crash" | FileTrouble;

type Change = { readonly at: number; readonly bytes: Uint8Array } | { readonly size: number };
class Inode {
  bytes = new Uint8Array(0);
  /** What is on the disk, and what was done since, in order. */
  synced = new Uint8Array(0);
  changes: Change[] = [];

  copy(): Inode {
    const copy = new Inode();
    copy.bytes = this.bytes;
    copy.synced = this.bytes;
    return copy;
  }
}
/** A name begins or ends to be a file's or a directory's. All such changes are one journal, as of most file systems. */
type Entry = { readonly path: string; readonly node: Inode | "directory" | undefined };

/**
 * A file system in memory, as bad as a real one may be: content that was not synced and names whose directory was not synced are lost with the power, a write
 * is torn where the process dies, any operation can fail, and the disk can be full. It counts operations, so that a test can let each of them go wrong in turn.
 */
export class MemoryFiles implements Files {
  /** What the process sees. */
  readonly #now = new Map<string, Inode | "directory">([["", "directory"]]);
  readonly #journal: (readonly Entry[])[] = [];
  /** So many entries of the journal are on the disk. */
  #durable = 0;
  readonly #random: () => number;
  readonly #locks = new Set<string>();
  #mishaps = new Map<number, Mishap>();
  #isDead = false;
  operations = 0;
  /** Octets that the disk has room for. */
  room = Infinity;

  /** `random` says how much of what was not synced is lost with the power: 0, as it is by default, for all of it. */
  constructor(random: () => number = () => 0) {
    this.#random = random;
  }

  /** Lets the operation with this number, counted from now, go wrong; or so many of them. */
  plan(operation: number, mishap: Mishap, count = 1): void {
    for (let at = 0; at < count; at++) this.#mishaps.set(this.operations + operation + at, mishap);
  }

  /** Another disk with what the process sees on this one, all of it synced. */
  copy(random?: () => number): MemoryFiles {
    const files = new MemoryFiles(random);
    const entries = [...this.#now].map(([path, node]): Entry => ({ path, node: node === "directory" ? node : node.copy() }));
    files.#enter(entries);
    files.#durable = 1;
    return files;
  }

  /** The process is gone, and the kernel has written what it was given: all is there but what the dying operation left undone. */
  restart(): void {
    this.#isDead = false;
    this.#mishaps.clear();
    this.#locks.clear();
    this.room = Infinity;
  }

  /** The power is gone: of what was not synced any part may be missing; names are as they were at some moment since they were synced last. */
  losePower(): void {
    this.restart();
    const kept = this.#durable + Math.floor(this.#random() * (this.#journal.length - this.#durable + 1));
    this.#journal.length = kept;
    this.#durable = kept;
    this.#now.clear();
    this.#now.set("", "directory");
    for (const { path, node } of this.#journal.flat()) {
      if (node === undefined) this.#now.delete(path);
      else this.#now.set(path, node);
    }
    for (const node of this.#now.values()) if (node !== "directory") this.#forget(node);
  }

  open(path: string, mode: OpenMode): OpenFile {
    this.#step(path);
    const known = this.#now.get(path);
    if (known === "directory") throw new FileFault("input or output", path, "is a directory");
    if (mode === "read" && known === undefined) throw missing(path);
    if (mode === "create" && known !== undefined) throw new FileFault("exists", path, "is there already");
    const node = known ?? new Inode();
    if (known === undefined) {
      if (this.#now.get(parentOf(path)) !== "directory") throw missing(path);
      this.#enter([{ path, node }]);
    }
    return this.#file(path, node);
  }

  list(directory: string): string[] {
    this.#step(directory);
    if (this.#now.get(directory) !== "directory") throw missing(directory);
    const names: string[] = [];
    for (const path of this.#now.keys()) if (path !== "" && parentOf(path) === directory) names.push(path.slice(directory.length + 1));
    return names.sort();
  }

  exists(path: string): boolean {
    this.#alive();
    return this.#now.has(path);
  }

  isDirectory(path: string): boolean {
    this.#alive();
    return this.#now.get(path) === "directory";
  }

  makeDirectory(path: string): void {
    this.#step(path);
    if (this.#now.has(path)) return;
    if (!this.#now.has(parentOf(path))) this.makeDirectory(parentOf(path));
    this.#enter([{ path, node: "directory" }]);
  }

  rename(from: string, to: string): void {
    this.#step(from);
    const node = this.#now.get(from);
    if (node === undefined) throw missing(from);
    const target = this.#now.get(to);
    if (target === "directory" || (target !== undefined && node === "directory")) throw new FileFault("exists", to, "is there already");
    const within = [...this.#now].filter(([path]) => path === from || path.startsWith(`${from}/`));
    const gone = within.map(([path]): Entry => ({ path, node: undefined }));
    // One change of the journal: all of it, or none.
    this.#enter([...gone, ...within.map(([path, inner]): Entry => ({ path: to + path.slice(from.length), node: inner }))]);
  }

  remove(path: string): void {
    this.#step(path);
    const within = [...this.#now.keys()].filter((other) => other === path || other.startsWith(`${path}/`));
    for (const other of within.sort().toReversed()) {
      if (other !== path) this.#step(other);
      this.#enter([{ path: other, node: undefined }]);
    }
  }

  link(from: string, to: string): void {
    this.#step(from);
    const node = this.#now.get(from);
    if (node === undefined || node === "directory") throw missing(from);
    this.#enter([{ path: to, node }]);
  }

  syncDirectory(path: string): void {
    this.#step(path);
    const last = this.#journal.findLastIndex((entries) => entries.some((entry) => parentOf(entry.path) === path));
    this.#durable = Math.max(this.#durable, last + 1);
  }

  lock(path: string): FileLock {
    this.#step(path);
    if (this.#locks.has(path)) throw new FileFault("locked", path, "is held");
    this.#locks.add(path);
    return { release: () => void this.#locks.delete(path) };
  }

  #file(path: string, node: Inode): OpenFile {
    return {
      path,
      size: () => {
        this.#alive();
        return node.bytes.length;
      },
      read: (into, at) => {
        this.#alive();
        const part = node.bytes.subarray(at, at + into.length);
        into.set(part);
        return part.length;
      },
      write: (bytes, at) => {
        const grown = Math.max(0, at + bytes.length - node.bytes.length);
        if (grown > this.room) {
          this.#change(node, { at, bytes: bytes.slice(0, Math.max(0, bytes.length - grown + this.room)) });
          throw new FileFault("no space", path, "the disk is full");
        }
        this.#step(path, () => this.#change(node, { at, bytes: bytes.slice(0, Math.floor(this.#random() * (bytes.length + 1))) }));
        this.#change(node, { at, bytes: bytes.slice() });
      },
      truncate: (size) => {
        this.#step(path);
        this.#change(node, { size });
      },
      sync: () => {
        this.#step(path);
        node.synced = node.bytes.slice();
        node.changes = [];
      },
      close: () => this.#alive(),
    };
  }

  #change(node: Inode, change: Change): void {
    const before = node.bytes.length;
    node.bytes = applied(node.bytes, change);
    this.room -= node.bytes.length - before;
    node.changes.push(change);
  }

  /** Of what was written since the last sync, some was; the last of it may be torn. */
  #forget(node: Inode): void {
    let bytes = node.synced;
    for (const change of node.changes) {
      if (this.#random() < 0.4) continue;
      if ("size" in change || this.#random() < 0.7) bytes = applied(bytes, change);
      else bytes = applied(bytes, { at: change.at, bytes: change.bytes.slice(0, Math.floor(this.#random() * change.bytes.length)) });
    }
    node.bytes = bytes;
    node.synced = bytes;
    node.changes = [];
  }

  #enter(entries: readonly Entry[]): void {
    this.#journal.push(entries);
    for (const { path, node } of entries) {
      if (node === undefined) this.#now.delete(path);
      else this.#now.set(path, node);
    }
  }

  #alive(): void {
    if (this.#isDead) throw new Crash("the process is dead");
  }

  #step(path: string, undone: () => void = () => {}): void {
    this.#alive();
    const mishap = this.#mishaps.get(++this.operations);
    if (mishap === undefined) return;
    undone();
    if (mishap !== "crash") throw new FileFault(mishap, path, "was told to fail");
    this.#isDead = true;
    throw new Crash(path);
  }
}

const missing = (path: string): FileFault => new FileFault("not found", path, "is not there");

function applied(bytes: Uint8Array<ArrayBuffer>, change: Change): Uint8Array<ArrayBuffer> {
  const size = "size" in change ? change.size : Math.max(bytes.length, change.at + change.bytes.length);
  const result = new Uint8Array(size);
  result.set(bytes.subarray(0, size));
  if ("bytes" in change) result.set(change.bytes, change.at);
  return result;
}
