/** Comparisons that belong to several suites, by their names on the command line. */
export const ACROSS = {
  http: async () => (await import("./http/index.ts")).loadDiff(),
} as const;
