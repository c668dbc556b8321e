import type { RangeNode, ReservedNode, Syntax, Word } from "../syntax.ts";
import type { Cursor } from "./cursor.ts";
import { SyntaxProblem } from "./syntax-problem.ts";

/** `1, 5 to 7, 100 to max`. */
export function parseRanges(cursor: Cursor): RangeNode[] {
  const ranges: RangeNode[] = [];
  do {
    const start = cursor.integer("a number");
    const hasEnd = cursor.take("to");
    ranges.push({ start, end: !hasEnd ? start : cursor.take("max") ? "max" : cursor.integer('a number or "max"') });
  } while (cursor.take(","));
  return ranges;
}

/** `reserved 1, 5 to 7;` or `reserved "name";` (in editions `reserved name;`) after its first word. */
export function parseReserved(cursor: Cursor, syntax: Syntax): ReservedNode {
  const names: Word[] = [];
  const { kind, place } = cursor.ahead;
  if (kind === "string" || kind === "name") {
    if ((kind === "name") !== (syntax === "editions"))
      throw new SyntaxProblem(
        place,
        syntax === "editions" ? "With editions, reserved names have no quotes." : "Reserved names need quotes before editions.",
      );
    do names.push(kind === "string" ? cursor.string("a name") : cursor.name("a name"));
    while (cursor.take(","));
    cursor.expect(";");
    return { names, ranges: [] };
  }
  const ranges = parseRanges(cursor);
  cursor.expect(";");
  return { names, ranges };
}
