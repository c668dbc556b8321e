/** The port of a server, the octets of its JavaScript heap and buffers, and its resident memory in octets. */
export type MemoryAnswer = { readonly port: number; readonly held: number; readonly resident: number };

/** Sends its parent process the port and the memory after a collection, at once and on each message. Needs --expose-gc. */
export function tellMemory(port: number): void {
  const { gc } = globalThis;
  if (gc === undefined) throw new Error("The measured server must run with --expose-gc.");
  const send = (): void => {
    for (let i = 0; i < 4; i++) gc();
    const { heapUsed, external, rss } = process.memoryUsage();
    const answer: MemoryAnswer = { port, held: heapUsed + external, resident: rss };
    process.send?.(answer);
  };
  process.on("message", send);
  process.on("disconnect", () => process.exit());
  send();
}
