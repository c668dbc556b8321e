import { formatDuration, readDuration } from "../promql/index.ts";
import type { FileUse, Place } from "./source.ts";

/** How a field is read and shown. `read` returns undefined after it has noted a problem. */
export type Kind<T> = {
  read(at: Place): T | undefined;
  /** The value as YAML shows it; secrets are hidden. */
  show(value: T): unknown;
  /** It has fields of its own. */
  readonly isSection?: true;
};

/** The type of the values of a kind. */
export type ValueOf<K> = K extends Kind<infer T> ? T : never;

/** A text that is never printed. */
export class Secret {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  /** The text itself, for the request that needs it. */
  reveal(): string {
    return this.#text;
  }
  toString(): string {
    return "<secret>";
  }
  toJSON(): string {
    return "<secret>";
  }
}

const same = (value: unknown): unknown => value;

/** A kind of one value from its text; `parse` returns an `Error` that says what is wrong. */
export function scalar<T>(parse: (text: string, at: Place) => T | Error, show: (value: T) => unknown = same): Kind<T> {
  return {
    read: (at) => {
      const written = at.text();
      if (written === undefined) return undefined;
      const value = parse(written, at);
      return value instanceof Error ? at.fail(value.message) : value;
    },
    show,
  };
}

const quoted = (written: string): string => JSON.stringify(written);

export const text: Kind<string> = scalar((written) => written);
export const secret: Kind<Secret> = scalar((written) => new Secret(written));

const YES = /^(?:y|Y|yes|Yes|YES|true|True|TRUE|on|On|ON)$/;
const NO = /^(?:n|N|no|No|NO|false|False|FALSE|off|Off|OFF|)$/;
/** True or false, with the words of YAML 1.1. */
export const flag: Kind<boolean> = scalar((written) =>
  YES.test(written) ? true : NO.test(written) ? false : new Error(`${quoted(written)} is not true or false`),
);

const whole = (least: number): Kind<number> =>
  scalar((written) => {
    const value = /^[-+]?(?:0x[\da-fA-F]+|0o?[0-7]+|\d[\d_]*)$/.test(written) ? wholeOf(written) : written === "" ? 0 : Number.NaN;
    if (!Number.isSafeInteger(value)) return new Error(`${quoted(written)} is not a whole number`);
    return value < least ? new Error(`${written} is too small: it must be at least ${least}`) : value;
  });
/** As YAML 1.1 has it, a leading zero means octal. */
function wholeOf(written: string): number {
  const digits = written.replaceAll(/[-+_]/g, "");
  const value = /^0\d/.test(digits) ? Number.parseInt(digits, 8) : Number(digits);
  return written.startsWith("-") ? -value : value;
}
/** A whole number that is not negative. */
export const natural: Kind<number> = whole(0);
/** A whole number. */
export const integer: Kind<number> = whole(Number.MIN_SAFE_INTEGER);

export const real: Kind<number> = scalar((written) => {
  const value = /^[-+]?(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/.test(written)
    ? Number(written.replaceAll("_", ""))
    : written === ""
      ? 0
      : Number.NaN;
  return Number.isNaN(value) ? new Error(`${quoted(written)} is not a number`) : value;
});

const DURATION = "a duration: write 30s, 5m, 1h30m or 15d";
/** Milliseconds (Prometheus docs, configuration/configuration.md, "Configuration file"). */
export const duration: Kind<number> = scalar((written) => {
  if (written === "0" || written === "") return 0;
  const ms = readDuration(written);
  if (ms === "outOfRange") return new Error(`${quoted(written)} is longer than a duration can be`);
  return ms === "invalid" ? new Error(`${quoted(written)} is not ${DURATION}`) : ms;
}, formatDuration);

const UNITS = ["B", "KB", "MB", "GB", "TB", "PB", "EB"];
/** Octets: `512MB`; units are powers of 1,024, and their parts add up: `1GB512MB`. */
export const size: Kind<number> = scalar(
  (written) => {
    if (written === "0" || written === "") return 0;
    const parts = [...written.matchAll(/(\d+(?:\.\d*)?|\.\d+)([KMGTPE]?)i?B/gy)];
    if (parts.length === 0 || parts.map(([part]) => part).join("") !== written)
      return new Error(`${quoted(written)} is not a size: write 512KB, 100MB or 10GB`);
    return Math.round(parts.reduce((sum, [, count, unit]) => sum + Number(count) * 1_024 ** UNITS.indexOf(`${unit}B`), 0));
  },
  (octets) => {
    let unit = 0;
    let count = octets;
    for (; count > 0 && count % 1_024 === 0 && unit < UNITS.length - 1; unit++) count /= 1_024;
    return octets === 0 ? "0" : `${count}${UNITS[unit]}`;
  },
);

/** An absolute URL of HTTP. A password in it is hidden. */
export const httpUrl: Kind<string> = scalar(
  (written) => {
    const target = URL.parse(written);
    if (target === null || target.hostname === "") return new Error(`${quoted(written)} is not a URL: write http://host:port/path`);
    return target.protocol === "http:" || target.protocol === "https:"
      ? written
      : new Error(`a URL with http: or https: is needed, not ${target.protocol}`);
  },
  (written) => written.replace(/(:\/\/[^/@]*:)[^/@]*@/, "$1<secret>@"),
);

/** The URL of another storage. Only what no program could use is refused here. */
export const anyUrl: Kind<string> = scalar(
  (written) =>
    /^[^\s/?#]*[^\s\w.+:/?#-][^\s/?#]*:|\s|^:/.test(written)
      ? new Error(`${quoted(written)} is not a URL: write http://host:port/path`)
      : written,
  (written) => written.replace(/(:\/\/[^/@]*:)[^/@]*@/, "$1<secret>@"),
);

/** The path of a file, relative to the directory of the configuration. */
export const path = (use: FileUse): Kind<string> =>
  scalar((written, at) => {
    if (written === "") return "";
    const resolved = written.startsWith("/") ? written : `${at.source.directory}${written}`;
    at.source.files.push({ path: resolved, line: at.line, field: at.path, use });
    return resolved;
  });

/** One of some words. */
export function oneOf<const T extends string>(...words: readonly T[]): Kind<T> {
  return scalar(
    (written) =>
      words.find((word) => word === written) ??
      new Error(`${quoted(written)} is not one of ${words.filter((word) => word !== "").join(", ")}`),
  );
}

/** A list. `what` names an element in the message about an empty one. */
export function list<T>(kind: Kind<T>, what?: string): Kind<readonly T[]> {
  return {
    read: (at) =>
      at.items()?.flatMap((item) => {
        if (what !== undefined && item.isNull) return item.fail(`the ${what} is empty`) ?? [];
        const value = kind.read(item);
        return value === undefined ? [] : [value];
      }),
    show: (values) => values.map((value) => kind.show(value)),
  };
}

/** A map with any keys; `check` returns what is wrong with a key. */
export function map<T>(kind: Kind<T>, check: (key: string) => string | undefined = () => undefined): Kind<Readonly<Record<string, T>>> {
  return {
    read: (at) => {
      const entries = at.entries();
      if (entries === undefined) return undefined;
      const pairs: [string, T][] = [];
      for (const { key, at: place, value } of entries) {
        const wrong = check(key);
        if (wrong !== undefined) place.fail(wrong);
        const read = kind.read(value);
        if (read !== undefined) pairs.push([key, read]);
      }
      return Object.fromEntries(pairs);
    },
    show: (values) => Object.fromEntries(Object.entries(values).map(([key, value]) => [key, kind.show(value)])),
  };
}
