import type { Problem } from "../../../rpc/contract/index.ts";

/** `file:line:column RULE: message` */
export const findingText = ({ file, line, column, rule, message }: Problem): string => `${file}:${line}:${column} ${rule}: ${message}`;

export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

/** Collects an option that may be given several times. */
export const each = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];
