import type { Result } from "../conformance/harness/result.ts";

/** The result unchanged; several results as an array. Not cleaned, because every other report can be written from this file. */
export const toJson = (results: readonly Result[]): string => `${JSON.stringify(results.length === 1 ? results[0] : results, null, 2)}\n`;
