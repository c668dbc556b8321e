import { fork } from "node:child_process";
import type { Socket } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { open, plainFrame } from "./load.ts";
import type { MemoryAnswer, MemorySubjectName } from "./memory-subject.ts";

/** Octets of a server's memory by idle connection that has had one echo: as the system counts it, and what the JavaScript heap and its buffers hold. */
export type MemoryMeasures = { readonly resident: number; readonly held: number };

const HELLO = plainFrame(Buffer.from("hello"));
/** The young generation stays as it is: what it grows by while connections are opened is not theirs. */
const FLAGS = ["--expose-gc", "--no-warnings", "--max-semi-space-size=1"];
const SETTLE_MS = 300;
/** At a time, so that no listen queue overflows. */
const TOGETHER = 50;

/** Starts the subject in a process of its own, opens `connections` to it with a message each, and asks what that cost. */
export async function memoryOf(name: MemorySubjectName, connections: number): Promise<MemoryMeasures> {
  const file = join(import.meta.dirname, `memory-subject${extname(fileURLToPath(import.meta.url))}`);
  const child = fork(file, [name], { execArgv: FLAGS, stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const sockets: Socket[] = [];
  try {
    const { port } = await answer(child);
    const ask = async (): Promise<MemoryAnswer> => {
      child.send("measure");
      return answer(child);
    };
    // The first connections pay for code, shapes and pages that all later ones share.
    sockets.push(...(await openAll(name, port, Math.max(TOGETHER, connections / 10))));
    const empty = await ask();
    sockets.push(...(await openAll(name, port, connections)));
    const idle = await ask();
    return { resident: (idle.resident - empty.resident) / connections, held: (idle.held - empty.held) / connections };
  } finally {
    for (const socket of sockets) socket.removeAllListeners("close").destroy();
    child.kill();
  }
}

const answer = (child: ReturnType<typeof fork>): Promise<MemoryAnswer> =>
  new Promise((resolve, reject) => {
    child.once("message", (message) => resolve(message as MemoryAnswer));
    child.once("exit", (code) => reject(new Error(`the measured server ended with status ${code}`)));
  });

async function openAll(name: string, port: number, count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let from = 0; from < count; from += TOGETHER) {
    sockets.push(...(await Promise.all(Array.from({ length: Math.min(TOGETHER, count - from) }, () => used(name, port)))));
  }
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  return sockets;
}

/** A connection that has had its echo. */
async function used(name: string, port: number): Promise<Socket> {
  const socket = await open({ name, version: "", origin: `http://127.0.0.1:${port}`, pid: undefined, paths: { small: "/" } });
  const echo = new Promise((resolve) => void socket.once("data", resolve));
  socket.write(HELLO);
  await echo;
  socket.resume();
  return socket;
}
