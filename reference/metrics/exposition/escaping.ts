/** Schemes that escape names for readers that know only plain names (prometheus-escaping). Only `values` restores every name. */
export const ESCAPING_SCHEMES = ["allow-utf-8", "underscores", "dots", "values"] as const;
/** The value of `escaping` in a media type (prometheus-negotiation#protocols). */
export type EscapingScheme = (typeof ESCAPING_SCHEMES)[number];
/** Whether a text is a scheme; case-sensitive. */
export const isEscapingScheme = (text: string): text is EscapingScheme => ESCAPING_SCHEMES.some((one) => one === text);

/** Metric names may have colons, label names may not. */
export type NameOf = "metric" | "label";

/** Whether a name needs no quotes. */
export const isPlainName = (name: string, of: NameOf): boolean =>
  (of === "metric" ? /^[A-Za-z_:][A-Za-z0-9_:]*$/ : /^[A-Za-z_][A-Za-z0-9_]*$/).test(name);

const PREFIX = "U__";

/** Escapes a name. A lone surrogate becomes U+FFFD. */
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
      // A plain name needs no escaping, unless it looks like an escaped one.
      if (isPlain && !name.startsWith(PREFIX)) return name;
      return PREFIX + signs.map((sign) => (sign === "_" ? "__" : isPlainName(`_${sign}`, of) ? sign : `_${hex(sign)}_`)).join("");
  }
}
const hex = (sign: string): string => (sign.codePointAt(0) ?? 0).toString(16).toUpperCase();

/** Restores an escaped name as far as the scheme allows. Other names are returned unchanged. */
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
