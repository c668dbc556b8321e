import { child, children, type Node, nameOf, parse } from "./syntax.ts";

/** The names of errors, each with another one that differs on the wire. */
export type ErrorTables = { readonly another: (name: string) => string | undefined };

/** Objects that name errors: `FAULTS`, `ErrorCode`, `HANDSHAKE_FAULTS`. */
const TABLE = /^(?:\w*FAULTS|ErrorCode)$/;

/** The parts of an entry that reach the wire, as text; its section and its words do not. */
function meaning(value: Node | undefined, source: string): readonly string[] {
  if (value === undefined) return [];
  if (value.type === "TSAsExpression") return meaning(child(value, "expression"), source);
  if (value.type === "CallExpression") {
    const [first] = children(value, "arguments");
    return [nameOf(child(value, "callee")), first === undefined ? "" : source.slice(first.start, first.end)];
  }
  if (value.type !== "ObjectExpression") return [source.slice(value.start, value.end)];
  return children(value, "properties")
    .filter((member) => !["spec", "advice", "message", "why"].includes(nameOf(child(member, "key"))))
    .map((member) => source.slice(member.start, member.end));
}

const unwrapped = (node: Node | undefined): Node | undefined =>
  node?.type === "TSAsExpression" || node?.type === "TSSatisfiesExpression" ? unwrapped(child(node, "expression")) : node;

/** A table of one source: the meaning of each name. */
export type ErrorTable = ReadonlyMap<string, readonly string[]>;

/** The tables of errors that a source declares. */
export function tablesIn(source: string): ErrorTable[] {
  // Most sources have none, and need not be parsed.
  if (!/\bconst (?:\w*FAULTS|ErrorCode)\b/.test(source)) return [];
  return children(parse(source), "body")
    .map((statement) => (statement.type === "ExportNamedDeclaration" ? child(statement, "declaration") : statement))
    .flatMap((statement) => (statement?.type === "VariableDeclaration" ? children(statement, "declarations") : []))
    .filter((declarator) => TABLE.test(nameOf(child(declarator, "id"))))
    .map((declarator) => unwrapped(child(declarator, "init")))
    .filter((table) => table?.type === "ObjectExpression")
    .map(
      (table) =>
        new Map(
          (table === undefined ? [] : children(table, "properties")).map((one) => [
            nameOf(child(one, "key")),
            meaning(child(one, "value"), source),
          ]),
        ),
    );
}

/** The names of these tables. */
export function errorTables(tables: readonly ErrorTable[]): ErrorTables {
  const others = new Map<string, string>();
  for (const table of tables) {
    const names = [...table.keys()];
    for (const [at, name] of names.entries()) {
      const rest = [...names.slice(at + 1), ...names.slice(0, at)];
      const own = table.get(name) ?? [];
      const differences = (one: string): number => (table.get(one) ?? []).filter((part) => !own.includes(part)).length;
      // One that differs in all parts if possible: a scope alone may not show.
      const most = Math.max(...rest.map(differences));
      const other = most === 0 ? undefined : rest.find((one) => differences(one) === most);
      if (other !== undefined && !others.has(name)) others.set(name, other);
    }
  }
  return { another: (name) => others.get(name) };
}
