import type { EnumNode, EnumValueNode, OptionNode, RangeNode, Syntax, Word } from "../syntax.ts";
import type { Comments } from "./comments.ts";
import type { Cursor } from "./cursor.ts";
import { parseInlineOptions, parseOption } from "./options.ts";
import { parseReserved } from "./ranges.ts";

/** An enum after its first word. */
export function parseEnum(cursor: Cursor, syntax: Syntax, before: Comments, visibility?: "export" | "local"): EnumNode {
  const name = cursor.name("the name of an enum");
  cursor.expect("{");
  const comments = cursor.withTrailing(before);
  const values: EnumValueNode[] = [];
  const options: OptionNode[] = [];
  const ranges: RangeNode[] = [];
  const names: Word[] = [];
  while (!cursor.take("}")) {
    if (cursor.take(";")) continue;
    const leading = cursor.leading();
    const value = cursor.name('a value of the enum, or "}"');
    // `option` and `reserved` are names of values, too, if an equals sign follows.
    if (value.text === "option" && !cursor.isAhead("=")) options.push(parseOption(cursor));
    else if (value.text === "reserved" && !cursor.isAhead("=")) {
      const reserved = parseReserved(cursor, syntax);
      ranges.push(...reserved.ranges);
      names.push(...reserved.names);
    } else {
      cursor.expect("=");
      const number = cursor.integer("the number of the value");
      const inline = parseInlineOptions(cursor);
      cursor.expect(";");
      values.push({ name: value, number, options: inline, comments: cursor.withTrailing(leading) });
    }
  }
  return { is: "enum", name, comments, options, values, reserved: { ranges, names }, visibility };
}
