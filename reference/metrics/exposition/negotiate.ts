import { type EscapingScheme, isEscapingScheme } from "./escaping.ts";

/** A format with its version and the escaping of names that are not plain (prometheus-negotiation#protocols). */
export type Format = {
  readonly is: "text" | "openmetrics" | "protobuf";
  readonly version: "0.0.4" | "1.0.0" | "0.0.1";
  /** `underscores` for versions without this parameter. */
  readonly escaping: EscapingScheme;
};

const format = (is: Format["is"], version: Format["version"], escaping: EscapingScheme = "underscores"): Format => ({
  is,
  version,
  escaping,
});
/** The format that every reader knows: the fallback. */
export const TEXT: Format = format("text", "0.0.4");
/** The text format with any name, quoted if it is not plain. */
export const TEXT_UTF8: Format = format("text", "1.0.0", "allow-utf-8");
/** OpenMetrics with any name, quoted if it is not plain. */
export const OPENMETRICS: Format = format("openmetrics", "1.0.0", "allow-utf-8");
/** The previous version; names that are not plain are written with underscores. */
export const OPENMETRICS_OLD: Format = format("openmetrics", "0.0.1");
/** Length-delimited messages, the only format with native histograms; names that are not plain are written with underscores. */
export const PROTOBUF: Format = format("protobuf", "1.0.0");

/** The media types of the formats. */
const MEDIA: Readonly<Record<Format["is"], string>> = {
  text: "text/plain",
  openmetrics: "application/openmetrics-text",
  protobuf: "application/vnd.google.protobuf",
};
const FORMATS = ["text", "openmetrics", "protobuf"] as const satisfies readonly Format["is"][];
const VERSIONS: Readonly<Record<Format["is"], readonly [Format["version"], ...Format["version"][]]>> = {
  text: ["0.0.4", "1.0.0"],
  openmetrics: ["1.0.0", "0.0.1"],
  protobuf: ["1.0.0"],
};
const MESSAGE = "io.prometheus.client.MetricFamily";

type Media = { readonly type: string; readonly parameters: ReadonlyMap<string, string>; readonly quality: number };

/** Longer fields are ignored. */
const MOST_OCTETS = 8_192;

/** A media type with its parameters, names in lower case; undefined if it is invalid. */
function mediaOf(text: string): Media | undefined {
  const [type = "", ...rest] = split(text, ";");
  if (!/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$|^\*\/\*$|^[\w.+-]+\/\*$/.test(type)) return undefined;
  const parameters = new Map<string, string>();
  for (const one of rest) {
    if (one === "") continue;
    const [, name = "", token, quoted] = /^([\w!#$&^.+-]+)=(?:([\w!#$&^.+:/-]+)|"((?:[^"\\]|\\.)*)")$/.exec(one) ?? [];
    // Refuse repeated and unreadable parameters.
    if (name === "" || parameters.has(name.toLowerCase())) return undefined;
    parameters.set(name.toLowerCase(), token ?? (quoted ?? "").replaceAll(/\\(.)/g, "$1"));
  }
  const q = parameters.get("q") ?? "1";
  parameters.delete("q");
  if (!/^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(q)) return undefined;
  return { type: type.toLowerCase(), parameters, quality: Number(q) };
}

/** Splits at separators outside of quotes and trims the parts. */
function split(text: string, separator: string): string[] {
  const parts: string[] = [""];
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!;
    if (sign === '"') isQuoted = !isQuoted;
    if (sign === separator && !isQuoted) parts.push("");
    else {
      parts[parts.length - 1] += sign;
      if (sign === "\\" && isQuoted) parts[parts.length - 1] += text[++at] ?? "";
    }
  }
  return parts.map((part) => part.trim());
}

/** The format of a media type; undefined for an unknown version, message or encoding. An unknown escaping means the default. */
function formatOf({ type, parameters }: Media): Format | undefined {
  const is = FORMATS.find((one) => MEDIA[one] === type);
  if (is === undefined) return undefined;
  const charset = parameters.get("charset") ?? "utf-8";
  if (is !== "protobuf" && !/^utf-?8$/i.test(charset)) return undefined;
  if (is === "protobuf" && (parameters.get("proto") !== MESSAGE || parameters.get("encoding") !== "delimited")) return undefined;
  // Without a version: the one that all readers know.
  const named = parameters.get("version") ?? VERSIONS[is][0];
  const version = VERSIONS[is].find((one) => one === named);
  if (version === undefined) return undefined;
  const asked = parameters.get("escaping") ?? "";
  const escaping = version === "1.0.0" && isEscapingScheme(asked) ? asked : "underscores";
  return format(is, version, escaping);
}

/** The formats that a target can write, in order of preference. */
export type Offer = { readonly formats?: readonly Format["is"][]; readonly fallback?: Format };

/**
 * Selects the format for an Accept field (prometheus-negotiation#selection): the offered one with the highest weight, the first of equal ones; otherwise
 * the fallback, text 0.0.4 by default.
 */
export function negotiate(accept: string | undefined, { formats = ["text", "openmetrics"], fallback = TEXT }: Offer = {}): Format {
  if (accept === undefined || accept.length > MOST_OCTETS) return fallback;
  let best: Format | undefined;
  let weight = 0;
  for (const part of split(accept, ",")) {
    const media = mediaOf(part);
    if (media === undefined || media.quality <= weight) continue;
    const found = media.type === "*/*" || (media.type === "text/*" && formats.includes("text")) ? fallback : formatOf(media);
    if (found === undefined || !formats.includes(found.is)) continue;
    best = found;
    weight = media.quality;
  }
  return best ?? fallback;
}

/** The Accept field for formats in order of preference (prometheus-negotiation#quality-values). */
export function acceptOf(formats: readonly Format[]): string {
  const ranges = formats.map((one, i) => `${written(one, "")};q=${quality(formats.length + 1 - i)}`);
  return [...ranges, `*/*;q=${quality(1)}`].join(",");
}
const quality = (tenths: number): string => (tenths < 10 ? `0.${tenths}` : "0.9");

/** The Content-Type of a page. */
export const contentTypeOf = (one: Format): string => written(one, " ");

function written({ is, version, escaping }: Format, space: string): string {
  const parameters =
    is === "protobuf"
      ? [`proto=${MESSAGE}`, "encoding=delimited"]
      : [`version=${version}`, ...(space === "" ? [] : ["charset=utf-8"]), ...(version === "1.0.0" ? [`escaping=${escaping}`] : [])];
  return [MEDIA[is], ...parameters].join(`;${space}`);
}

/** The format of a page by its Content-Type; undefined if it is missing, invalid or unknown. */
export function parseContentType(value: string | undefined): Format | undefined {
  if (value === undefined || value.length > MOST_OCTETS) return undefined;
  const media = mediaOf(value.trim());
  return media === undefined ? undefined : formatOf(media);
}
