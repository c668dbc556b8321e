import { describe, expect, test } from "vitest";
import { Outbound } from "./outbound.ts";
import { Scheduler } from "./scheduler.ts";
import { Stream } from "../stream/streams.ts";
import { id, octets } from "../testing.ts";

function item(stream: number, urgency = 3, incremental = false): Outbound<Stream> {
  const made = new Stream(id(stream), 0);
  made.urgency = urgency;
  made.incremental = incremental;
  const queue = new Outbound(made, 4_096);
  queue.push(octets(1));
  return queue;
}

/** The order in which streams are served, each `frames` times before it is done. */
function order(items: readonly Outbound<Stream>[], frames = 1): number[] {
  const scheduler = new Scheduler();
  for (const one of items) scheduler.add(one);
  const left = new Map(items.map((one) => [one, frames]));
  const served: number[] = [];
  for (let next = scheduler.next(); next !== undefined; next = scheduler.next()) {
    served.push(next.stream.id);
    left.set(next, left.get(next)! - 1);
    scheduler.served(next);
    if (left.get(next) === 0) scheduler.remove(next);
  }
  expect(scheduler.isEmpty).toBe(true);
  return served;
}

describe("scheduler", () => {
  test("the more urgent goes first, whatever its age", () => {
    expect(order([item(1, 7), item(3, 0), item(5, 3), item(7, 2)])).toEqual([3, 7, 5, 1]);
  });
  test("among equals, whole responses go one after the other in the order of their requests", () => {
    expect(order([item(5), item(1), item(3)], 2)).toEqual([1, 1, 3, 3, 5, 5]);
  });
  test("incremental ones take turns, a frame each", () => {
    expect(order([item(1, 3, true), item(3, 3, true), item(5, 3, true)], 2)).toEqual([1, 3, 5, 1, 3, 5]);
  });
  test("where both are equally urgent, whole and incremental take turns, and neither starves", () => {
    expect(order([item(1), item(3, 3, true), item(5, 3, true), item(7)], 2)).toEqual([1, 3, 1, 5, 7, 3, 7, 5]);
  });
  test("adding and removing twice is as once", () => {
    const scheduler = new Scheduler();
    const one = item(1);
    scheduler.add(one);
    scheduler.add(one);
    scheduler.remove(one);
    scheduler.remove(one);
    expect([scheduler.isEmpty, scheduler.next()]).toEqual([true, undefined]);
  });
  test("a stream that becomes urgent while it waits overtakes, and one out of line keeps its new priority", () => {
    const scheduler = new Scheduler();
    const [one, two, three] = [item(1), item(3), item(5)];
    scheduler.add(one);
    scheduler.add(two);
    scheduler.reprioritize(two, { urgency: 1, incremental: false });
    expect(scheduler.next()).toBe(two);
    scheduler.reprioritize(three, { urgency: 0, incremental: true });
    expect(scheduler.next()).toBe(two);
    scheduler.add(three);
    expect(scheduler.next()).toBe(three);
  });
  test("leaving from head, middle and tail keeps the others in order", () => {
    for (const gone of [0, 1, 2]) {
      const scheduler = new Scheduler();
      const items = [item(1), item(3), item(5)];
      for (const one of items) scheduler.add(one);
      scheduler.remove(items[gone]!);
      const seen: number[] = [];
      for (let next = scheduler.next(); next !== undefined; next = scheduler.next()) {
        seen.push(next.stream.id);
        scheduler.remove(next);
      }
      expect(seen).toEqual([1, 3, 5].filter((_, at) => at !== gone));
    }
  });
});
