import type { Brand } from "./brand.ts";

/** Milliseconds on the caller's monotonic clock. Protocol code never reads a clock itself. */
export type Instant = Brand<number, "Instant">;
export const instant = (ms: number): Instant => ms as Instant;
export const after = (from: Instant, ms: number): Instant => instant(from + ms);
/** The deadline that never expires. */
export const NEVER: Instant = instant(Number.POSITIVE_INFINITY);
