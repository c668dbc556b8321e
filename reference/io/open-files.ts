import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";

/** The access mode of `open`: anything but O_RDONLY may write. */
const ACCESS_MODE = 0o3;

/**
 * A process other than ours that has a file below the directory open for writing, as `/proc` shows it; undefined if there is none, or if the
 * system does not tell. Processes of other users are invisible.
 */
export function writerIn(directory: string): string | undefined {
  if (!existsSync("/proc/self/fd") || !existsSync(directory)) return undefined;
  const below = `${realpathSync(directory)}/`;
  return readdirSync("/proc").find((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid && writesBelow(pid, below));
}

function writesBelow(pid: string, below: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => isOpenBelow(pid, fd, below));
  } catch {
    // It belongs to another user, or has ended.
    return false;
  }
}

function isOpenBelow(pid: string, fd: string, below: string): boolean {
  try {
    if (!readlinkSync(`/proc/${pid}/fd/${fd}`).startsWith(below)) return false;
    const [, flags = "0"] = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/${pid}/fdinfo/${fd}`, "latin1")) ?? [];
    return (Number.parseInt(flags, 8) & ACCESS_MODE) !== 0;
  } catch {
    // Closed meanwhile.
    return false;
  }
}
