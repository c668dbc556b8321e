/** `1 case`, `12 cases`: a count with its noun, whose plural adds an s. */
export const counted = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`;
