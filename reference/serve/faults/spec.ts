import { Misuse } from "../../core/index.ts";
import type { Argument, FaultInfo } from "./fault.ts";

/** A fault with its arguments, parsed from `name:arg=value,arg=value`. */
export type Asked<Fault extends FaultInfo = FaultInfo> = {
  readonly spec: string;
  readonly fault: Fault;
  readonly values: Readonly<Record<string, string | number>>;
};

/** A longer specification is cut. */
const LONGEST = 200;
const NUMBER = /^\d{1,9}$/;

/** The name in a specification. */
export function nameIn(spec: string): string {
  const text = spec.trim().slice(0, LONGEST);
  const colon = text.indexOf(":");
  return colon === -1 ? text : text.slice(0, colon);
}

/**
 * Parses `name` or `name:arg=value,…`; a value without a name is that of the first argument. Throws `Misuse` with one line that lists what
 * is valid.
 */
export function parseSpec<Fault extends FaultInfo>(spec: string, known: readonly Fault[], who: string): Asked<Fault> {
  const text = spec.trim().slice(0, LONGEST);
  const colon = text.indexOf(":");
  const name = nameIn(spec);
  const fault = known.find((one) => one.name === name);
  if (fault === undefined) throw new Misuse(`${who} has no fault "${name}". Known: ${known.map((one) => one.name).join(", ")}.`);
  const names = Object.keys(fault.args);
  const given = new Map<string, string | number>();
  for (const part of colon === -1 ? [] : text.slice(colon + 1).split(",")) {
    const equals = part.indexOf("=");
    const arg = equals === -1 ? names[0] : part.slice(0, equals).trim();
    const argument = arg === undefined || !Object.hasOwn(fault.args, arg) ? undefined : fault.args[arg];
    if (arg === undefined || argument === undefined) {
      const list = names.length === 0 ? "It has none" : `Known: ${names.join(", ")}`;
      throw new Misuse(`${name} has no argument "${arg ?? part}". ${list}.`);
    }
    if (given.has(arg)) throw new Misuse(`${name} has ${arg} twice: give it once.`);
    given.set(arg, valueOf(`${name}: ${arg}`, argument, part.slice(equals + 1).trim()));
  }
  return {
    spec: text,
    fault,
    values: Object.fromEntries(Object.entries(fault.args).map(([arg, { default: initial }]) => [arg, given.get(arg) ?? initial])),
  };
}

function valueOf(what: string, argument: Argument, text: string): string | number {
  if (argument.is === "word") {
    if (argument.words.includes(text)) return text;
    throw new Misuse(`${what} must be one of ${argument.words.join(", ")}, not "${text}".`);
  }
  const { from, to } = argument;
  const value = Number(text);
  if (NUMBER.test(text) && value >= from && value <= to) return value;
  throw new Misuse(`${what} must be a whole number from ${from} to ${to}, not "${text}".`);
}

const formOf = (argument: Argument): string => (argument.is === "word" ? argument.words.join("|") : `${argument.from}..${argument.to}`);

/** The table as text: one line for each fault and each argument. */
export const faultLines = (known: readonly FaultInfo[]): string[] =>
  known.flatMap(({ name, title, args, byRequest }) => [
    `${name.padEnd(22)}${title}${byRequest ? "" : " (not by request)"}`,
    ...Object.entries(args).map(([arg, argument]) => `  ${arg}=${formOf(argument)}, ${argument.default}: ${argument.does}`),
  ]);

/** The table for programs. */
export const faultJson = (known: readonly FaultInfo[]): object[] =>
  known.map(({ name, title, args, byRequest }) => ({
    name,
    title,
    byRequest,
    arguments: Object.entries(args).map(([arg, argument]) => ({ name: arg, ...argument })),
  }));
