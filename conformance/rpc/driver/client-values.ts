import type { ReadField } from "../../wire/http2/read.ts";
import { binary } from "./answers.ts";

/** All values of a name, joined; those of a name in -bin as octets in hex. */
export function valuesOf(fields: readonly ReadField[], name: string): string | undefined {
  const found = fields.filter(([one]) => one === name).map(([, value]) => value);
  if (found.length === 0) return undefined;
  if (!name.endsWith("-bin")) return found.join(",").replaceAll(", ", ",");
  return found
    .flatMap((value) => value.split(","))
    .map((one) => binary(one.trim()) ?? "?")
    .join(",");
}

const UNITS: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 1e-3, n: 1e-6 };
/** The milliseconds of a timeout; undefined for anything else. */
export function timeoutMs(value: string | undefined): number | undefined {
  const match = /^([0-9]{1,8})([HMSmun])$/.exec(value ?? "");
  return match === null ? undefined : Number(match[1]) * (UNITS[match[2] ?? ""] ?? 0);
}
