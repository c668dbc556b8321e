import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { linter } from "../lint.ts";
import { loadVectors } from "../load.ts";
import { connectionsFile } from "./make.ts";
import { Player } from "./play.ts";
import type { ConnectionVector } from "./source/connections.ts";

/** Our own connection against the vectors of connections, which were written from the text of the specification. */

const { vectors } = loadVectors<ConnectionVector>("websocket/connections");

test("websocket/connections is valid by its schema and what its source says", () => {
  expect(linter()("websocket/connections")).toEqual([]);
  expect(readFileSync(join(import.meta.dirname, "connections.json"), "utf8"), "node vectors/websocket/make.ts").toBe(connectionsFile());
});

test.each([
  ["in one piece", 1 << 20],
  ["octet by octet", 1],
])("%s", (_, cut) => {
  for (const vector of vectors) {
    const player = new Player(vector, cut);
    for (const [at, { events = [], sends = [], misuse = false, ...step }] of vector.steps.entries())
      expect(player.play(step), `${vector.id}: ${vector.note}, step ${at + 1}`).toEqual({ events, sends, misuse });
  }
});
