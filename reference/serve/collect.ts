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
 * The young generation stays as small as it begins. Each large message leaves buffers behind, and one that is collected soon is used again
 * while it is still in the processor's cache: a fifth of the time of a message of 64 KiB. Small messages leave so little that they lose nothing.
 */
export function stayYoung(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
}
