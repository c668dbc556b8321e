import { Misuse } from "../core/index.ts";

/** Reads the parts of a service config from JSON. `where` is the path of the field, which `Misuse` names. */

const DURATION = /^[0-9]{1,12}(?:\.[0-9]{1,9})?s$/;

/** In milliseconds. */
export function duration(json: unknown, where: string): number {
  if (typeof json !== "string" || !DURATION.test(json)) return wrong(where, 'must be seconds such as "1.5s"');
  return Number(json.slice(0, -1)) * 1_000;
}
export function positive(json: unknown, where: string): number {
  const ms = duration(json, where);
  return ms > 0 ? ms : wrong(where, "must be above 0");
}
/** A whole number from 0 to `most`. */
export function whole(json: unknown, where: string, most: number): number {
  if (typeof json === "number" && Number.isInteger(json) && json >= 0 && json <= most) return json;
  return wrong(where, `must be a whole number from 0 to ${most}`);
}

export type Json = Readonly<Record<string, unknown>>;
/** What becomes of fields that are not known: a config of the caller refuses them, a published one has them for other clients (A21). */
export type UnknownFields = "refuse" | "ignore";
/** An object that has these fields only, unless others are ignored. */
export function record(json: unknown, where: string, names: readonly string[], others: UnknownFields = "refuse"): Json {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return wrong(where, "must be an object");
  if (others === "ignore") return json as Json;
  for (const name of Object.keys(json)) if (!names.includes(name)) wrong(where, `has no field "${name}": it may have ${names.join(", ")}`);
  return json as Json;
}
export const array = (json: unknown, where: string): readonly unknown[] => (Array.isArray(json) ? json : wrong(where, "must be a list"));
export function wrong(where: string, why: string): never {
  throw new Misuse(`service config: ${where} ${why}`);
}
