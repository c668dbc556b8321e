import { type EscapingScheme, isEscapingScheme } from "./escaping.ts";

/** A format with its version, and how names are escaped that are no plain names (prometheus-negotiation#protocols). */
export type Format = {
  readonly is: "text" | "openmetrics" | "protobuf";
  readonly version: "0.0.4" | "1.0.0" | "0.0.1";
  /** Of a version that has no such parameter: `underscores`. */
  readonly escaping: EscapingScheme;
};

const format = (is: Format["is"], version: Format["version"], escaping: EscapingScheme = "underscores"): Format => ({
  is,
  version,
  escaping,
});
/** What every reader knows, and what a target falls back on. */
export const TEXT: Format = format("text", "0.0.4");
/** The text format with any name, quoted where it is no plain one. */
export const TEXT_UTF8: Format = format("text", "1.0.0", "allow-utf-8");
/** OpenMetrics with any name, quoted where it is no plain one. */
export const OPENMETRICS: Format = format("openmetrics", "1.0.0", "allow-utf-8");
/** The version before; names that are no plain ones are written with underscores. */
export const OPENMETRICS_OLD: Format = format("openmetrics", "0.0.1");
/** Messages with their lengths in front, the one format that has native histograms; other names with underscores as well. */
export const PROTOBUF: Format = format("protobuf", "1.0.0");

/** What our writers have, and with which parameters of a media type it is asked for. */
const MEDIA: Readonly<Record<Format["is"], string>> = {
  text: "text/plain",
  openmetrics: "application/openmetrics-text",
  protobuf: "application/vnd.google.protobuf",
};
const VERSIONS: Readonly<Record<Format["is"], readonly string[]>> = {
  text: ["0.0.4", "1.0.0"],
  openmetrics: ["1.0.0", "0.0.1"],
  protobuf: ["1.0.0"],
};
const MESSAGE = "io.prometheus.client.MetricFamily";

type Media = { readonly type: string; readonly parameters: ReadonlyMap<string, string>; readonly quality: number };

/** How long a field may be that is looked at, and how many ranges. */
const MOST_OCTETS = 8_192;

/** One media type with its parameters, names in lower case; undefined where it is none. */
function mediaOf(text: string): Media | undefined {
  const [type = "", ...rest] = split(text, ";");
  if (!/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$|^\*\/\*$|^[\w.+-]+\/\*$/.test(type)) return undefined;
  const parameters = new Map<string, string>();
  for (const one of rest) {
    if (one === "") continue;
    const [, name = "", token, quoted] = /^([\w!#$&^.+-]+)=(?:([\w!#$&^.+:/-]+)|"((?:[^"\\]|\\.)*)")$/.exec(one) ?? [];
    // What is told twice or cannot be read is not guessed at.
    if (name === "" || parameters.has(name.toLowerCase())) return undefined;
    parameters.set(name.toLowerCase(), token ?? (quoted ?? "").replaceAll(/\\(.)/g, "$1"));
  }
  const q = parameters.get("q") ?? "1";
  parameters.delete("q");
  if (!/^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(q)) return undefined;
  return { type: type.toLowerCase(), parameters, quality: Number(q) };
}

/** Parts between separators that stand outside of quotes, without blanks around them. */
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

/** The format that a media type stands for. An unknown version, message or encoding is none that we know; an unknown escaping is the default. */
function formatOf({ type, parameters }: Media): Format | undefined {
  const is = (Object.keys(MEDIA) as Format["is"][]).find((one) => MEDIA[one] === type);
  if (is === undefined) return undefined;
  const charset = parameters.get("charset") ?? "utf-8";
  if (is !== "protobuf" && !/^utf-?8$/i.test(charset)) return undefined;
  if (is === "protobuf" && (parameters.get("proto") !== MESSAGE || parameters.get("encoding") !== "delimited")) return undefined;
  // Without a version: the oldest that all know.
  const version = parameters.get("version") ?? VERSIONS[is][0];
  if (!VERSIONS[is].some((one) => one === version)) return undefined;
  const asked = parameters.get("escaping") ?? "";
  const escaping = version === "1.0.0" && isEscapingScheme(asked) ? asked : "underscores";
  return format(is, version as Format["version"], escaping);
}

/** What a target of ours answers with: formats that it can write, the one it likes best first. */
export type Offer = { readonly formats?: readonly Format["is"][]; readonly fallback?: Format };

/**
 * The format for an Accept field (prometheus-negotiation#selection): of those that are offered the one with the highest weight, the first of equal ones;
 * the fallback, text 0.0.4 by default, where there is none.
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

/** The Accept field that asks for formats, the one liked best first (prometheus-negotiation#quality-values). */
export function acceptOf(formats: readonly Format[]): string {
  const ranges = formats.map((one, i) => `${written(one, "")};q=${quality(formats.length + 1 - i)}`);
  return [...ranges, `*/*;q=${quality(1)}`].join(",");
}
/** A tenth for each of nine places; beyond, a hundredth. */
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

/** The format of a page by its Content-Type; undefined where it is missing, cannot be read, or is none that can be scraped. */
export function parseContentType(value: string | undefined): Format | undefined {
  if (value === undefined || value.length > MOST_OCTETS) return undefined;
  const media = mediaOf(value.trim());
  return media === undefined ? undefined : formatOf(media);
}
