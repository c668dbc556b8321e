import { fork } from "node:child_process";
import { connect, type Socket } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { MemoryAnswer, MemorySubjectName } from "./memory-subject.ts";

/** Octets of a server's memory by idle connection that has had one answer: as the system counts it, and what the JavaScript heap and its buffers hold. */
export type MemoryMeasures = { readonly resident: number; readonly held: number };

const REQUEST = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";

/** Starts the subject in a process of its own, opens `connections` to it with a request each, and asks what that cost. */
export async function memoryOf(name: MemorySubjectName, connections: number): Promise<MemoryMeasures> {
  const file = join(import.meta.dirname, `memory-subject${extname(fileURLToPath(import.meta.url))}`);
  const child = fork(file, [name], { execArgv: ["--expose-gc", "--no-warnings"], stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const sockets: Socket[] = [];
  try {
    const { port } = await answer(child);
    const ask = async (): Promise<MemoryAnswer> => {
      child.send("measure");
      return answer(child);
    };
    // The first connections pay for code, shapes and pages that all later ones share.
    sockets.push(...(await openAll(port, Math.max(50, connections / 10))));
    const empty = await ask();
    sockets.push(...(await openAll(port, connections)));
    const idle = await ask();
    return { resident: (idle.resident - empty.resident) / connections, held: (idle.held - empty.held) / connections };
  } finally {
    for (const socket of sockets) socket.destroy();
    child.kill();
  }
}

const answer = (child: ReturnType<typeof fork>): Promise<MemoryAnswer> =>
  new Promise((resolve, reject) => {
    child.once("message", (message) => resolve(message as MemoryAnswer));
    child.once("exit", (code) => reject(new Error(`the measured server ended with status ${code}`)));
  });

async function openAll(port: number, count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  // A few at a time: no listen queue overflows.
  for (let from = 0; from < count; from += 50) {
    sockets.push(...(await Promise.all(Array.from({ length: Math.min(50, count - from) }, () => open(port)))));
  }
  await new Promise((resolve) => setTimeout(resolve, 300));
  return sockets;
}

const open = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(REQUEST));
    socket.once("error", reject);
    socket.once("data", () => {
      socket.on("data", () => {});
      resolve(socket);
    });
  });
