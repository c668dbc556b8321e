import { createHash } from "node:crypto";
import type { ErrorTables } from "./error-tables.ts";
import type { Edit, Place } from "./edit.ts";
import { OPERATORS } from "./operators.ts";
import { calleeOf, child, children, isFunction, type Node, nameOf, parse, runtimeChildren } from "./syntax.ts";

/** One mistake in one file. */
export type Mutant = {
  /** Permanent while the mutated text stays: never a line number. */
  readonly key: string;
  readonly file: string;
  readonly operator: string;
  /** The function, or the constant of the module. */
  readonly owner: string;
  readonly edit: Edit;
  readonly line: number;
  /** For readers. */
  readonly about: string;
};

const LONGEST = 72;
/** Errors for the caller and for our own bugs: they never reach the wire, and unit tests check them. */
const THROWN = /(?:Error|^Misuse|^Bug|^WrongUse)$/;

const short = (text: string): string => {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 10)}…${createHash("sha256").update(line).digest("hex").slice(0, 8)}`;
};

/** A part of the source that is not mutated: messages, and the guards of the programming interface. */
function isLeftAlone(node: Node): boolean {
  if (node.type === "ThrowStatement") return true;
  if (node.type === "NewExpression") return THROWN.test(calleeOf(node));
  if (node.type !== "IfStatement" || child(node, "alternate") !== undefined) return false;
  const branch = child(node, "consequent");
  const first = branch?.type === "BlockStatement" ? children(branch, "body")[0] : branch;
  return first?.type === "ThrowStatement";
}

/** The member or function that a node belongs to: `Credit.widen`. */
function ownerOf(around: readonly Node[]): string {
  const names = around.toReversed().map((node, at, all) => {
    if (node.type === "ClassDeclaration" || node.type === "FunctionDeclaration") return nameOf(child(node, "id"));
    if (node.type === "MethodDefinition" || node.type === "PropertyDefinition") return nameOf(child(node, "key"));
    const inner = all[at + 1];
    // A constant of the module has at most its declaration and an export around it.
    if (node.type === "VariableDeclarator") return isFunction(inner) || at <= 3 ? nameOf(child(node, "id")) : "";
    return node.type === "Property" && isFunction(inner) ? nameOf(child(node, "key")) : "";
  });
  return names.filter((name) => name !== "").join(".");
}

/** Every mutant of a source, in the order of the source. */
export function mutantsOf(file: string, source: string, tables: ErrorTables): Mutant[] {
  const found: Mutant[] = [];
  const seen = new Map<string, number>();
  const written = new Set<string>();
  const visit = (node: Node, around: readonly Node[]): void => {
    if (isLeftAlone(node)) return;
    const place: Place = { source, around, isInFunction: around.some(isFunction), tables };
    for (const { name: operator, edit: editOf } of OPERATORS) {
      const edit = editOf(node, place);
      if (edit === undefined) continue;
      const text = `${edit.start} ${edit.end} ${edit.text}`;
      if (written.has(text)) continue;
      written.add(text);
      const one = mutant({ file, source, operator, node, edit, owner: ownerOf(around) }, seen);
      if (edit.idle !== true) found.push(one);
    }
    for (const inner of runtimeChildren(node)) visit(inner, [node, ...around]);
  };
  visit(parse(source), []);
  return found;
}

type Found = {
  readonly file: string;
  readonly source: string;
  readonly operator: string;
  readonly node: Node;
  readonly edit: Edit;
  readonly owner: string;
};

function mutant({ file, source, operator, node, edit, owner }: Found, seen: Map<string, number>): Mutant {
  const original = short(source.slice(node.start, node.end));
  const equal = [file, operator, owner, original].join(" | ");
  const ordinal = (seen.get(equal) ?? 0) + 1;
  seen.set(equal, ordinal);
  const line = source.slice(0, edit.start).split("\n").length;
  const text = short(source.slice(node.start, edit.start) + edit.text + source.slice(edit.end, Math.max(edit.end, node.end)));
  const becomes = text === "" || text === ";" ? "is removed" : `becomes ${text}`;
  return { key: ordinal === 1 ? equal : `${equal} | ${ordinal}`, file, operator, owner, edit, line, about: `${original} ${becomes}` };
}

const rank = (seed: number, key: string): string => createHash("sha256").update(`${seed} ${key}`).digest("hex");

/** A sample by seed. The rank of a mutant depends only on the seed and its key, so additions to the sources change little. */
export function sampled(mutants: readonly Mutant[], size: number, seed: number): Mutant[] {
  const ranked = mutants.map((one) => ({ one, at: rank(seed, one.key) })).sort((a, b) => (a.at < b.at ? -1 : 1));
  return ranked.slice(0, size).map(({ one }) => one);
}
