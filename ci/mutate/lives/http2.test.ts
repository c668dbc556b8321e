import { expect, test } from "vitest";
import { live } from "./http2.ts";
import { livesSee, testSeeds } from "./testing.ts";

testSeeds(live, 60);

test("mistakes in windows, states, settings, priorities and deadlines show", async () => {
  const keys = [
    "reference/http2/flow/credit.ts | statement-removed | Credit.spend | this.toSend -= octets;",
    "reference/http2/stream/state.ts | boundary | isClosed | state >= State.ended",
    "reference/http2/send/scheduler.ts | statement-removed | Scheduler.reprioritize | this.add(item);",
    "reference/http2/flow/stall-watch.ts | boundary | StallWatch.isOverdue | now >= after(since, this.#limits.stallMs)",
    "reference/http2/receive/receive.ts | condition-true | onSettings | id === SettingId.HEADER_TABLE_SIZE",
  ];
  expect(await livesSee("http2", 600, keys)).toEqual(keys.map(() => true));
});

test("a mistake that changes nothing does not show", async () => {
  const same = "reference/http2/send/data-head.ts | statement-removed | DataHead.constructor | this.#length = length;";
  expect(await livesSee("http2", 600, [same])).toEqual([false]);
});
