import { description, type EnumObject } from "./types.ts";

type Described<Values> = {
  /** With its package. */
  readonly name: string;
  /** What stands before every name in the contract. */
  readonly prefix?: string;
  /** Whether other numbers are refused. */
  readonly isClosed?: boolean;
  readonly values: Values;
};

/** The values of an enum, with what codecs need to know. */
export function enumeration<const Values extends Readonly<Record<string, number>>>({
  name,
  prefix = "",
  isClosed = false,
  values,
}: Described<Values>): Values & EnumObject {
  const numbers = new Map<string, number>();
  const names = new Map<number, string>();
  for (const [key, number] of Object.entries(values)) {
    const source = prefix + key;
    numbers.set(source, number);
    // Of aliases the first name counts.
    if (!names.has(number)) names.set(number, source);
  }
  const [zero = 0] = Object.values(values);
  return Object.freeze({ ...values, [description]: { name, numbers, names, zero, isClosed } });
}

/** The name that a contract gives to a number of an enum; undefined if it has none. */
export const enumName = (values: EnumObject, number: number): string | undefined => values[description].names.get(number);
