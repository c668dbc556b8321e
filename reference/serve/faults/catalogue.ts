import { Misuse } from "../../core/index.ts";
import { connection } from "./connection.ts";
import { response } from "./response.ts";
import type { Argument, Kind, Step } from "./step.ts";
import { timing } from "./timing.ts";

/** Every fault that can be asked for by name. */
export const FAULT_KINDS: readonly Kind[] = [...timing, ...connection, ...response];

/** A fault as it was asked for. */
export type Wanted = { readonly kind: Kind; readonly start: () => Step };

/** Reads `name` or `name:arg=value,arg=value`; tells what there is where that cannot be read. */
export function parseFault(text: string): Wanted {
  const [name = "", ...rest] = text.trim().split(":");
  const kind = FAULT_KINDS.find((each) => each.name === name);
  if (kind === undefined) throw new Misuse(`there is no fault "${name}"; known: ${FAULT_KINDS.map((each) => each.name).join(", ")}`);
  const values: Record<string, number | string> = {};
  for (const [arg, { default: value }] of Object.entries(kind.args)) values[arg] = value;
  for (const pair of rest.join(":").split(",")) {
    if (pair === "") continue;
    const [arg = "", value = ""] = pair.split("=");
    const known = kind.args[arg];
    if (known === undefined) throw new Misuse(`"${name}" has no argument "${arg}"; ${argumentsOf(kind)}`);
    values[arg] = read(known, `${name}:${arg}`, value);
  }
  return { kind, start: () => kind.start(values) };
}

function read(argument: Argument, what: string, text: string): number | string {
  if ("words" in argument) {
    if (argument.words.includes(text)) return text;
    throw new Misuse(`${what} is one of ${argument.words.join(", ")}, not "${text}"`);
  }
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= argument.least && value <= argument.most) return value;
  throw new Misuse(`${what} is a number from ${argument.least} to ${argument.most}, not "${text}"`);
}

function argumentsOf({ args }: Kind): string {
  const names = Object.keys(args);
  return names.length === 0 ? "it has none" : `it has ${names.join(", ")}`;
}

/** What there is, a line each: name, title, and the arguments with their defaults. */
export function faultLines(): string[] {
  return FAULT_KINDS.map(({ name, title, args }) => {
    const list = Object.entries(args).map(([arg, { default: value, about }]) => `${arg}=${value} (${about})`);
    return `${name.padEnd(22)}${title}${list.length === 0 ? "" : `; ${list.join(", ")}`}`;
  });
}
