import type { Result } from "../conformance/harness/result.ts";

/** The result as it stands; several as an array. Nothing is cleaned: this is the file that everything else is written from. */
export const toJson = (results: readonly Result[]): string => `${JSON.stringify(results.length === 1 ? results[0] : results, null, 2)}\n`;
