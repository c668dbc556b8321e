import type { OptionNode, OptionValue } from "../syntax.ts";
import { type Cursor, integerOf } from "./cursor.ts";
import { SyntaxProblem } from "./syntax-problem.ts";

/** `option name = value;` after the word `option`. */
export function parseOption(cursor: Cursor): OptionNode {
  const option = parseAssignment(cursor);
  cursor.expect(";");
  return option;
}

/** `[name = value, …]`, if it is ahead. */
export function parseInlineOptions(cursor: Cursor): readonly OptionNode[] {
  const options: OptionNode[] = [];
  if (!cursor.take("[")) return options;
  do options.push(parseAssignment(cursor));
  while (cursor.take(","));
  cursor.expect("]");
  return options;
}

function parseAssignment(cursor: Cursor): OptionNode {
  const { place } = cursor;
  const path: { name: string; isExtension: boolean }[] = [];
  do {
    if (cursor.take("(")) {
      path.push({ name: cursor.dotted("the name of an extension", true).text, isExtension: true });
      cursor.expect(")");
    } else path.push({ name: cursor.name("the name of an option").text, isExtension: false });
  } while (cursor.take("."));
  cursor.expect("=");
  return { path, value: cursor.isAhead("{") ? parseMessage(cursor) : parseScalar(cursor), place };
}

function parseScalar(cursor: Cursor): OptionValue {
  const { ahead } = cursor;
  if (ahead.kind === "string") return { is: "string", text: cursor.string("a value").text };
  const isNegative = cursor.take("-");
  if (!isNegative) cursor.take("+");
  const { kind, text, place } = cursor.ahead;
  if (kind === "name") {
    cursor.next();
    if (!isNegative) return { is: "name", text };
    if (/^(?:inf|infinity)$/i.test(text)) return { is: "float", value: -Infinity };
    if (/^nan$/i.test(text)) return { is: "float", value: Number.NaN };
    throw new SyntaxProblem(place, `"-${text}" is not a value.`);
  }
  if (kind === "integer") {
    const value = integerOf(cursor.next().text);
    return isNegative && value === 0n ? { is: "float", value: -0 } : { is: "integer", value: isNegative ? -value : value };
  }
  if (kind === "float") {
    const value = Number.parseFloat(cursor.next().text);
    return { is: "float", value: isNegative ? -value : value };
  }
  throw cursor.unexpected("a value");
}

/** A message as text: `{ name: value other { … } list: [1, 2] }`. */
function parseMessage(cursor: Cursor): OptionValue {
  return cursor.nested(() => {
    const close = cursor.take("<") ? ">" : "}";
    if (close === "}") cursor.expect("{");
    const fields: { name: string; value: OptionValue }[] = [];
    while (!cursor.take(close)) {
      const name = fieldName(cursor);
      const hasColon = cursor.take(":");
      const isMessage = cursor.isAhead("{") || cursor.isAhead("<");
      if (!hasColon && !isMessage && !cursor.isAhead("[")) throw cursor.unexpected('":"');
      fields.push({ name, value: parseValue(cursor) });
      if (!cursor.take(",")) cursor.take(";");
    }
    return { is: "message", fields };
  });
}

function fieldName(cursor: Cursor): string {
  if (!cursor.take("[")) return cursor.name('the name of a field, or "}"').text;
  let name = cursor.dotted("the name of an extension", true).text;
  // The name of a type in google.protobuf.Any has the host of its URL before it.
  while (cursor.take("/")) name += `/${cursor.dotted("the name of a type", false).text}`;
  cursor.expect("]");
  return `[${name}]`;
}

function parseValue(cursor: Cursor): OptionValue {
  if (cursor.isAhead("{") || cursor.isAhead("<")) return parseMessage(cursor);
  if (!cursor.take("[")) return parseScalar(cursor);
  return cursor.nested(() => {
    const values: OptionValue[] = [];
    if (cursor.take("]")) return { is: "list", values };
    do values.push(parseValue(cursor));
    while (cursor.take(","));
    cursor.expect("]");
    return { is: "list", values };
  });
}
