import { compareText } from "../../model/index.ts";

/** Values of templates, with the types that the template language tells apart (Prometheus docs, configuration/template_reference.md, "Data Structures"). */

/** A whole number, as a literal or a length is; every other number is a float. */
export class Int {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

/** A moment, in milliseconds since 1970, and the time zone in which it is shown. */
export class Moment {
  readonly ms: number;
  readonly zone: string;
  constructor(ms: number, zone = "UTC") {
    this.ms = ms;
    this.zone = zone;
  }
}

/** A length of time, in seconds. */
export class Span {
  readonly seconds: number;
  constructor(seconds: number) {
    this.seconds = seconds;
  }
}

/** Text that is not escaped where other text is. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A function of a value, which templates call as a field of it: `.Labels.SortedPairs`. */
export type Method = (args: readonly Value[]) => Value;
export type Methods = ReadonlyMap<string, Method>;
const NO_METHODS: Methods = new Map();

/** A value with fixed fields: asking for another one is an error. */
export class Struct {
  readonly name: string;
  readonly fields: ReadonlyMap<string, Value>;
  constructor(name: string, fields: ReadonlyMap<string, Value>) {
    this.name = name;
    this.fields = fields;
  }
}

/** A list with functions of its own. */
export class Listing extends Array<Value> {
  methods: Methods = NO_METHODS;
}

/** Labels: a missing one is empty. */
export type Texts = ReadonlyMap<string, string>;

/** `undefined` is nil. */
export type Value = string | number | boolean | undefined | Int | Moment | Span | Markup | Struct | Dictionary | readonly Value[];

/** A map; `missing` is the value of a key that it lacks. */
export class Dictionary {
  readonly entries: ReadonlyMap<string, Value>;
  readonly missing: Value;
  readonly methods: Methods;
  constructor(entries: ReadonlyMap<string, Value>, missing: Value, methods: Methods = NO_METHODS) {
    this.entries = entries;
    this.missing = missing;
    this.methods = methods;
  }
  get(key: string): Value {
    return this.entries.has(key) ? this.entries.get(key) : this.missing;
  }
}

/** Labels as a value. */
export const labelsValue = (labels: Texts): Dictionary => new Dictionary(labels, "");

/** One element of the result of `query`. */
export const sampleValue = (labels: Texts, value: Value): Struct =>
  new Struct(
    "sample",
    new Map<string, Value>([
      ["Labels", labelsValue(labels)],
      ["Value", value],
    ]),
  );

/** A template that cannot be read or expanded. */
export class TemplateFault extends Error {
  override readonly name = "TemplateFault";
  /** The line in the template, from 1. */
  readonly line: number;
  constructor(message: string, line = 1) {
    super(message);
    this.line = line;
  }
}

export const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

/** The type of a value in messages. */
export function typeName(value: Value): string {
  if (value === undefined) return "nil";
  if (typeof value === "string") return "string";
  if (typeof value === "number") return "float64";
  if (typeof value === "boolean") return "bool";
  if (isList(value)) return "list";
  if (value instanceof Int) return "int";
  if (value instanceof Moment) return "time";
  if (value instanceof Span) return "duration";
  if (value instanceof Markup) return "markup";
  return value instanceof Struct ? value.name : "map";
}

/** Whether a condition holds: zero, nil and everything empty do not. */
export function isTrue(value: Value): boolean {
  if (value === undefined) return false;
  if (typeof value === "string" || isList(value)) return value.length > 0;
  if (typeof value === "number") return value !== 0;
  if (typeof value === "boolean") return value;
  if (value instanceof Int) return value.value !== 0;
  if (value instanceof Markup) return value.text !== "";
  return value instanceof Dictionary ? value.entries.size > 0 : true;
}

/** The keys of a map in order. */
export const keysOf = ({ entries }: Dictionary): string[] => [...entries.keys()].sort(compareText);
