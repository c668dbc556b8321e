import type { Edit } from "./edit.ts";

/** The mutated source. */
export const applied = (source: string, { start, end, text }: Edit): string => source.slice(0, start) + text + source.slice(end);
