/** What was wrong with a file operation, told apart as far as somebody can act on it. */
export type FileTrouble = "not found" | "exists" | "no space" | "locked" | "not permitted" | "too many open" | "input or output";

/** A file operation failed. Which one, and on what, is in the message. */
export class FileFault extends Error {
  override readonly name = "FileFault";
  readonly code = "FILE_FAULT";
  readonly trouble: FileTrouble;
  readonly path: string;

  constructor(trouble: FileTrouble, path: string, what: string) {
    super(`${path}: ${what}`);
    this.trouble = trouble;
    this.path = path;
  }
}

/** How a file is opened: to be read; to be read and written, made where there is none; or made new, and refused where there is one. */
export type OpenMode = "read" | "write" | "create";

/** An open file. Positions and sizes are octets from its beginning. */
export interface OpenFile {
  readonly path: string;
  size(): number;
  /** Reads at `at` until `into` is full or the file ends; returns how many octets that were. */
  read(into: Uint8Array, at: number): number;
  /** All of `bytes`, or it throws and any part of them may have been written. */
  write(bytes: Uint8Array, at: number): void;
  truncate(size: number): void;
  /** Returns when the file's content would survive a loss of power. */
  sync(): void;
  close(): void;
}

/** Held until it is released; one that a process left behind when it died does not count. */
export interface FileLock {
  release(): void;
}

/**
 * The file operations that the storage needs. All of them are synchronous: what is acknowledged has been done. Paths have `/` between their parts and
 * begin with the data directory's. Whatever fails throws a `FileFault`. A new name, a rename and a removal survive a loss of power after
 * `syncDirectory` of the directory they are in; a file's content after its `sync`.
 */
export interface Files {
  open(path: string, mode: OpenMode): OpenFile;
  /** The names in a directory, sorted. */
  list(directory: string): string[];
  exists(path: string): boolean;
  isDirectory(path: string): boolean;
  /** With those above it; nothing happens where it is there. */
  makeDirectory(path: string): void;
  /** Puts a file in place of the one that may be there, or moves a directory to a name that is free. */
  rename(from: string, to: string): void;
  /** A file, or a directory with everything in it; nothing happens where there is none. */
  remove(path: string): void;
  /** A second name for a file, as a copy that takes no room (Prometheus docs, storage.md, snapshots). */
  link(from: string, to: string): void;
  syncDirectory(path: string): void;
  /** Takes the lock file at `path`, or throws `locked` while another process holds it. */
  lock(path: string): FileLock;
}

/** The whole content of a file. */
export function readFile(files: Files, path: string): Uint8Array<ArrayBuffer> {
  const file = files.open(path, "read");
  try {
    const bytes = new Uint8Array(file.size());
    const length = file.read(bytes, 0);
    return length === bytes.length ? bytes : bytes.slice(0, length);
  } finally {
    file.close();
  }
}

/** Sees that what a file has would survive a loss of power. */
export function syncFile(files: Files, path: string): void {
  const file = files.open(path, "write");
  try {
    file.sync();
  } finally {
    file.close();
  }
}

/** Writes a file that is there whole or not at all: under another name first, then renamed. */
export function replaceFile(files: Files, path: string, bytes: Uint8Array): void {
  const temporary = `${path}.tmp`;
  files.remove(temporary);
  const file = files.open(temporary, "create");
  try {
    file.write(bytes, 0);
    file.sync();
  } finally {
    file.close();
  }
  files.rename(temporary, path);
  files.syncDirectory(parentOf(path));
}

/** The directory that a path is in. */
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));
