import { parseAst } from "vitest/node";

/**
 * Finds what a module of a protocol folder shares between all its connections: variables and objects that can change after loading. A
 * callback of one connection's owner may drive another connection, which would then see half-finished state.
 *
 * Allowed at the level of a module: functions, classes, primitive values, frozen or `as const` literals, and constants whose declared type
 * is readonly (`ReadonlyMap`, `readonly T[]`, `ArrayLike<number>`, a type of readonly members). Octets may be constant, never a buffer.
 */

type Node = { readonly type: string; readonly [property: string]: unknown };
type Name = { readonly name: string; readonly typeAnnotation?: { readonly typeAnnotation: Node } | null };
type Declarator = { readonly id: Node & Name; readonly init: Node | null };

/** Aliases and interfaces of the protocol folders, by name: a name may be declared in several folders. */
export type Types = ReadonlyMap<string, readonly Node[]>;

const bodyOf = (source: string): readonly Node[] => parseAst(source, { lang: "ts" }).body as unknown as readonly Node[];
const declarationOf = (statement: Node): Node =>
  statement.type === "ExportNamedDeclaration" ? ((statement["declaration"] as Node | null) ?? statement) : statement;

/** The types that `sources` declare. */
export function collectTypes(sources: readonly string[]): Types {
  const types = new Map<string, Node[]>();
  for (const statement of sources.flatMap(bodyOf)) {
    const declared = declarationOf(statement);
    if (declared.type !== "TSTypeAliasDeclaration" && declared.type !== "TSInterfaceDeclaration") continue;
    const { name } = declared["id"] as Name;
    const type = declared.type === "TSTypeAliasDeclaration" ? (declared["typeAnnotation"] as Node) : (declared["body"] as Node);
    types.set(name, [...(types.get(name) ?? []), type]);
  }
  return types;
}

/** The names in `source` that are shared and can change. */
export function sharedState(source: string, types: Types): string[] {
  const body = bodyOf(source).map(declarationOf);
  const results = resultsOf(body);
  return body.flatMap((statement) => {
    if (statement.type === "ClassDeclaration") return staticFields(statement);
    if (statement.type !== "VariableDeclaration" || statement["declare"] === true) return [];
    const isConst = statement["kind"] === "const";
    return (statement["declarations"] as readonly Declarator[])
      .filter((declarator) => !isConst || !isConstant(declarator, types, results))
      .map(({ id }) => id.name ?? "(pattern)");
  });
}

/** The declared result types of the functions of a module, by the functions' names. */
function resultsOf(body: readonly Node[]): ReadonlyMap<string, Node> {
  const results = new Map<string, Node>();
  const note = (name: string, made: Node | null): void => {
    const result = (made?.["returnType"] as { readonly typeAnnotation: Node } | null | undefined)?.typeAnnotation;
    if (result !== undefined) results.set(name, result);
  };
  for (const statement of body) {
    if (statement.type === "FunctionDeclaration") note((statement["id"] as Name).name, statement);
    if (statement.type !== "VariableDeclaration") continue;
    for (const { id, init } of statement["declarations"] as readonly Declarator[]) note(id.name, init);
  }
  return results;
}

function staticFields(statement: Node): string[] {
  const members = (statement["body"] as { readonly body: readonly Node[] }).body;
  const isVariable = (member: Node): boolean =>
    member.type === "PropertyDefinition" && member["static"] === true && member["readonly"] !== true;
  return members.filter(isVariable).map((member) => `${(statement["id"] as Name).name}.${(member["key"] as Name).name}`);
}

function isConstant({ id, init }: Declarator, types: Types, results: ReadonlyMap<string, Node>): boolean {
  // The parts of a list are taken out: the list itself has no name.
  if (id.type === "ArrayPattern" && init?.type === "ArrayExpression") return (init["elements"] as readonly Node[]).every(isConstantValue);
  if (init !== null && isConstantValue(init)) return true;
  const result = init?.type === "CallExpression" ? results.get(nameOf(init["callee"] as Node)) : undefined;
  const declared = id.typeAnnotation?.typeAnnotation ?? result;
  return declared !== undefined && isReadonlyType(declared, types, new Set());
}

/** Values without parts that could change: primitives by their kind of expression, functions, and what is frozen. */
const CONSTANT_EXPRESSIONS: ReadonlySet<string> = new Set([
  "Literal",
  "TemplateLiteral",
  "TaggedTemplateExpression",
  "UnaryExpression",
  "BinaryExpression",
  "Identifier",
  "MemberExpression",
  "ArrowFunctionExpression",
  "FunctionExpression",
  "ClassExpression",
]);
/** Classes whose instances never change, as far as their users can see. */
const CONSTANT_CLASSES: ReadonlySet<string> = new Set(["RegExp", "TextEncoder", "TextDecoder", "Defaults", "Matcher"]);
const TYPED_ARRAY = /^(?:Big)?(?:Uint|Int|Float)(?:8|16|32|64)(?:Clamped)?Array$/;

function isConstantValue(value: Node): boolean {
  if (CONSTANT_EXPRESSIONS.has(value.type)) return true;
  switch (value.type) {
    case "TSAsExpression":
      return isConstAssertion(value["typeAnnotation"] as Node) || isConstantValue(value["expression"] as Node);
    case "TSSatisfiesExpression":
    case "TSNonNullExpression":
      return isConstantValue(value["expression"] as Node);
    case "NewExpression": {
      const made = nameOf(value["callee"] as Node);
      return CONSTANT_CLASSES.has(made) || (TYPED_ARRAY.test(made) && holdsContent(value["arguments"] as readonly Node[]));
    }
    case "CallExpression":
      return isConstantCall(value["callee"] as Node);
    default:
      return false;
  }
}

/** Octets given when they are made are content; a length alone makes a buffer, unless it is 0. */
const holdsContent = ([first]: readonly Node[]): boolean => first === undefined || first.type === "ArrayExpression" || first["value"] === 0;

/** `Object.freeze(…)`, `Symbol(…)`, `Number(…)`, and octets from given values. */
function isConstantCall(callee: Node): boolean {
  if (callee.type === "Identifier") return ["Symbol", "Number", "String"].includes(nameOf(callee));
  if (callee.type !== "MemberExpression") return false;
  const [object, method] = [nameOf(callee["object"] as Node), nameOf(callee["property"] as Node)];
  return (
    (object === "Object" && method === "freeze") ||
    object === "Math" ||
    (TYPED_ARRAY.test(object) && (method === "of" || method === "from"))
  );
}

const nameOf = (node: Node): string => (node.type === "Identifier" ? (node as unknown as Name).name : "");
const isConstAssertion = (type: Node): boolean => type.type === "TSTypeReference" && nameOf(type["typeName"] as Node) === "const";

const PRIMITIVE =
  /^TS(?:String|Number|Boolean|BigInt|Symbol|Undefined|Null)Keyword$|^TS(?:LiteralType|FunctionType|ConstructorType|TemplateLiteralType)$/;
const READONLY_TYPES: ReadonlySet<string> = new Set([
  "ReadonlyMap",
  "ReadonlySet",
  "ReadonlyArray",
  "Readonly",
  "ArrayLike",
  "RegExp",
  "Brand",
]);

function isReadonlyType(type: Node, types: Types, seen: ReadonlySet<string>): boolean {
  if (PRIMITIVE.test(type.type)) return true;
  const all = (parts: readonly Node[]): boolean => parts.every((part) => isReadonlyType(part, types, seen));
  switch (type.type) {
    case "TSTypeOperator":
      return type["operator"] === "readonly";
    case "TSUnionType":
    case "TSIntersectionType":
      return all(type["types"] as readonly Node[]);
    case "TSMappedType":
      return type["readonly"] === true || type["readonly"] === "+";
    case "TSTypeLiteral":
    case "TSInterfaceBody": {
      const members = (type["members"] ?? type["body"]) as readonly Node[];
      return members.every(
        (member) => member["readonly"] === true || member.type === "TSMethodSignature" || member.type === "TSCallSignatureDeclaration",
      );
    }
    case "TSTypeReference": {
      const name = nameOf(type["typeName"] as Node);
      if (READONLY_TYPES.has(name)) return true;
      const declared = types.get(name);
      if (declared === undefined || seen.has(name)) return false;
      return declared.every((one) => isReadonlyType(one, types, new Set([...seen, name])));
    }
    default:
      return false;
  }
}
