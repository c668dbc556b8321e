import { setFlagsFromString } from "node:v8";

/**
 * Content that has come in lies outside of the heap and is freed with the young generation, which is all but empty of it: uploads would pile
 * up until the whole heap is marked for them, at three times the processor time. So the young generation is collected when two fifths of it
 * are used, by one thread, since there is nothing to share out; and the heap may be outgrown sevenfold before it is marked.
 */
export function collectOften(): void {
  setFlagsFromString("--minor-gc-task-trigger=40");
  setFlagsFromString("--no-parallel-scavenge");
  setFlagsFromString("--heap-growing-percent=600");
}
