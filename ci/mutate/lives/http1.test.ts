import { expect, test } from "vitest";
import { live } from "./http1.ts";
import { live as servedLive } from "./http1-served.ts";
import { livesSee, testSeeds } from "./testing.ts";

testSeeds(live, 60);

test("mistakes in lines, limits, chunks, states, deadlines and responses show", async () => {
  const keys = [
    "reference/http1/body-chunked.ts | boundary | ChunkedBody.#begin | this.#contentLeft < 0",
    "reference/http1/deadlines.ts | boundary | overdue | clock.now < overdueAt(p)",
    "reference/http1/field-lines.ts | boundary | FieldLines.read | this.#octetsLeft < 0",
    "reference/http1/pipeline.ts | boundary | Pipeline.#mayReadOn | left + discarded <= this.limits.discardOctets",
    "reference/http2/upgrade.ts | statement-removed | acceptUpgrade | e.settings.receive(next);",
  ];
  expect(await livesSee("http1", 2_500, keys)).toEqual(keys.map(() => true));
});

test("a mistake that changes nothing does not show", async () => {
  const same = "reference/http1/inbox.ts | constant-plus-1 | COPY_OCTETS | 4_096";
  expect(await livesSee("http1", 600, [same])).toEqual([false]);
});

testSeeds(servedLive, 60);
