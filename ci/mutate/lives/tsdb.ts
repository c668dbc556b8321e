import { lifeScene } from "../../../fuzz/metrics/tsdb/scene-life.ts";
import { recordScene, segmentScene } from "../../../fuzz/metrics/tsdb/scene-log.ts";
import {
  bitsScene,
  chunkScene,
  indexScene,
  metaScene,
  numbersScene,
  packScene,
  postingsScene,
  snappyScene,
  tombstonesScene,
} from "../../../fuzz/metrics/tsdb/scene-parts.ts";
import { seeded } from "../../../reference/core/index.ts";

type Scene = (random: () => number) => string;

/** One in this many lives is that of a data directory, which costs ten times as much as a codec. */
const DIRECTORY_EVERY = 10;

/** Codecs: one of them is any other life. */
const PARTS: readonly Scene[] = [
  bitsScene,
  numbersScene,
  packScene,
  snappyScene,
  chunkScene,
  chunkScene,
  chunkScene,
  indexScene,
  indexScene,
  postingsScene,
  tombstonesScene,
  metaScene,
  recordScene,
  recordScene,
  segmentScene,
];

/** One life of the storage: a data directory, or one of its codecs. */
export function live(seed: number): string {
  const random = seeded(seed);
  return seed % DIRECTORY_EVERY === 0 ? lifeScene(random) : PARTS[Math.floor(random() * PARTS.length)]!(random);
}
