import type { Duplex } from "node:stream";

type Done = (error?: Error | null) => void;
type Writes = {
  _write: (chunk: unknown, encoding: BufferEncoding, done: Done) => void;
  _writev?: (chunks: { chunk: unknown; encoding: BufferEncoding }[], done: Done) => void;
};

/**
 * Makes a failed write harmless. A subject that sends GOAWAY and closes at once makes our next write fail, and a socket destroys itself
 * over that before what has arrived is read. What the subject said last is the evidence: the end is told by the reading side alone.
 */
export function patient<Socket extends Duplex>(socket: Socket): Socket {
  const stream = socket as unknown as Writes;
  const write = stream._write.bind(socket);
  const writev = stream._writev?.bind(socket);
  stream._write = (chunk, encoding, done) => write(chunk, encoding, () => done());
  if (writev !== undefined) stream._writev = (chunks, done) => writev(chunks, () => done());
  return socket;
}
