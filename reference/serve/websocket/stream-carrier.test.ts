import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { StreamCarrier } from "./stream-carrier.ts";

/** Content that a test supplies piece by piece. */
function giving(pieces: readonly string[], end: "ends" | "fails" | "stays"): AsyncIterable<Uint8Array> {
  return {
    async *[Symbol.asyncIterator]() {
      for (const piece of pieces) yield Buffer.from(piece);
      if (end === "fails") throw new Error("the stream was reset");
      if (end === "stays") await new Promise(() => {});
    },
  };
}
function carrying(incoming: AsyncIterable<Uint8Array> = giving([], "stays")): { readonly carrier: StreamCarrier; resets(): number } {
  let count = 0;
  const carrier = new StreamCarrier(() => void (count += 1));
  carrier.from(incoming);
  return { carrier, resets: () => count };
}
const next = async (content: AsyncIterator<Uint8Array>): Promise<string | undefined> => {
  const { done, value } = (await content.next()) as IteratorResult<Uint8Array, undefined>;
  return done === true ? undefined : Buffer.from(value as Uint8Array).toString();
};

describe("StreamCarrier", () => {
  test("reads the content, and its end", async () => {
    const { carrier } = carrying(giving(["one", "two"], "ends"));
    const got: string[] = [];
    for await (const octets of carrier) got.push((octets as Buffer).toString());
    expect(got).toEqual(["one", "two"]);
  });

  test("writes what was written together as one piece, and ends the content", async () => {
    const { carrier, resets } = carrying(giving([], "ends"));
    const content = carrier.content[Symbol.asyncIterator]();
    carrier.cork();
    carrier.write("one");
    carrier.write("two");
    carrier.uncork();
    expect(await next(content)).toBe("onetwo");
    carrier.end("three");
    expect(await next(content)).toBe("three");
    carrier.resume();
    await once(carrier, "close");
    expect(await next(content)).toBeUndefined();
    expect(resets()).toBe(0);
  });

  test("holds the writer back while nobody fetches", async () => {
    const { carrier } = carrying();
    expect(carrier.write(Buffer.alloc(60_000))).toBe(true);
    expect(carrier.write(Buffer.alloc(60_000))).toBe(false);
    const content = carrier.content[Symbol.asyncIterator]();
    const drained = once(carrier, "drain");
    await content.next();
    await content.next();
    await drained;
  });

  test("abandons the stream once if destroyed before its end", async () => {
    const { carrier, resets } = carrying();
    carrier.destroy();
    await once(carrier, "close");
    expect(resets()).toBe(1);
    expect(await next(carrier.content[Symbol.asyncIterator]())).toBeUndefined();
  });

  test("abandons the stream too if only the peer's end is missing", async () => {
    const { carrier, resets } = carrying();
    carrier.end();
    await once(carrier, "finish");
    carrier.destroy();
    await once(carrier, "close");
    expect(resets()).toBe(1);
  });

  test("fails with the error of the stream", async () => {
    const { carrier } = carrying(giving(["one"], "fails"));
    carrier.resume();
    const [error] = (await once(carrier, "error")) as [Error];
    expect(error.message).toBe("the stream was reset");
  });

  test("ends when its content is no longer wanted", async () => {
    const { carrier } = carrying();
    await carrier.content[Symbol.asyncIterator]().return?.();
    expect(carrier.destroyed).toBe(true);
  });
});
