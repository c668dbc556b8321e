import { expect, test } from "vitest";
import { untilAborted } from "./content.ts";
import { PageRoom, PageRooms } from "./page-rooms.ts";

const never = new AbortController().signal;

async function* body(...pieces: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield Buffer.from(piece);
}
const filled = async (room: PageRoom, limit: number, ...pieces: readonly string[]): Promise<string | undefined> => {
  const octets = await room.fill(body(...pieces), limit, never);
  return octets && Buffer.from(octets).toString();
};
/** A room with a page of `length` octets. */
async function roomWith(length: number): Promise<PageRoom> {
  const room = new PageRoom();
  await filled(room, 1_000_000, "x".repeat(length));
  return room;
}

test("PageRoom: pieces become one page", async () => {
  expect(await filled(new PageRoom(), 100, "a 1\n", "b ", "2\n")).toBe("a 1\nb 2\n");
});

test("PageRoom: a shorter page after a longer one shows nothing of that", async () => {
  const room = new PageRoom();
  await filled(room, 100, "a_long_name 1\n");
  expect(await filled(room, 100, "b 2\n")).toBe("b 2\n");
  expect(await filled(room, 100)).toBe("");
});

test("PageRoom: as many octets as the limit are a page, one more is not", async () => {
  expect(await filled(new PageRoom(), 8, "1234", "5678")).toBe("12345678");
  expect(await filled(new PageRoom(), 8, "1234", "56789")).toBeUndefined();
});

test("PageRoom: memory grows with the page, and stays for the next", async () => {
  const room = await roomWith(1_000);
  const { size } = room;
  expect(size).toBeGreaterThanOrEqual(1_000);
  await filled(room, 1_000_000, "x".repeat(900));
  expect(room.size).toBe(size);
});

test("PageRooms: a room that was given back is used again, with another in use at the same time", async () => {
  const rooms = new PageRooms();
  const room = rooms.borrow(0);
  await filled(room, 100, "page");
  rooms.giveBack(room);
  expect(rooms.borrow(4)).toBe(room);
  expect(rooms.borrow(4)).not.toBe(room);
});

test("PageRooms: a small page does not use a large room while a smaller one is free", async () => {
  const rooms = new PageRooms();
  const [large, small] = [await roomWith(10_000), await roomWith(100)];
  rooms.giveBack(large);
  rooms.giveBack(small);
  expect([rooms.borrow(90), rooms.borrow(90)]).toEqual([small, large]);
});

test("PageRooms: a page larger than all rooms uses the largest", async () => {
  const rooms = new PageRooms();
  const [large, small] = [await roomWith(1_000), await roomWith(100)];
  rooms.giveBack(small);
  rooms.giveBack(large);
  expect(rooms.borrow(5_000)).toBe(large);
});

test("PageRooms: memory that a page hardly filled, or that no page came into, is not kept", async () => {
  const rooms = new PageRooms();
  const room = await roomWith(10_000);
  await filled(room, 1_000_000, "tiny");
  rooms.giveBack(room);
  rooms.giveBack(new PageRoom());
  expect(rooms.borrow(0)).not.toBe(room);
});

test("PageRooms: no more than four rooms are kept, the largest", async () => {
  const rooms = new PageRooms();
  for (const length of [500, 100, 400, 200, 300]) rooms.giveBack(await roomWith(length));
  const lengths = Array.from({ length: 5 }, () => rooms.borrow(0).size);
  expect(lengths).toEqual([250, 375, 500, 625, 0]);
});

test("untilAborted: an abort ends the wait for a piece that never comes, and ends the body", async () => {
  const abort = new AbortController();
  let isEnded = false;
  const hanging: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise(() => undefined),
      return: async () => {
        isEnded = true;
        return { done: true, value: undefined };
      },
    }),
  };
  const pieces = untilAborted(hanging, abort.signal);
  const next = pieces.next();
  abort.abort();
  await expect(next).rejects.toThrow("aborted");
  expect(isEnded).toBe(true);
});

test("untilAborted: a signal that is aborted already lets no piece pass", async () => {
  await expect(untilAborted(body("a"), AbortSignal.abort()).next()).rejects.toThrow("aborted");
});
