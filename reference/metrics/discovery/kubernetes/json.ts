import type { LabelSet } from "../group.ts";

/** Readers of objects that an API server sends: a part of another type than expected is as good as absent. */

export type Json = Readonly<Record<string, unknown>>;

const NOTHING: Json = Object.freeze({});

export const object = (value: unknown): Json =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : NOTHING;
export const isObject = (value: unknown): boolean => object(value) !== NOTHING;
export const text = (value: unknown): string => (typeof value === "string" ? value : "");
/** Undefined unless it is text. */
export const maybe = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
export const integer = (value: unknown): number | undefined => (Number.isSafeInteger(value) ? (value as number) : undefined);
export const boolean = (value: unknown): boolean | undefined => (typeof value === "boolean" ? value : undefined);
export const objects = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject).map(object) : []);
export const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
export const pairs = (value: unknown): LabelSet =>
  Object.fromEntries(Object.entries(object(value)).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
