/**
 * A series that ended is marked by one NaN among all (Prometheus docs, command-line/prometheus.md, staleness): these two halves. Arithmetic may change the bits of a NaN, so
 * they are only ever compared and copied as integers.
 */
export const STALE_HIGH = 0x7ff0_0000;
/** Bits 0 to 31 of the marker. */
export const STALE_LOW = 0x0000_0002;
/** Every other NaN is written as this one. */
export const NAN_HIGH = 0x7ff8_0000;
/** Bits 0 to 31 of it. */
export const NAN_LOW = 0x0000_0001;
