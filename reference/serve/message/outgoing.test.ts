import { expect, test, vi } from "vitest";
import { field } from "../../core/index.ts";
import { Fields } from "../../http/index.ts";
import { dateLine, fieldList, has, isIteration, octetsOf, pump, trailerList, type Sink } from "./outgoing.ts";

/** A stream with room for a number of pieces, and then for none until told otherwise. */
class Tub implements Sink {
  readonly written: string[] = [];
  isOver = false;
  onOver: (() => void) | undefined = undefined;
  waits = 0;
  #left: number;
  #room: (() => void) | undefined;

  constructor(left: number) {
    this.#left = left;
  }
  write(bytes: Uint8Array): boolean {
    this.written.push(Buffer.from(bytes).toString());
    return --this.#left > 0;
  }
  room(): Promise<void> {
    this.waits++;
    return new Promise((resolve) => {
      this.#room = resolve;
    });
  }
  empty(pieces: number): void {
    this.#left = pieces;
    this.#room?.();
  }
  over(): void {
    this.isOver = true;
    this.onOver?.();
    this.#room?.();
  }
}

/** Pieces a, b, c …, with a count of those requested. */
function letters(count: number): { asked: number; ended: boolean; content: AsyncIterable<string> } {
  const source = { asked: 0, ended: false, content: undefined as unknown as AsyncIterable<string> };
  source.content = (async function* content() {
    try {
      for (let at = 0; at < count; at++) {
        source.asked++;
        yield String.fromCharCode(97 + at);
      }
    } finally {
      source.ended = true;
    }
  })();
  return source;
}
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("without room no further piece is requested", async () => {
  const source = letters(5);
  const tub = new Tub(2);
  const done = pump(source.content, tub);
  await settled();
  expect(tub.written).toEqual(["a", "b"]);
  expect(source.asked).toBe(2);
  tub.empty(2);
  await settled();
  expect(tub.written).toEqual(["a", "b", "c", "d"]);
  expect(source.asked).toBe(4);
  tub.empty(9);
  expect(await done).toBe(true);
  expect(tub.written).toEqual(["a", "b", "c", "d", "e"]);
  expect(tub.waits).toBe(2);
  expect(tub.onOver).toBeUndefined();
});

test("a stream that ends without room ends the content", async () => {
  const source = letters(5);
  const tub = new Tub(1);
  const done = pump(source.content, tub);
  await settled();
  tub.over();
  expect(await done).toBe(false);
  await settled();
  expect(tub.written).toEqual(["a"]);
  expect(source.ended).toBe(true);
});

test("a stream that ends without room: no further piece is requested", async () => {
  const next = vi.fn<() => Promise<IteratorResult<string>>>(() => Promise.resolve({ done: false, value: "a" }));
  const tub = new Tub(1);
  const done = pump({ [Symbol.asyncIterator]: () => ({ next }) }, tub);
  await settled();
  tub.over();
  expect(await done).toBe(false);
  expect(next).toHaveBeenCalledOnce();
});

test("content after the end of the stream is not written", async () => {
  const piece = Promise.withResolvers<IteratorResult<string>>();
  const stopped = vi.fn<() => Promise<IteratorResult<string>>>(() => Promise.reject(new Error("not now")));
  const content = { [Symbol.asyncIterator]: () => ({ next: () => piece.promise, return: stopped }) };
  const tub = new Tub(9);
  const done = pump(content, tub);
  tub.over();
  piece.resolve({ done: false, value: "late" });
  expect(await done).toBe(false);
  expect(tub.written).toEqual([]);
  expect(stopped).toHaveBeenCalledOnce();
});

test("an error of the content propagates", async () => {
  const content = (async function* content() {
    yield "a";
    throw new Error("the file is gone");
  })();
  const tub = new Tub(9);
  await expect(pump(content, tub)).rejects.toThrow("the file is gone");
  expect(tub.written).toEqual(["a"]);
});

test("content of another type: Misuse", async () => {
  const mixed = async function* mixed(): AsyncGenerator<string | Uint8Array> {
    yield "\u00e9";
    yield Uint8Array.of(98);
  };
  const tub = new Tub(9);
  expect(await pump(mixed(), tub)).toBe(true);
  expect(tub.written).toEqual(["\u00e9", "b"]);
  const wrong = (async function* wrong() {
    yield 7;
  })() as AsyncIterable<unknown> as AsyncIterable<string>;
  await expect(pump(wrong, new Tub(9))).rejects.toThrow("content must yield strings or Uint8Array");
});

test("field names become lower case, and a list is copied", () => {
  expect(fieldList(undefined)).toEqual([]);
  expect(fieldList([["Content-Type", "Text/Plain"]])).toEqual([field("content-type", "Text/Plain")]);
  const fields = Fields.from([["a", "1"]]);
  const list = fieldList(fields);
  list.push(field("b", "2"));
  expect([...fields]).toEqual([["a", "1"]]);
  expect(has(list, "b")).toBe(true);
  expect(has(list, "c")).toBe(false);
});

test("trailers: a function is called when they are sent", () => {
  expect(trailerList([["X-Sum", "1"]])).toEqual([field("x-sum", "1")]);
  expect(trailerList(() => [["X-Sum", "2"]])).toEqual([field("x-sum", "2")]);
});

test("available content becomes octets; an iteration does not", () => {
  expect(octetsOf("\u00e9")).toEqual(Buffer.from([0xc3, 0xa9]));
  const bytes = Uint8Array.of(1);
  expect(octetsOf(bytes)).toBe(bytes);
  const contents = ["", bytes, undefined, letters(1).content];
  expect(contents.map(isIteration)).toEqual([false, false, false, true]);
});

test("Date is made once a second", () => {
  vi.useFakeTimers({ now: Date.UTC(2030, 0, 2, 3, 4, 5, 600) });
  try {
    const first = dateLine();
    expect(first).toEqual(field("date", "Wed, 02 Jan 2030 03:04:05 GMT"));
    vi.setSystemTime(Date.UTC(2030, 0, 2, 3, 4, 5, 999));
    expect(dateLine()).toBe(first);
    vi.setSystemTime(Date.UTC(2030, 0, 2, 3, 4, 6, 0));
    expect(dateLine().value).toBe("Wed, 02 Jan 2030 03:04:06 GMT");
    vi.setSystemTime(Date.UTC(2030, 0, 2, 3, 4, 1, 0));
    expect(dateLine().value).toBe("Wed, 02 Jan 2030 03:04:01 GMT");
  } finally {
    vi.useRealTimers();
  }
});
