import { connect, type Socket } from "node:net";
import type { Measures } from "../lib/alternate.ts";
import { type Measured, perThing, withMeasured } from "../lib/idle-memory.ts";

const PREFACE = Buffer.concat([Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "latin1"), Buffer.from("000000040000000000", "hex")]);
const SETTINGS_ACK = Buffer.from("000000040100000000", "hex");
/** The fields of POST http://localhost/upload, indexed and literal. Without END_STREAM the stream stays open. */
const OPEN_FIELDS = Buffer.concat([Buffer.from("8386", "hex"), literal(1, "localhost"), literal(4, "/upload")]);

/** Open streams on each connection. */
export const STREAMS_EACH = 20;

/** The memory of an idle connection and of an open idle stream, measured with `count` connections. */
export const idleStreams = (measured: Measured, count: number): Promise<Measures> =>
  withMeasured(measured, async (server) => {
    for (const socket of await server.warmUp(count, open)) socket.write(STREAMS);
    await server.settle();
    const empty = await server.memory();
    const sockets = await server.open(count, open);
    const connected = await server.memory();
    for (const socket of sockets) socket.write(STREAMS);
    await server.settle();
    const streaming = await server.memory();
    return {
      ...perThing("connection", connected, empty, count),
      ...perThing("stream", streaming, connected, count * STREAMS_EACH),
    };
  });

const open = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(PREFACE));
    socket.once("error", reject);
    socket.once("data", () => {
      socket.resume().write(SETTINGS_ACK);
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

/** The HEADERS frames that open all streams of a connection. */
const STREAMS = Buffer.concat(Array.from({ length: STREAMS_EACH }, (_, i) => headers(1 + 2 * i)));

/** A literal field without indexing, with an indexed name (rfc7541#6.2.2). */
function literal(index: number, value: string): Buffer {
  return Buffer.concat([Buffer.of(index, value.length), Buffer.from(value, "latin1")]);
}
