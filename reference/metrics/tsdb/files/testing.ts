import { FileFault, type FileLock, type Files, type FileTrouble, type OpenFile, type OpenMode, parentOf } from "./files.ts";

/** Thrown by every operation after the simulated process has died. */
export class Crash extends Error {
  override readonly name = "Crash";
}

/** What happens at an operation: the process dies in the middle of it, or the operation fails and the process continues. */
export type Mishap = "crash" | FileTrouble;

type Change = { readonly at: number; readonly bytes: Uint8Array } | { readonly size: number };
class Inode {
  bytes = new Uint8Array(0);
  /** The content on disk, and the changes since, in order. */
  synced = new Uint8Array(0);
  changes: Change[] = [];

  copy(): Inode {
    const copy = new Inode();
    copy.bytes = this.bytes;
    copy.synced = this.bytes;
    return copy;
  }
}
/** A change of a name: to a file, a directory or nothing. All such changes form one journal, as in most file systems. */
type Entry = { readonly path: string; readonly node: Inode | "directory" | undefined };

/**
 * An in-memory file system with the failures of a real one: a power loss drops unsynced content and unsynced names, a dying process leaves torn writes,
 * any operation can fail, and the disk can be full. It counts operations, so that a test can fail each of them in turn.
 */
export class MemoryFiles implements Files {
  /** The process's view. */
  readonly #now = new Map<string, Inode | "directory">([["", "directory"]]);
  readonly #journal: (readonly Entry[])[] = [];
  /** Number of journal entries that are on disk. */
  #durable = 0;
  readonly #random: () => number;
  readonly #locks = new Set<string>();
  #mishaps = new Map<number, Mishap>();
  #isDead = false;
  operations = 0;
  /** For tests that need distinct numbers; a copy continues it. */
  serial = 0;
  /** Free disk space in octets. */
  room = Infinity;

  /** `random` decides how much unsynced content a power loss drops: 0, the default, for all of it. */
  constructor(random: () => number = () => 0) {
    this.#random = random;
  }

  /** Plans a mishap for the operation with this number, counted from now, and for the `count - 1` after it. */
  plan(operation: number, mishap: Mishap, count = 1): void {
    for (let at = 0; at < count; at++) this.#mishaps.set(this.operations + operation + at, mishap);
  }

  /** Another disk with the process's view of this one, fully synced. */
  copy(random?: () => number): MemoryFiles {
    const files = new MemoryFiles(random);
    files.serial = this.serial;
    const entries = [...this.#now].map(([path, node]): Entry => ({ path, node: node === "directory" ? node : node.copy() }));
    files.#enter(entries);
    files.#durable = 1;
    return files;
  }

  /** A new process after a crash: the kernel has written everything except the rest of the failed operation. */
  restart(): void {
    this.#isDead = false;
    this.#mishaps.clear();
    this.#locks.clear();
    this.room = Infinity;
  }

  /** A power loss: any unsynced content may be missing, and names are as at some moment since their last sync. */
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
    // One journal entry: atomic.
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

  /** Keeps some of the unsynced changes; the last one may be torn. */
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
    if (mishap !== "crash") throw new FileFault(mishap, path, "planned failure");
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
