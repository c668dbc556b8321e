/**
 * The end of a series is marked by a NaN with these two halves (Prometheus docs, command-line/prometheus.md, staleness). Arithmetic may change the bits
 * of a NaN, so they are compared and copied as integers only.
 */
export const STALE_HIGH = 0x7ff0_0000;
/** Bits 0 to 31 of the marker. */
export const STALE_LOW = 0x0000_0002;
/** Every other NaN is stored as this one. */
export const NAN_HIGH = 0x7ff8_0000;
/** Its bits 0 to 31. */
export const NAN_LOW = 0x0000_0001;
