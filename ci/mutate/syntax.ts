import { parseAst } from "vitest/node";

/** A node of the ESTree syntax tree, with its place in the source. */
export type Node = { readonly type: string; readonly start: number; readonly end: number; readonly [property: string]: unknown };

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value && "start" in value;

/** The root is a copy: properties of an interface cannot be read by any name, those of an object literal can. */
export const parse = (source: string): Node => ({ ...parseAst(source, { lang: "ts" }) });

/** A child by its property; undefined if there is none. */
export const child = (node: Node, property: string): Node | undefined => {
  const value = node[property];
  return isNode(value) ? value : undefined;
};
export const children = (node: Node, property: string): readonly Node[] => {
  const value = node[property];
  return Array.isArray(value) ? value.filter(isNode) : [];
};

/** The name of an identifier, of a private name, or of a plain property key; empty for any other node. */
export function nameOf(node: Node | undefined): string {
  if (node === undefined) return "";
  if (node.type === "PrivateIdentifier") return `#${String(node["name"])}`;
  if (node.type === "Identifier") return String(node["name"]);
  return node.type === "Literal" ? String(node["value"]) : "";
}

/** The last name of a callee: `min` of `Math.min(…)`. */
export function calleeOf(call: Node): string {
  const callee = child(call, "callee");
  return callee?.type === "MemberExpression" ? nameOf(child(callee, "property")) : nameOf(callee);
}

/** Type syntax: at run time only the expressions inside remain. */
const TYPED_EXPRESSIONS: ReadonlySet<string> = new Set(["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"]);
const NOT_WALKED: ReadonlySet<string> = new Set([
  "typeAnnotation",
  "returnType",
  "typeParameters",
  "typeArguments",
  "implements",
  "decorators",
]);

/** The children that exist at run time, in the order of the source. */
export function runtimeChildren(node: Node): Node[] {
  if (node.type === "ImportDeclaration" || node.type === "ExportAllDeclaration") return [];
  if (node.type.startsWith("TS") && !TYPED_EXPRESSIONS.has(node.type)) return [];
  const isKeyed = node.type === "Property" || node.type === "MethodDefinition" || node.type === "PropertyDefinition";
  return Object.entries(node)
    .filter(([property]) => !NOT_WALKED.has(property) && !(property === "key" && isKeyed && node["computed"] !== true))
    .flatMap(([, value]) => (Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []))
    .sort((a, b) => a.start - b.start);
}

const FUNCTIONS: ReadonlySet<string> = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);
export const isFunction = (node: Node | undefined): boolean => node !== undefined && FUNCTIONS.has(node.type);
