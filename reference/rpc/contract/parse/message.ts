import type { EnumNode, ExtendNode, FieldNode, MessageNode, OneofNode, OptionNode, RangeNode, Syntax, Word } from "../syntax.ts";
import type { Comments } from "./comments.ts";
import type { Cursor } from "./cursor.ts";
import { parseEnum } from "./enum.ts";
import { parseInlineOptions, parseOption } from "./options.ts";
import { parseRanges, parseReserved } from "./ranges.ts";
import { SyntaxProblem } from "./syntax-problem.ts";

/** What the body of a message collects. */
type Body = {
  fields: FieldNode[];
  oneofs: OneofNode[];
  messages: MessageNode[];
  enums: EnumNode[];
  extends: ExtendNode[];
  extensionRanges: (RangeNode & { readonly options: readonly OptionNode[] })[];
  ranges: RangeNode[];
  names: Word[];
  options: OptionNode[];
};
/** Where a field may be written, as far as its grammar differs. */
type Within = { readonly oneof?: number; readonly body: Pick<Body, "messages"> };

/** A message after its first word. */
export function parseMessage(cursor: Cursor, syntax: Syntax, before: Comments, visibility?: "export" | "local"): MessageNode {
  return parseBody(cursor, syntax, { name: cursor.name("the name of a message"), before, visibility, isGroup: false });
}

type Head = {
  readonly name: Word;
  readonly before: Comments;
  readonly visibility: "export" | "local" | undefined;
  readonly isGroup: boolean;
};

function parseBody(cursor: Cursor, syntax: Syntax, { name, before, visibility, isGroup }: Head): MessageNode {
  return cursor.nested(() => {
    cursor.expect("{");
    const comments = cursor.withTrailing(before);
    const body: Body = {
      fields: [],
      oneofs: [],
      messages: [],
      enums: [],
      extends: [],
      extensionRanges: [],
      ranges: [],
      names: [],
      options: [],
    };
    while (!cursor.take("}")) if (!cursor.take(";")) parseElement(cursor, syntax, body);
    const { ranges, names, ...rest } = body;
    return { is: "message", name, comments, ...rest, reserved: { ranges, names }, isGroup, visibility };
  });
}

function parseElement(cursor: Cursor, syntax: Syntax, body: Body): void {
  const before = cursor.leading();
  const visibility = parseVisibility(cursor, syntax);
  if (cursor.take("message")) body.messages.push(parseMessage(cursor, syntax, before, visibility));
  else if (cursor.take("enum")) body.enums.push(parseEnum(cursor, syntax, before, visibility));
  else if (visibility !== undefined) throw cursor.unexpected('"message" or "enum"');
  else if (cursor.take("extend")) body.extends.push(parseExtend(cursor, syntax, body));
  else if (cursor.take("oneof")) parseOneof(cursor, syntax, { body, before });
  else if (cursor.take("option")) body.options.push(parseOption(cursor));
  else if (cursor.take("extensions")) {
    const ranges = parseRanges(cursor);
    const options = parseInlineOptions(cursor);
    cursor.expect(";");
    body.extensionRanges.push(...ranges.map((range) => ({ ...range, options })));
  } else if (cursor.take("reserved")) {
    const { ranges, names } = parseReserved(cursor, syntax);
    body.ranges.push(...ranges);
    body.names.push(...names);
  } else body.fields.push(parseField(cursor, syntax, { body }));
}

/** `export` or `local` before a message or an enum (since edition 2024); before editions both are ordinary names. */
export function parseVisibility(cursor: Cursor, syntax: Syntax): "export" | "local" | undefined {
  if (syntax !== "editions") return undefined;
  for (const word of ["export", "local"] as const) if (cursor.take(word)) return word;
  return undefined;
}

function parseOneof(cursor: Cursor, syntax: Syntax, { body, before }: { readonly body: Body; readonly before: Comments }): void {
  const name = cursor.name("the name of a oneof");
  cursor.expect("{");
  const comments = cursor.withTrailing(before);
  const options: OptionNode[] = [];
  const oneof = body.oneofs.length;
  const first = body.fields.length;
  while (!cursor.take("}")) {
    if (cursor.take(";")) continue;
    if (cursor.take("option")) options.push(parseOption(cursor));
    else body.fields.push(parseField(cursor, syntax, { body, oneof }));
  }
  if (body.fields.length === first) throw new SyntaxProblem(name.place, `The oneof "${name.text}" needs at least one field.`);
  body.oneofs.push({ name, comments, options });
}

/** `extend Type { … }` after its first word. Groups in it define messages of `body`. */
export function parseExtend(cursor: Cursor, syntax: Syntax, body: Pick<Body, "messages">): ExtendNode {
  const extendee = cursor.dotted("the name of a message", true);
  cursor.expect("{");
  const fields: FieldNode[] = [];
  while (!cursor.take("}")) if (!cursor.take(";")) fields.push(parseField(cursor, syntax, { body }));
  return { extendee, fields };
}

function parseField(cursor: Cursor, syntax: Syntax, within: Within): FieldNode {
  const before = cursor.leading();
  const { place } = cursor;
  const label = parseLabel(cursor);
  if (label !== undefined && within.oneof !== undefined) throw new SyntaxProblem(place, `A field of a oneof has no "${label}".`);
  if (cursor.take("group")) return parseGroup(cursor, syntax, { ...within, label, before });
  const { type, mapKey } = parseType(cursor);
  if (mapKey !== undefined && label !== undefined) throw new SyntaxProblem(place, `A map has no "${label}".`);
  if (mapKey !== undefined && within.oneof !== undefined) throw new SyntaxProblem(place, "A map cannot be in a oneof.");
  const name = cursor.name("the name of a field");
  cursor.expect("=");
  const number = cursor.integer("the number of the field");
  const options = parseInlineOptions(cursor);
  cursor.expect(";");
  return {
    name,
    number,
    type,
    mapKey,
    label,
    options,
    oneof: within.oneof,
    isGroup: false,
    comments: cursor.withTrailing(before),
  };
}

function parseLabel(cursor: Cursor): FieldNode["label"] {
  for (const label of ["optional", "required", "repeated"] as const) if (cursor.take(label)) return label;
  return undefined;
}

function parseType(cursor: Cursor): Pick<FieldNode, "type" | "mapKey"> {
  const type = cursor.dotted("the type of a field", true);
  if (type.text !== "map" || !cursor.take("<")) return { type, mapKey: undefined };
  const mapKey = cursor.dotted("the type of the keys", true);
  cursor.expect(",");
  const value = cursor.dotted("the type of the values", true);
  cursor.expect(">");
  return { type: value, mapKey };
}

/** `group Name = 1 { … }` after its first word: a field, and the message that is its type. */
function parseGroup(
  cursor: Cursor,
  syntax: Syntax,
  { body, oneof, label, before }: Within & { readonly label: FieldNode["label"]; readonly before: Comments },
): FieldNode {
  const type = cursor.name("the name of a group");
  if (!/^[A-Z]/.test(type.text)) throw new SyntaxProblem(type.place, "The name of a group begins with a capital letter.");
  cursor.expect("=");
  const number = cursor.integer("the number of the field");
  const options = parseInlineOptions(cursor);
  const message = parseBody(cursor, syntax, { name: type, before, visibility: undefined, isGroup: true });
  body.messages.push(message);
  const { comments } = message;
  const name = { text: type.text.toLowerCase(), place: type.place };
  return { name, number, type, mapKey: undefined, label, options, oneof, isGroup: true, comments };
}
