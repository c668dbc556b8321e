/** What a server says of itself: its port, and octets of its JavaScript heap and buffers, and of its memory as the system counts it. */
export type MemoryAnswer = { readonly port: number; readonly held: number; readonly resident: number };

/** In a process of its own, run with --expose-gc: tells the parent the port and the memory after a collection, at once and when it is asked. */
export function tellMemory(port: number): void {
  const { gc } = globalThis;
  if (gc === undefined) throw new Error("The measured server has to run with --expose-gc.");
  const tell = (): void => {
    for (let i = 0; i < 4; i++) gc();
    const { heapUsed, external, rss } = process.memoryUsage();
    const answer: MemoryAnswer = { port, held: heapUsed + external, resident: rss };
    process.send?.(answer);
  };
  process.on("message", tell);
  process.on("disconnect", () => process.exit());
  tell();
}
