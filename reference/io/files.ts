import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { FileFault, type FileLock, type Files, type FileTrouble, type OpenFile, type OpenMode } from "../metrics/tsdb/index.ts";
import { writerIn } from "./open-files.ts";

/** The real file system, for metrics storage. */
export const realFiles: Files = {
  open: (path, mode) => new RealFile(path, mode),
  list: (directory) => attempt(directory, () => readdirSync(directory).sort()),
  exists: (path) => existsSync(path),
  isDirectory: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false,
  makeDirectory: (path) => attempt(path, () => void mkdirSync(path, { recursive: true })),
  rename: (from, to) => attempt(from, () => renameSync(from, to)),
  remove: (path) => attempt(path, () => rmSync(path, { recursive: true, force: true })),
  link: (from, to) => attempt(from, () => linkSync(from, to)),
  syncDirectory,
  lock,
};

const TROUBLE: Readonly<Record<string, FileTrouble>> = {
  ENOENT: "not found",
  EEXIST: "exists",
  ENOTEMPTY: "exists",
  ENOSPC: "no space",
  EDQUOT: "no space",
  EFBIG: "no space",
  EACCES: "not permitted",
  EPERM: "not permitted",
  EROFS: "not permitted",
  EMFILE: "too many open",
  ENFILE: "too many open",
};

function attempt<Result>(path: string, operation: () => Result): Result {
  try {
    return operation();
  } catch (error) {
    throw faultOf(error, path);
  }
}

function faultOf(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return error;
  return new FileFault(TROUBLE[error.code] ?? "input or output", path, error.message);
}

const FLAGS: Readonly<Record<OpenMode, string>> = { read: "r", write: "a+", create: "wx+" };

class RealFile implements OpenFile {
  readonly path: string;
  readonly #descriptor: number;

  constructor(path: string, mode: OpenMode) {
    this.path = path;
    // "a+" creates a missing file; but Linux then ignores write positions, so the file is opened again.
    if (mode === "write" && !existsSync(path)) attempt(path, () => closeSync(openSync(path, FLAGS.write)));
    this.#descriptor = attempt(path, () => openSync(path, mode === "write" ? "r+" : FLAGS[mode]));
  }

  size(): number {
    return attempt(this.path, () => fstatSync(this.#descriptor).size);
  }

  read(into: Uint8Array, at: number): number {
    return attempt(this.path, () => {
      let done = 0;
      while (done < into.length) {
        const count = readSync(this.#descriptor, into, done, into.length - done, at + done);
        if (count === 0) break;
        done += count;
      }
      return done;
    });
  }

  write(bytes: Uint8Array, at: number): void {
    attempt(this.path, () => {
      let done = 0;
      while (done < bytes.length) done += writeSync(this.#descriptor, bytes, done, bytes.length - done, at + done);
    });
  }

  truncate(size: number): void {
    attempt(this.path, () => ftruncateSync(this.#descriptor, size));
  }

  sync(): void {
    attempt(this.path, () => fsyncSync(this.#descriptor));
  }

  close(): void {
    attempt(this.path, () => closeSync(this.#descriptor));
  }
}

function syncDirectory(path: string): void {
  // Windows cannot open directories; a rename cannot be made more durable there.
  if (process.platform === "win32") return;
  attempt(path, () => {
    const descriptor = openSync(path, "r");
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  });
}

const held = new Set<string>();

/**
 * The lock file holds our process id and the start time of the process, which distinguishes a living holder from a reused id. A server that
 * locks with `flock` instead appears in `/proc/locks`; one that locks nothing, as Debian's Prometheus does by default, has its log open.
 */
function lock(path: string): FileLock {
  const refuse = (holder: string): never => {
    throw new FileFault("locked", path, `${holder} uses this data directory. Stop it, or choose another directory.`);
  };
  if (held.has(path)) refuse("this process");
  const writer = writerIn(join(dirname(path), "wal"));
  if (writer !== undefined) refuse(`process ${writer}`);
  for (;;) {
    try {
      const descriptor = openSync(path, "wx");
      writeSync(descriptor, `${process.pid} ${beganAt(process.pid)}\n`);
      closeSync(descriptor);
      break;
    } catch (error) {
      const fault = faultOf(error, path);
      if (!(fault instanceof FileFault) || fault.trouble !== "exists") throw fault;
    }
    const kernel = flockHolder(path);
    if (kernel !== undefined) refuse(`process ${kernel}`);
    const [pid = 0, began = ""] = contentOf(path);
    if (pid !== process.pid && isAlive(pid, began)) refuse(`process ${pid}`);
    rmSync(path, { force: true });
  }
  held.add(path);
  return {
    release: () => {
      if (held.delete(path)) rmSync(path, { force: true });
    },
  };
}

function contentOf(path: string): [pid: number, began: string] {
  const [pid = "", began = ""] = existsSync(path) ? readFileSync(path, "latin1").trim().split(" ") : [];
  return [Number.parseInt(pid, 10) || 0, began];
}

function isAlive(pid: number, began: string): boolean {
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  return beganAt(pid) === began;
}

/** The start time, field 22 of `/proc/PID/stat`; empty if there is no such file. */
function beganAt(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}

function flockHolder(path: string): string | undefined {
  const node = statSync(path, { throwIfNoEntry: false })?.ino;
  if (node === undefined || !existsSync("/proc/locks")) return undefined;
  const line = readFileSync("/proc/locks", "latin1")
    .split("\n")
    .find((entry) => entry.includes("FLOCK") && entry.includes(`:${node} `));
  return line?.trim().split(/\s+/)[4];
}
