/** Why a file operation failed, as far as a caller can act on it. */
export type FileTrouble = "not found" | "exists" | "no space" | "locked" | "not permitted" | "too many open" | "input or output";

/** A failed file operation. The message names the operation and the file. */
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

/** `read`: the file must exist. `write`: reads and writes, and creates the file if needed. `create`: fails if the file exists. */
export type OpenMode = "read" | "write" | "create";

/** An open file. Positions and sizes are octets from its beginning. */
export interface OpenFile {
  readonly path: string;
  size(): number;
  /** Reads from `at` until `into` is full or the file ends. Returns the number of octets read. */
  read(into: Uint8Array, at: number): number;
  /** Writes all of `bytes`. If it throws, any part of them may be written. */
  write(bytes: Uint8Array, at: number): void;
  truncate(size: number): void;
  /** After this the content of the file survives a power loss. */
  sync(): void;
  close(): void;
}

/** Held until released. The lock of a dead process does not count. */
export interface FileLock {
  release(): void;
}

/**
 * The file operations that the storage needs, all synchronous. Paths use `/` and begin with the path of the data directory. A failure throws
 * `FileFault`. A new name, a rename and a removal survive a power loss after `syncDirectory` of their directory; the content of a file after its `sync`.
 */
export interface Files {
  open(path: string, mode: OpenMode): OpenFile;
  /** The names in a directory, sorted. */
  list(directory: string): string[];
  exists(path: string): boolean;
  isDirectory(path: string): boolean;
  /** Also creates missing parents. Does nothing if the directory exists. */
  makeDirectory(path: string): void;
  /** Moves a file, replacing one of that name, or moves a directory to a free name. */
  rename(from: string, to: string): void;
  /** Removes a file, or a directory with its content. Does nothing if there is none. */
  remove(path: string): void;
  /** Gives a file a second name: a copy that takes no disk space (Prometheus docs, storage.md, snapshots). */
  link(from: string, to: string): void;
  syncDirectory(path: string): void;
  /** Takes the lock file at `path`. Throws `locked` while another process holds it. */
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

/** After this the content of the file survives a power loss. */
export function syncFile(files: Files, path: string): void {
  const file = files.open(path, "write");
  try {
    file.sync();
  } finally {
    file.close();
  }
}

/** Replaces a file atomically: writes another file, then renames it. */
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

/** The directory of a path. */
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));
