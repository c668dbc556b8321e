/** The two halves of the NaN that marks the end of a series (Prometheus specs, prw/remote_write_spec.md, stale markers). */
export const STALE = [0x0000_0002, 0x7ff0_0000] as const;
