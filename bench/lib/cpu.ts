import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** CPU time used so far in microseconds: in user mode, and in total with the kernel. */
export type CpuTime = { readonly user: number; readonly total: number };

/** Linux reports the two parts in hundredths of a second, independent of the kernel's own tick (proc(5), `USER_HZ`). */
const TICK_US = 10_000;

/**
 * The time of a process and its live children, from /proc; undefined without /proc or without that process. The total is exact (from the
 * scheduler's nanoseconds), or in hundredths of a second if threads have ended. User time is the total times its share of the ticks.
 */
export function cpuTime(pid: number): CpuTime | undefined {
  try {
    let user = 0;
    let system = 0;
    let exact = 0;
    for (const each of [pid, ...childrenOf(pid)]) {
      // The name in parentheses may contain anything: count fields from the last parenthesis.
      const fields = readFileSync(`/proc/${each}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
      user += Number(fields[11]) * TICK_US;
      system += Number(fields[12]) * TICK_US;
      for (const task of readdirSync(`/proc/${each}/task`))
        exact += Number(readOr(`/proc/${each}/task/${task}/schedstat`, "0").split(" ")[0]) / 1_000;
    }
    const ticks = user + system;
    // Only the ticks include threads that have ended.
    const total = Math.max(exact, ticks);
    return { user: ticks === 0 ? 0 : total * (user / ticks), total };
  } catch {
    // No /proc (not Linux), or the process has ended.
    return undefined;
  }
}

/** Resident memory of a process and its children in octets. */
export function residentOctets(pid: number): number | undefined {
  try {
    let total = 0;
    for (const each of [pid, ...childrenOf(pid)]) {
      const line = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${each}/status`, "utf8"));
      total += Number(line?.[1] ?? 0) * 1024;
    }
    return total;
  } catch {
    // As above.
    return undefined;
  }
}

function childrenOf(pid: number): number[] {
  const direct = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number),
  );
  return direct.flatMap((child) => [child, ...childrenOf(child)]);
}

/** The process that listens on a loopback port, if it is visible to this user. */
export function listenerOf(port: number): number | undefined {
  const inodes = new Set(["/proc/net/tcp", "/proc/net/tcp6"].flatMap((table) => listeningInodes(table, port)));
  if (inodes.size === 0) return undefined;
  const owners = pids().filter((pid) => sockets(pid).some((inode) => inodes.has(inode)));
  // A server that forks shares its listening socket: the lowest pid is the parent.
  return owners.sort((a, b) => a - b)[0];
}

function listeningInodes(table: string, port: number): string[] {
  const LISTEN = "0A";
  const wanted = port.toString(16).toUpperCase().padStart(4, "0");
  return readOr(table, "")
    .split("\n")
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[3] === LISTEN && fields[1]?.endsWith(`:${wanted}`) === true)
    .map((fields) => fields[9] ?? "");
}

const pids = (): number[] =>
  entries("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

function sockets(pid: number): string[] {
  return entries(`/proc/${pid}/fd`).flatMap((fd) => {
    const inode = /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${pid}/fd/${fd}`))?.[1];
    return inode === undefined ? [] : [inode];
  });
}

/** The entries of a folder of /proc; none if it belongs to another user, or its process has just ended. */
function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    // The descriptor has been closed since it was listed.
    return "";
  }
}

function readOr(file: string, otherwise: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return otherwise;
  }
}
