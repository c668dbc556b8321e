/**
 * Text from a subject may contain anything: control characters for the terminal, marks that change the direction of text, halves of surrogate
 * pairs. Reports show these by their code. Tab and line feed stay.
 */
// eslint-disable-next-line no-control-regex -- these are what it looks for
const INVISIBLE =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const name = (char: string): string => {
  const code = char.charCodeAt(0);
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
};

/** Writes every invisible or active character as `\x1b` or `\u2028`. */
export const visible = (text: string): string => text.replace(INVISIBLE, name);

/** Applies `visible` to every string in a value. Report writers start from this, so that no member is forgotten. */
export function cleaned<T>(value: T): T {
  if (typeof value === "string") return visible(value) as T;
  if (Array.isArray(value)) return value.map(cleaned) as T;
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [visible(key), cleaned(inner)])) as T;
  return value;
}

/** Joins lines, for annotations and tables. */
export const oneLine = (text: string): string => text.replaceAll(/\s*[\r\n]+\s*/g, " ").trim();

/** Cuts text to a number of characters and appends an ellipsis; never splits a surrogate pair. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = /[\ud800-\udbff]$/.test(text.slice(0, most - 1)) ? most - 2 : most - 1;
  return `${text.slice(0, end)}…`;
}
