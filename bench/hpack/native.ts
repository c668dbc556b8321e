import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Field } from "../../reference/core/index.ts";
import type { Stories } from "./stories.ts";

/** The HPACK of nghttp2 in its own process, which measures its own CPU time. */
export type Native = {
  /** `nghttp2 1.52.0`. */
  readonly name: string;
  run(what: "encode" | "decode", rounds: number): Promise<{ readonly fields: number; readonly seconds: number; readonly octets: number }>;
  /** The blocks of its encoder for every list, in order. */
  blocks(): Promise<Uint8Array[]>;
  stop(): void;
};

export const NATIVE_MISSING = 'nghttp2 in C is left out: it needs a C compiler and its library ("apt-get install gcc libnghttp2-dev").';

/** Compiles and starts it; undefined without a compiler or the library. */
export async function startNative(stories: Stories, blocks: readonly (readonly Uint8Array[])[]): Promise<Native | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-hpack-"));
  const program = join(folder, "nghttp2-hpack");
  try {
    execFileSync("cc", ["-O2", "-o", program, join(import.meta.dirname, "nghttp2.c"), "-lnghttp2"], { stdio: "ignore" });
  } catch {
    // No compiler or no library: the caller reports it and continues.
    rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
  const file = join(folder, "stories");
  writeFileSync(file, serialize(stories, blocks));
  const child = spawn(program, [file], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async (): Promise<string> => {
    const next = await lines.next();
    if (next.done === true) throw new Error("nghttp2-hpack exited before it answered.");
    return next.value;
  };
  return {
    name: await line(),
    async run(what, rounds) {
      child.stdin.write(`${what} ${rounds}\n`);
      const [fields = 0, micros = 0, octets = 0] = (await line()).split(" ").map(Number);
      return { fields, seconds: micros / 1e6, octets };
    },
    async blocks() {
      child.stdin.write("blocks\n");
      const all: Uint8Array[] = [];
      for (const { lists } of stories.stories) for (const _ of lists) all.push(Buffer.from(await line(), "hex"));
      await line();
      return all;
    },
    stop() {
      child.stdin.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The file that nghttp2.c reads. */
function serialize({ stories }: Stories, blocks: readonly (readonly Uint8Array[])[]): Buffer {
  const parts: Buffer[] = [];
  const number = (value: number): void => {
    const octets = Buffer.alloc(4);
    octets.writeUInt32LE(value);
    parts.push(octets);
  };
  const octets = (value: Uint8Array): void => {
    number(value.length);
    parts.push(Buffer.from(value));
  };
  const text = (value: string): void => octets(Buffer.from(value, "latin1"));
  number(stories.length);
  stories.forEach(({ lists }, i) => {
    number(lists.length);
    for (const list of lists) {
      number(list.length);
      list.forEach(({ name, value }: Field) => {
        text(name);
        text(value);
      });
    }
    for (const block of blocks[i] ?? []) octets(block);
  });
  return Buffer.concat(parts);
}
