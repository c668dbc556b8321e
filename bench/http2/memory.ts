import { fork } from "node:child_process";
import { connect, type Socket } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { MemoryAnswer, MemorySubjectName } from "./memory-subject.ts";

/**
 * Octets of memory of a server by idle connection and by open idle stream: as the system counts it (`resident`, native code included), and
 * what the JavaScript heap and its buffers hold after a collection (`held`).
 */
export type MemoryMeasures = { readonly connection: MemoryOf; readonly stream: MemoryOf };
type MemoryOf = { readonly resident: number; readonly held: number };

const PREFACE = Buffer.concat([Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "latin1"), Buffer.from("000000040000000000", "hex")]);
const SETTINGS_ACK = Buffer.from("000000040100000000", "hex");
/** POST http://localhost/upload without content, as indexed fields and literals: the stream stays open. */
const OPEN_FIELDS = Buffer.concat([Buffer.from("8386", "hex"), literal(1, "localhost"), literal(4, "/upload")]);

const STREAMS_EACH = 20;

/** Starts the subject in a process of its own, opens `connections` to it, then streams on each, and asks what that cost. */
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
    const first = await openAll(port, Math.max(50, connections / 10));
    for (const socket of first) socket.write(STREAMS);
    await settled();
    sockets.push(...first);
    const empty = await ask();
    const idle = await openAll(port, connections);
    sockets.push(...idle);
    const connected = await ask();
    for (const socket of idle) socket.write(STREAMS);
    await settled();
    const streaming = await ask();
    const less = (a: MemoryAnswer, b: MemoryAnswer, count: number): MemoryOf => ({
      resident: (a.resident - b.resident) / count,
      held: (a.held - b.held) / count,
    });
    return { connection: less(connected, empty, connections), stream: less(streaming, connected, connections * STREAMS_EACH) };
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

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 300));

async function openAll(port: number, count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  // A few at a time: no listen queue overflows.
  for (let from = 0; from < count; from += 50) {
    sockets.push(...(await Promise.all(Array.from({ length: Math.min(50, count - from) }, () => open(port)))));
  }
  await settled();
  return sockets;
}

const open = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(PREFACE));
    socket.once("error", reject);
    socket.once("data", () => {
      socket.on("data", () => {});
      socket.write(SETTINGS_ACK);
      resolve(socket);
    });
  });

function headers(stream: number): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(OPEN_FIELDS.length, 0, 3);
  head[3] = 0x1;
  head[4] = 0x4;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, OPEN_FIELDS]);
}

/** As many open requests as a connection gets. */
const STREAMS = Buffer.concat(Array.from({ length: STREAMS_EACH }, (_, i) => headers(1 + 2 * i)));

/** A literal field without indexing, its name by static index (rfc7541#6.2.2). */
function literal(index: number, value: string): Buffer {
  return Buffer.concat([Buffer.of(index, value.length), Buffer.from(value, "latin1")]);
}
