/** A page with its validators. */
type Page = { readonly content: string; readonly type: string; readonly etag: string; readonly modified: string };
/** What becomes of a request for it: the page, a part of it, or none of it. */
export type Selected = { readonly status: number; readonly fields: readonly (readonly [string, string])[]; readonly content: string };

const DATES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]+day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];
/** The time of a date in any of the three formats (rfc9110#5.6.7), NaN for anything else. */
const timeOf = (text: string | undefined): number =>
  text !== undefined && DATES.some((format) => format.test(text)) ? Date.parse(text.endsWith("GMT") ? text : `${text} GMT`) : Number.NaN;

const tagsOf = (list: string): string[] => list.match(/(?:W\/)?"[^"]*"/g) ?? [];
const isWeak = (tag: string): boolean => tag.startsWith("W/");
const opaque = (tag: string): string => tag.replace(/^W\//, "");

/** The status that a false condition asks for, evaluated in the order of rfc9110#13.2.2; undefined if none is false. */
function precondition(field: (name: string) => string | undefined, { etag, modified }: Page): 304 | 412 | undefined {
  const [match, noneMatch] = [field("if-match"), field("if-none-match")];
  const changed = Date.parse(modified);
  if (match === undefined ? changed > timeOf(field("if-unmodified-since")) : match !== "*" && !tagsOf(match).includes(etag)) return 412;
  if (noneMatch === undefined) return changed <= timeOf(field("if-modified-since")) ? 304 : undefined;
  return noneMatch === "*" || tagsOf(noneMatch).some((tag) => opaque(tag) === opaque(etag)) ? 304 : undefined;
}

type Range = readonly [first: number, last: number];

/** The ranges of a valid specifier that can be satisfied; undefined if it is invalid or of another unit. */
function rangesOf(specifier: string, length: number): Range[] | undefined {
  const specs = /^bytes=(.*)$/i.exec(specifier)?.[1]?.split(",");
  if (specs === undefined || !specs.every((spec) => /^\s*(?:\d+-\d*|-\d+)\s*$/.test(spec))) return undefined;
  const ranges = specs.map((spec): Range => {
    const [first = "", last = ""] = spec.trim().split("-");
    if (first === "") return [Math.max(0, length - Number(last)), length - 1];
    return [Number(first), last === "" ? length - 1 : Math.min(Number(last), length - 1)];
  });
  const isBackwards = specs.some((spec) => {
    const [first = "", last = ""] = spec.trim().split("-");
    return first !== "" && last !== "" && Number(last) < Number(first);
  });
  return isBackwards ? undefined : ranges.filter(([first, last]) => first < length && first <= last);
}

/** Whether If-Range lets a range pass: its validator is exactly the page's, by strong comparison (rfc9110#13.1.5). */
function isSame(validator: string | undefined, { etag, modified }: Page): boolean {
  if (validator === undefined) return true;
  return validator.includes('"') ? validator === etag && !isWeak(etag) : timeOf(validator) === Date.parse(modified);
}

/** Answers GET and HEAD for a page that does not change: by conditions (rfc9110#13), then by ranges (rfc9110#14). */
export function select(method: string, field: (name: string) => string | undefined, page: Page): Selected {
  const { content, type, etag, modified } = page;
  const validators = [
    ["etag", etag],
    ["last-modified", modified],
  ] as const;
  const all: Selected = { status: 200, fields: [["content-type", type], ["accept-ranges", "bytes"], ...validators], content };
  if (method !== "GET" && method !== "HEAD") return all;
  const failed = precondition(field, page);
  if (failed !== undefined) return { status: failed, fields: validators, content: "" };
  const range = method === "GET" && isSame(field("if-range"), page) ? field("range") : undefined;
  const ranges = range === undefined ? undefined : rangesOf(range, content.length);
  if (ranges === undefined) return all;
  const said = ([first, last]: Range): string => `bytes ${first}-${last}/${content.length}`;
  const part = ([first, last]: Range): string => content.slice(first, last + 1);
  const [only] = ranges;
  if (only === undefined) return { status: 416, fields: [["content-range", `bytes */${content.length}`]], content: "" };
  if (ranges.length === 1) {
    // Who sends If-Range has the rest of the fields (rfc9110#15.3.7).
    const more = field("if-range") === undefined ? ([["content-type", type], ...validators] as const) : ([["etag", etag]] as const);
    return { status: 206, fields: [["content-range", said(only)], ...more], content: part(only) };
  }
  const pieces = ranges.map((one) => `--part\r\nContent-Type: ${type}\r\nContent-Range: ${said(one)}\r\n\r\n${part(one)}\r\n`);
  return {
    status: 206,
    fields: [["content-type", "multipart/byteranges; boundary=part"], ...validators],
    content: `${pieces.join("")}--part--\r\n`,
  };
}
