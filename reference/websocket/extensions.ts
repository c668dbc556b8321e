import { isToken, trimSpace } from "../http/index.ts";

/** Sec-WebSocket-Extensions (rfc6455#9.1): the offers of a client, in order of preference, or the choice of a server. */

/** The value of a parameter without one is `true`; a quoted value has lost its quotes. */
export type Parameter = readonly [name: string, value: string | true];
/** One member of the field; its parameters in their order, repetitions included (rfc6455#9.1). */
export type Extension = { readonly name: string; readonly parameters: readonly Parameter[] };

/** The most extensions, and parameters of one: no known extension has more than four. */
const MOST = 64;

/** Parses all lines of the field; undefined if one is invalid. Empty list members are ignored (rfc9110#5.6.1). */
export function readExtensions(lines: readonly string[]): readonly Extension[] | undefined {
  const list: Extension[] = [];
  for (const line of lines) {
    const members = split(line, ",");
    if (members === undefined) return undefined;
    let isEmpty = true;
    for (const member of members) {
      if (trimSpace(member) === "") continue;
      isEmpty = false;
      const extension = readExtension(member);
      if (extension === undefined || list.length === MOST) return undefined;
      list.push(extension);
    }
    // A list has at least one member (rfc6455#9.1).
    if (isEmpty) return undefined;
  }
  return list;
}

function readExtension(text: string): Extension | undefined {
  const parts = split(text, ";");
  if (parts === undefined || parts.length > MOST) return undefined;
  const [name = "", ...rest] = parts.map(trimSpace);
  if (!isToken(name)) return undefined;
  const parameters: Parameter[] = [];
  for (const part of rest) {
    const sign = part.indexOf("=");
    const key = sign < 0 ? part : trimSpace(part.slice(0, sign));
    if (!isToken(key)) return undefined;
    const value = sign < 0 ? true : readValue(trimSpace(part.slice(sign + 1)));
    if (value === undefined) return undefined;
    parameters.push([key, value]);
  }
  return { name, parameters };
}

/** A token, or a quoted-string whose content is a token (rfc6455#9.1). */
function readValue(text: string): string | undefined {
  if (!text.startsWith('"')) return isToken(text) ? text : undefined;
  if (text.length < 2 || !text.endsWith('"')) return undefined;
  const value = text.slice(1, -1).replace(/\\(.)/g, "$1");
  return isToken(value) ? value : undefined;
}

/** Splits at a sign outside of quotes; undefined if a quote is not closed. */
function split(text: string, sign: string): string[] | undefined {
  const parts: string[] = [];
  let from = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (isQuoted && character === "\\") at++;
    else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && character === sign) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  if (isQuoted) return undefined;
  parts.push(text.slice(from));
  return parts;
}

/** The value of the field. */
export const writeExtensions = (list: readonly Extension[]): string =>
  list
    .map(({ name, parameters }) => [name, ...parameters.map(([key, value]) => (value === true ? key : `${key}=${value}`))].join("; "))
    .join(", ");
