/**
 * Names that are no plain names, for readers who know plain names only (prometheus-escaping). Each way there has a way back; only `values` brings every
 * name back.
 */
export const ESCAPING_SCHEMES = ["allow-utf-8", "underscores", "dots", "values"] as const;
/** As `escaping` in a media type names it (prometheus-negotiation#protocols). */
export type EscapingScheme = (typeof ESCAPING_SCHEMES)[number];
/** Whether a parameter's value names one; letters count as they are. */
export const isEscapingScheme = (text: string): text is EscapingScheme => ESCAPING_SCHEMES.some((one) => one === text);

/** The name of a metric may hold colons, that of a label none. */
export type NameOf = "metric" | "label";

/** Whether a name can stand without quotes. */
export const isPlainName = (name: string, of: NameOf): boolean =>
  (of === "metric" ? /^[A-Za-z_:][A-Za-z0-9_:]*$/ : /^[A-Za-z_][A-Za-z0-9_]*$/).test(name);

const PREFIX = "U__";

/** A name as the scheme writes it. What cannot be part of text at all, half a surrogate pair, becomes U+FFFD. */
export function escapeName(name: string, scheme: EscapingScheme, of: NameOf = "metric"): string {
  const signs = [...name.toWellFormed()];
  const isPlain = isPlainName(name, of);
  switch (scheme) {
    case "allow-utf-8":
      return name.toWellFormed();
    case "underscores":
      return isPlain ? name : signs.map((sign, i) => (isPlainName(i === 0 ? sign : `_${sign}`, of) ? sign : "_")).join("");
    case "dots":
      return signs
        .map((sign, i) => {
          if (sign === ".") return "_dot_";
          if (sign === "_") return "__";
          return isPlainName(i === 0 ? sign : `_${sign}`, of) ? sign : "_";
        })
        .join("");
    case "values":
      // A plain name needs no escaping, unless it would be taken for an escaped one.
      if (isPlain && !name.startsWith(PREFIX)) return name;
      return PREFIX + signs.map((sign) => (sign === "_" ? "__" : isPlainName(`_${sign}`, of) ? sign : `_${hex(sign)}_`)).join("");
  }
}
const hex = (sign: string): string => (sign.codePointAt(0) ?? 0).toString(16).toUpperCase();

/** The name that was escaped, as far as the scheme can tell; the same where it is none that the scheme writes. */
export function unescapeName(name: string, scheme: EscapingScheme): string {
  if (scheme === "dots") return name.replaceAll(/__|_dot_/g, (found) => (found === "__" ? "_" : "."));
  if (scheme !== "values" || !name.startsWith(PREFIX)) return name;
  const rest = name.slice(PREFIX.length);
  if (!/^(?:[A-Za-z0-9:]|__|_[0-9A-Fa-f]{1,6}_)*$/.test(rest)) return name;
  let isText = true;
  const text = rest.replaceAll(/__|_([0-9A-Fa-f]{1,6})_/g, (_, digits: string | undefined) => {
    if (digits === undefined) return "_";
    const point = Number.parseInt(digits, 16);
    if (point <= 0x10_ffff && !(point >= 0xd800 && point <= 0xdfff)) return String.fromCodePoint(point);
    isText = false;
    return "";
  });
  return isText ? text : name;
}
