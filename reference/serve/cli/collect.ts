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

/**
 * For messages, which are many and short-lived: the young generation stays as small as it begins, and is collected when a fifth of it is used.
 * A large message leaves buffers behind outside of the heap; collected soon they are used again while they are in the processor's cache, and never
 * become so many that the whole heap is marked for them: a third of the time of a message of 64 KiB. Small messages lose nothing by it.
 */
export function stayYoung(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--minor-gc-task-trigger=20");
}
