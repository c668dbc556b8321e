import { Dictionary, Int, isList, keysOf, Listing, Markup, Moment, Span, Struct, TemplateFault, typeName, type Value } from "./values.ts";

/** Text of values as Go's `fmt` writes it, which templates use (Prometheus docs, configuration/template_reference.md, "Functions"). */

const SHORTEST = -1;
const special = (value: number): string | undefined =>
  Number.isNaN(value) ? "NaN" : Number.isFinite(value) ? undefined : value > 0 ? "+Inf" : "-Inf";
const signOf = (value: number): string => (value < 0 || Object.is(value, -0) ? "-" : "");
const exponentOf = (exponent: number): string => `e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;

/** More digits than any tie has. */
const GUARD = 30;
/** The digits of a positive number, rounded half to even, and the exponent of the first. `precision` from 1. */
function digitsOf(size: number, precision: number): { readonly digits: string; readonly exponent: number } {
  const text = precision === SHORTEST ? size.toExponential() : size.toExponential(Math.min(100, precision - 1));
  const [mantissa = "", exponent = ""] = text.split("e");
  let digits = mantissa.replace(".", "");
  if (precision !== SHORTEST && precision + GUARD <= 101) {
    // JavaScript rounds a tie up, Go to the even digit.
    const exact = size
      .toExponential(precision - 1 + GUARD)
      .split("e")[0]!
      .replace(".", "");
    if (exact.slice(precision) === `5${"0".repeat(GUARD - 1)}` && Number(exact[precision - 1]) % 2 === 0)
      digits = exact.slice(0, precision);
  }
  return { digits, exponent: size === 0 ? 0 : Number(exponent) };
}

/** `%e` */
export function exponential(value: number, precision = SHORTEST): string {
  const { digits, exponent } = digitsOf(Math.abs(value), precision === SHORTEST ? SHORTEST : precision + 1);
  return special(value) ?? `${signOf(value)}${digits[0]}${digits.length > 1 ? `.${digits.slice(1)}` : ""}${exponentOf(exponent)}`;
}

/** `%f` */
function fixed(value: number, precision: number): string {
  const size = Math.abs(value);
  const odd = special(value);
  if (odd !== undefined) return odd;
  const text = size < 1e21 ? size.toFixed(precision) : `${BigInt(size)}${precision > 0 ? `.${"0".repeat(precision)}` : ""}`;
  if (size >= 1e21 || precision + GUARD > 100) return signOf(value) + text;
  const exact = size.toFixed(precision + GUARD);
  const cut = exact.slice(0, exact.length - GUARD);
  const isTie = exact.slice(-GUARD) === `5${"0".repeat(GUARD - 1)}`;
  const kept = cut.endsWith(".") ? cut.slice(0, -1) : cut;
  return signOf(value) + (isTie && Number(kept.at(-1)) % 2 === 0 ? kept : text);
}

/** `%g`: the shortest digits by default; with an exponent below 1e-4, and from 10 to the power of the precision (6 for the shortest digits) on. */
export function general(value: number, precision = SHORTEST): string {
  const odd = special(value);
  if (odd !== undefined) return odd;
  const { digits: all, exponent } = digitsOf(Math.abs(value), precision === SHORTEST ? SHORTEST : Math.max(1, precision));
  const digits = all.replace(/(?<=.)0+$/, "");
  const most = precision === SHORTEST ? 6 : Math.max(precision, 1);
  if (exponent < -4 || exponent >= most)
    return `${signOf(value)}${digits[0]}${digits.length > 1 ? `.${digits.slice(1)}` : ""}${exponentOf(exponent)}`;
  if (exponent < 0) return `${signOf(value)}0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  return `${signOf(value)}${whole}${digits.length > exponent + 1 ? `.${digits.slice(exponent + 1)}` : ""}`;
}

const NO_VALUE = "<no value>";
/** `%v` */
export function plain(value: Value): string {
  if (value === undefined) return "<nil>";
  if (typeof value === "string") return value;
  if (typeof value === "number") return general(value);
  if (typeof value === "boolean") return String(value);
  if (value instanceof Int) return String(value.value);
  if (value instanceof Moment) return momentText(value.ms);
  if (value instanceof Span) return spanText(value.seconds);
  if (value instanceof Markup) return value.text;
  const own = value instanceof Dictionary || value instanceof Listing ? value.methods.get("String") : undefined;
  if (own !== undefined) return plain(own([]));
  if (isList(value)) return `[${value.map(plain).join(" ")}]`;
  if (value instanceof Struct) return `{${[...value.fields.values()].map(plain).join(" ")}}`;
  return `map[${keysOf(value)
    .map((key) => `${key}:${plain(value.get(key))}`)
    .join(" ")}]`;
}
/** What an action leaves in the text. */
export const printed = (value: Value): string => (value === undefined ? NO_VALUE : plain(value));

/** `2006-01-02 15:04:05.999 +0000 UTC` */
export function momentText(ms: number): string {
  const whole = new Date(Math.floor(ms)).toISOString().replace("T", " ").replace("Z", "");
  return `${whole.replace(/\.?0+$/, (zeros) => (zeros.startsWith(".") ? "" : zeros.replaceAll("0", "")))} +0000 UTC`;
}

/** `1h30m0s`, `1.5s`, `250ms` */
function spanText(seconds: number): string {
  const size = Math.abs(seconds);
  if (size === 0) return "0s";
  if (size < 1) {
    const [scale, unit] = size >= 1e-3 ? [1e3, "ms"] : size >= 1e-6 ? [1e6, "µs"] : [1e9, "ns"];
    return `${signOf(seconds)}${general(Number((size * Number(scale)).toPrecision(12)))}${unit}`;
  }
  const hours = Math.floor(size / 3_600);
  const minutes = Math.floor((size % 3_600) / 60);
  const rest = general(Number((size % 60).toFixed(9)));
  const before = hours > 0 ? `${hours}h${minutes}m` : minutes > 0 ? `${minutes}m` : "";
  return `${signOf(seconds)}${before}${rest}s`;
}

/** `print`: a space between operands if neither is text. */
export function print(values: readonly Value[]): string {
  return values
    .map((value, at) => (at > 0 && typeof value !== "string" && typeof values[at - 1] !== "string" ? ` ${plain(value)}` : plain(value)))
    .join("");
}

const VERB = /%([-+# 0]*)(\*|\d+)?(?:\.(\*|\d*))?([a-zA-Z%]|$)/gu;
/** Widths beyond this are an error, so that a template cannot fill the memory. */
const MOST_WIDTH = 1_000;

/** `printf` */
export function printf(format: string, values: readonly Value[]): string {
  let at = 0;
  const whole = (given: string | undefined): number | undefined => {
    if (given === undefined) return undefined;
    const one = given === "*" ? values[at++] : undefined;
    const size = one instanceof Int ? one.value : Number(given === "*" ? Number.NaN : given || 0);
    if (!(Math.abs(size) <= MOST_WIDTH)) throw new TemplateFault(`a width of ${given} is not supported: use at most ${MOST_WIDTH}`);
    return size;
  };
  // oxlint-disable-next-line max-params -- the groups of the pattern
  const text = format.replaceAll(VERB, (_, flags: string, width: string | undefined, precision: string | undefined, verb: string) => {
    if (verb === "%") return "%";
    if (verb === "") return "%!(NOVERB)";
    const [size, digits] = [whole(width), whole(precision)];
    if (at >= values.length) return `%!${verb}(MISSING)`;
    const body = formatted(values[at++], verb, { digits, hasPlus: flags.includes("+"), isSharp: flags.includes("#") });
    return padded(flags.includes(" ") && /^\d/.test(body) ? ` ${body}` : body, flags, size ?? 0);
  });
  const extra = values.slice(at);
  return extra.length === 0 ? text : `${text}%!(EXTRA ${extra.map((one) => `${typeName(one)}=${plain(one)}`).join(", ")})`;
}

function padded(body: string, flags: string, width: number): string {
  const missing = Math.max(0, width - [...body].length);
  if (flags.includes("-")) return body + " ".repeat(missing);
  if (!flags.includes("0") || !/^[-+]?\d/.test(body)) return " ".repeat(missing) + body;
  const sign = /^[-+]/.exec(body)?.[0] ?? "";
  return sign + "0".repeat(missing) + body.slice(sign.length);
}

type Style = { readonly digits: number | undefined; readonly hasPlus: boolean; readonly isSharp: boolean };
const GO_ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\" };
/** A text between quotes with escapes. */
export const quoted = (text: string): string => `"${text.replaceAll(/[\n\t\r"\\]/g, (sign) => GO_ESCAPES[sign] ?? sign)}"`;

function formatted(value: Value, verb: string, { digits, hasPlus, isSharp }: Style): string {
  const plus = (text: string): string => (hasPlus && !/^[-+]/.test(text) ? `+${text}` : text);
  const wrong = (): string => `%!${verb}(${typeName(value)}=${plain(value)})`;
  const cut = (text: string): string => (digits === undefined ? text : [...text].slice(0, digits).join(""));
  if (typeof value === "number") {
    if (verb === "f" || verb === "F") return plus(fixed(value, digits ?? 6));
    if (verb === "e") return plus(exponential(value, digits ?? 6));
    if (verb === "E") return plus(exponential(value, digits ?? 6).toUpperCase());
    if (verb === "g" || verb === "v") return plus(general(value, digits));
    return verb === "G" ? plus(general(value, digits).toUpperCase()) : wrong();
  }
  if (value instanceof Int) {
    const { value: number } = value;
    const prefix = signOf(number);
    const size = Math.abs(number);
    if (verb === "v") return String(number);
    if (verb === "d") return plus(String(number));
    if (verb === "x") return prefix + (isSharp ? "0x" : "") + size.toString(16);
    if (verb === "X") return prefix + (isSharp ? "0X" : "") + size.toString(16).toUpperCase();
    if (verb === "o") return prefix + size.toString(8);
    if (verb === "b") return prefix + size.toString(2);
    return verb === "c" ? String.fromCodePoint(size) : wrong();
  }
  if (verb === "v" || (verb === "s" && typeof value !== "boolean" && value !== undefined)) {
    if (verb === "v" && isSharp && typeof value === "string") return quoted(value);
    return cut(plain(value));
  }
  if (verb === "q" && typeof value === "string") return quoted(cut(value));
  if (verb === "x" && typeof value === "string")
    return Array.from(new TextEncoder().encode(value), (octet) => octet.toString(16).padStart(2, "0")).join("");
  return verb === "t" && typeof value === "boolean" ? String(value) : wrong();
}
