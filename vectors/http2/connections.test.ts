import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadVectors } from "../load.ts";
import { fileOf, SOURCES } from "./make.ts";
import { Player } from "./play.ts";
import type { ConnectionVector, Event } from "./source/craft.ts";

/** The events of each stream in their order; the order of those of different streams is free. */
function byStream(events: readonly Event[]): readonly Event[] {
  const streamOf = (event: Event): number =>
    "closed" in event ? Infinity : "opened" in event ? event.opened : Number(Object.values(event)[0]);
  return events.toSorted((a, b) => (streamOf(a) < streamOf(b) ? -1 : streamOf(a) > streamOf(b) ? 1 : 0));
}

/** Our own connection against the vectors of connections, which were written from the text of the specification. */

const { vectors } = loadVectors<ConnectionVector>("http2/connections");

test("http2/connections is what its source says", () => {
  for (const [name, source] of Object.entries(SOURCES))
    expect(readFileSync(join(import.meta.dirname, `${name}.json`), "utf8"), "node vectors/http2/make.ts").toBe(fileOf(source));
});

test.each([
  ["in one piece", 1 << 20],
  ["octet by octet", 1],
])("%s", (_, cut) => {
  for (const vector of vectors) {
    const player = new Player(vector, cut);
    for (const [at, step] of vector.steps.entries()) {
      const { events, sends } = player.play(step);
      const due = { events: byStream(step.events ?? []), sends: step.sends ?? [] };
      expect({ events: byStream(events), sends }, `${vector.id}: ${vector.note}, step ${at + 1}`).toEqual(due);
    }
  }
});
