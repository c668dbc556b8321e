import { expect, test } from "vitest";
import { Misuse } from "../../core/index.ts";
import { Fields } from "../../http/index.ts";
import { IncomingBody } from "./body.ts";
import { StreamFailed } from "../errors.ts";

/** A body, and the calls of its source. */
function incoming(): { readonly body: IncomingBody; readonly told: { consumed: number; refused: number } } {
  const told = { consumed: 0, refused: 0 };
  const body = new IncomingBody({
    consumed: (octets) => (told.consumed += octets),
    refused: () => (told.refused += 1),
  });
  return { body, told };
}
const octets = (size: number, fill = 1): Uint8Array => new Uint8Array(size).fill(fill);
const broken = (): StreamFailed => new StreamFailed("reset", "the peer reset the stream with CANCEL", { errorCode: "CANCEL" });

test("window returns for octets that were read, and only for these", async () => {
  const { body, told } = incoming();
  body.push(octets(4_000));
  body.push(octets(5_000));
  expect(told.consumed).toBe(0);
  const reading = body[Symbol.asyncIterator]();
  expect(told.consumed).toBe(0);
  await reading.next();
  expect(told.consumed).toBe(4_000);
  await reading.next();
  expect(told.consumed).toBe(9_000);
});

test("a waiting reader gets the next piece, and its window returns at once", async () => {
  const { body, told } = incoming();
  const step = body[Symbol.asyncIterator]().next();
  body.push(octets(10));
  expect(told.consumed).toBe(10);
  expect((await step).value).toHaveLength(10);
});

test("small pieces are gathered, in order, before and after large ones", async () => {
  const { body, told } = incoming();
  for (let at = 0; at < 100; at++) body.push(octets(10, at));
  body.push(octets(3_000, 200));
  body.push(octets(5, 201));
  body.end();
  const sizes: number[] = [];
  const all: number[] = [];
  for await (const chunk of body) {
    sizes.push(chunk.length);
    all.push(...chunk);
  }
  expect(sizes).toEqual([1_000, 3_000, 5]);
  expect(all.slice(0, 1_000)).toEqual(Array.from({ length: 1_000 }, (_, at) => Math.floor(at / 10)));
  expect(all.slice(-6)).toEqual([200, 201, 201, 201, 201, 201]);
  expect(told.consumed).toBe(4_005);
});

test("a full block of gathered pieces starts another", async () => {
  const { body } = incoming();
  for (let at = 0; at < 20; at++) body.push(octets(1_000, at));
  body.end();
  const chunks = await Array.fromAsync(body);
  expect(chunks.map(({ length }) => length)).toEqual([16_000, 4_000]);
  expect(chunks[1]![0]).toBe(16);
});

test("bytes and text return the whole content", async () => {
  const one = incoming().body;
  one.push(Buffer.from("gr\u00fc\u00df").subarray(0, 3));
  one.push(Buffer.from("gr\u00fc\u00df").subarray(3));
  one.end();
  expect(await one.text()).toBe("gr\u00fc\u00df");
  const other = incoming().body;
  other.push(octets(3_000));
  other.push(octets(2_000));
  other.end();
  expect(await other.bytes()).toEqual(Buffer.from(octets(5_000)));
});

test.each(["bytes", "text"] as const)("%s reads up to its limit, and refuses the rest", async (read) => {
  const fits = incoming();
  fits.body.push(octets(3_000, 97));
  fits.body.end();
  expect(await fits.body[read](3_000)).toHaveLength(3_000);
  expect(fits.told.refused).toBe(0);

  const { body, told } = incoming();
  const all = body[read](3_000);
  body.push(octets(2_500));
  await Promise.resolve();
  body.push(octets(2_500));
  await expect(all).rejects.toThrow(Misuse);
  await expect(all).rejects.toThrow(/longer than 3000 octets: pass a higher limit/);
  expect(told.refused).toBe(1);
  expect(body.mode).toBe("discarded");
});

test("leaving the loop early: refuses the rest once, and returns the window of unread octets", async () => {
  const { body, told } = incoming();
  body.push(octets(3_000));
  body.push(octets(4_000));
  for await (const chunk of body) {
    expect(chunk).toHaveLength(3_000);
    break;
  }
  expect(told).toEqual({ consumed: 7_000, refused: 1 });
  body.push(octets(500));
  expect(told.consumed).toBe(7_500);
  await body[Symbol.asyncIterator]().return?.();
  expect(told.refused).toBe(1);
});

test("leaving the loop after the end: refuses nothing", async () => {
  const { body, told } = incoming();
  body.push(octets(3_000));
  body.end();
  for await (const chunk of body) {
    expect(chunk).toHaveLength(3_000);
    break;
  }
  expect(told.refused).toBe(0);
});

test("two readings at a time: Misuse", async () => {
  const { body } = incoming();
  const reading = body[Symbol.asyncIterator]();
  expect(() => body[Symbol.asyncIterator]()).toThrow(Misuse);
  const first = reading.next();
  await expect(reading.next()).rejects.toThrow("wait for one piece");
  body.push(octets(1));
  expect((await first).done).toBe(false);
});

test("trailers resolve at the end, requested before or after it, with the content read or unread", async () => {
  const { body } = incoming();
  const before = body.trailers;
  body.push(octets(1));
  const list = Fields.from([["x-sum", "7"]]);
  body.end(list);
  expect(await before).toBe(list);
  expect(await body.trailers).toBe(list);
  expect(body.isOver).toBe(true);
  body.end(Fields.empty);
  expect(await body.trailers).toBe(list);
});

test("without trailers the list is empty", async () => {
  const { body } = incoming();
  body.end();
  expect([...(await body.trailers)]).toEqual([]);
  expect((await body[Symbol.asyncIterator]().next()).done).toBe(true);
});

test("a failure rejects reading and trailers, and returns the window of unread octets", async () => {
  const { body, told } = incoming();
  const trailers = body.trailers;
  body.push(octets(3_000));
  const error = broken();
  body.fail(error);
  expect(told.consumed).toBe(3_000);
  await expect(trailers).rejects.toBe(error);
  await expect(body.trailers).rejects.toBe(error);
  await expect(body.bytes()).rejects.toBe(error);
  body.push(octets(20));
  expect(told.consumed).toBe(3_020);
});

test("a waiting reader gets the failure, and the end", async () => {
  const failing = incoming().body;
  const all = failing.bytes();
  const error = broken();
  failing.fail(error);
  await expect(all).rejects.toBe(error);
  const ending = incoming().body;
  const text = ending.text();
  ending.end();
  expect(await text).toBe("");
  ending.fail(broken());
  expect([...(await ending.trailers)]).toEqual([]);
});

test("discarded content ends for its reader", async () => {
  const { body, told } = incoming();
  const step = body[Symbol.asyncIterator]().next();
  body.discard();
  expect((await step).done).toBe(true);
  body.push(octets(9));
  expect(told).toEqual({ consumed: 9, refused: 0 });
});

test("content that waits to be read shows, in small pieces or in large ones", async () => {
  for (const size of [10, 5_000]) {
    const { body } = incoming();
    expect(body.hasUnread).toBe(false);
    body.push(octets(size));
    expect(body.hasUnread).toBe(true);
    await body[Symbol.asyncIterator]().next();
    expect(body.hasUnread).toBe(false);
  }
});

test("a step says whether it is the last, whether its piece has waited or was awaited", async () => {
  const { body } = incoming();
  body.push(octets(3));
  const reading = body[Symbol.asyncIterator]();
  expect(await reading.next()).toEqual({ done: false, value: octets(3) });
  const step = reading.next();
  body.push(octets(4));
  expect(await step).toEqual({ done: false, value: octets(4) });
});

test("reading asks for content once, and not where it is discarded", () => {
  for (const [isDiscarded, expected] of [
    [false, 1],
    [true, 0],
  ] as const) {
    let asked = 0;
    const body = new IncomingBody({ consumed: () => {}, refused: () => {}, wanted: () => (asked += 1) });
    if (isDiscarded) body.discard();
    body[Symbol.asyncIterator]();
    expect([asked, body.mode]).toEqual([expected, isDiscarded ? "discarded" : "read"]);
  }
});

test("trailers that are requested twice: both requests get them", async () => {
  const { body } = incoming();
  const both = Promise.all([body.trailers, body.trailers]);
  body.end();
  expect((await both).map((list) => [...list])).toEqual([[], []]);
});

test("a failure: trailers that nobody awaits are no unhandled rejection, and a later request fails, too", async () => {
  const { body } = incoming();
  void body.trailers;
  body.fail(broken());
  const { body: other } = incoming();
  other.fail(broken());
  await expect(other.trailers).rejects.toThrow("the peer reset the stream");
});

test("content that is discarded while its reader waits: it has ended, however often the reader asks", async () => {
  const { body } = incoming();
  const reading = body[Symbol.asyncIterator]();
  const step = reading.next();
  body.discard();
  expect([(await step).done, (await reading.next()).done]).toEqual([true, true]);
});
