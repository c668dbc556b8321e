/** How long cases wait for impostors, in milliseconds: long enough for every case to go wrong. */
export const WAITS = { waitMs: 6_000 } as const;
/** Nothing ever comes of it. */
export const SILENT = { waitMs: 1_000, startupMs: 1_000 } as const;
