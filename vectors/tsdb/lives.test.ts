import { describe, expect, test } from "vitest";
import { loadVectors } from "../load.ts";
import { Player } from "./life.ts";
import type { LifeVector } from "./source/life-kinds.ts";

/** Plays the lives in real directories. */
describe("the life of a storage", () => {
  test.each(loadVectors<LifeVector>("tsdb/lives").vectors.map((vector) => ({ title: `${vector.id}: ${vector.note}`, vector })))(
    "$title",
    ({ vector }) => {
      const player = new Player(vector);
      try {
        for (const [at, step] of vector.steps.entries()) {
          const { shown, due } = player.play(step);
          expect(shown, `step ${at}: ${JSON.stringify(step).slice(0, 300)}`).toEqual(due);
        }
      } finally {
        player.close();
      }
    },
  );
});
