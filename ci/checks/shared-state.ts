import { parseAst } from "vitest/node";

/**
 * Finds state that a module of a protocol folder shares between all its connections: variables and objects that can change after loading. A
 * callback of one connection's owner may drive another connection, which would then see half-finished state.
 *
 * Allowed at the level of a module: functions, classes, primitive values, frozen or `as const` literals, and constants whose declared type
 * is readonly (`ReadonlyMap`, `readonly T[]`, `ArrayLike<number>`, a type of readonly members). Octets may be constant, never a buffer.
 */

type Statement = ReturnType<typeof parseAst>["body"][number];
/** The members of a union of nodes that can have this type: one kind of node may have several. */
type Of<All extends { readonly type: string }, Type extends string> = All extends unknown
  ? Type extends All["type"]
    ? All
    : never
  : never;
type Declarator = Of<Statement, "VariableDeclaration">["declarations"][number];
type Value = NonNullable<Declarator["init"]>;
type Class = Of<Statement, "ClassDeclaration">;
type Declared = Of<Statement, "TSTypeAliasDeclaration">["typeAnnotation"] | Of<Statement, "TSInterfaceDeclaration">["body"];
type Member = Of<Declared, "TSTypeLiteral">["members"][number];

/** Aliases and interfaces of the protocol folders, by name: a name may be declared in several folders. */
export type Types = ReadonlyMap<string, readonly Declared[]>;

/** The statements of a module; an exported declaration without its `export`. */
const statementsOf = (source: string): Statement[] =>
  parseAst(source, { lang: "ts" }).body.map((one) => (one.type === "ExportNamedDeclaration" ? (one.declaration ?? one) : one));

/** The types that `sources` declare. */
export function collectTypes(sources: readonly string[]): Types {
  const types = new Map<string, Declared[]>();
  for (const statement of sources.flatMap(statementsOf)) {
    if (statement.type !== "TSTypeAliasDeclaration" && statement.type !== "TSInterfaceDeclaration") continue;
    const type = statement.type === "TSTypeAliasDeclaration" ? statement.typeAnnotation : statement.body;
    types.set(statement.id.name, [...(types.get(statement.id.name) ?? []), type]);
  }
  return types;
}

/** The names in `source` that are shared and can change. */
export function sharedState(source: string, types: Types): string[] {
  const body = statementsOf(source);
  const results = resultsOf(body);
  return body.flatMap((statement) => {
    if (statement.type === "ClassDeclaration") return staticFields(statement);
    if (statement.type !== "VariableDeclaration" || statement.declare === true) return [];
    return statement.declarations
      .filter((declarator) => statement.kind !== "const" || !isConstant(declarator, types, results))
      .map(({ id }) => (id.type === "Identifier" ? id.name : "(pattern)"));
  });
}

/** The declared result types of the functions of a module, by the functions' names. */
function resultsOf(body: readonly Statement[]): ReadonlyMap<string, Declared> {
  const results = new Map<string, Declared>();
  const note = (name: string, made: Value | Statement | null): void => {
    const isFunction =
      made?.type === "FunctionDeclaration" || made?.type === "FunctionExpression" || made?.type === "ArrowFunctionExpression";
    if (isFunction && made.returnType) results.set(name, made.returnType.typeAnnotation);
  };
  for (const statement of body) {
    if (statement.type === "FunctionDeclaration") note(nameOf(statement.id), statement);
    if (statement.type === "VariableDeclaration") for (const { id, init } of statement.declarations) note(nameOf(id), init);
  }
  return results;
}

function staticFields({ id, body }: Class): string[] {
  return body.body.flatMap((member) =>
    member.type === "PropertyDefinition" && member.static && member.readonly !== true ? [`${nameOf(id)}.${nameOf(member.key)}`] : [],
  );
}

function isConstant({ id, init }: Declarator, types: Types, results: ReadonlyMap<string, Declared>): boolean {
  // The parts of a list are taken out: the list itself has no name.
  if (id.type === "ArrayPattern" && init?.type === "ArrayExpression")
    return init.elements.every((one) => one !== null && one.type !== "SpreadElement" && isConstantValue(one));
  if (init !== null && isConstantValue(init)) return true;
  const result = init?.type === "CallExpression" ? results.get(nameOf(init.callee)) : undefined;
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

function isConstantValue(value: Value): boolean {
  if (CONSTANT_EXPRESSIONS.has(value.type)) return true;
  switch (value.type) {
    case "TSAsExpression":
      return isConstAssertion(value.typeAnnotation) || isConstantValue(value.expression);
    case "TSSatisfiesExpression":
    case "TSNonNullExpression":
      return isConstantValue(value.expression);
    case "NewExpression": {
      const made = nameOf(value.callee);
      return CONSTANT_CLASSES.has(made) || (TYPED_ARRAY.test(made) && holdsContent(value.arguments[0]));
    }
    case "CallExpression":
      return isConstantCall(value.callee);
    default:
      return false;
  }
}

/** Octets given when they are made are content; a length alone makes a buffer, unless it is 0. */
const holdsContent = (given: Of<Value, "NewExpression">["arguments"][number] | undefined): boolean =>
  given === undefined || given.type === "ArrayExpression" || (given.type === "Literal" && given.value === 0);

/** `Object.freeze(…)`, `Symbol(…)`, `Number(…)`, and octets from given values. */
function isConstantCall(callee: Value): boolean {
  // An enum of a contract is frozen.
  if (callee.type === "Identifier") return ["Symbol", "Number", "String", "enumeration"].includes(callee.name);
  if (callee.type !== "MemberExpression") return false;
  const [object, method] = [nameOf(callee.object), nameOf(callee.property)];
  return (
    (object === "Object" && method === "freeze") ||
    object === "Math" ||
    (TYPED_ARRAY.test(object) && (method === "of" || method === "from"))
  );
}

/** The name of an identifier, private or not; empty for any other node. */
const nameOf = (node: { readonly type: string } | null): string =>
  /^(?:Private)?Identifier$/.test(node?.type ?? "") && node !== null && "name" in node && typeof node.name === "string" ? node.name : "";
const isConstAssertion = (type: Declared): boolean => type.type === "TSTypeReference" && nameOf(type.typeName) === "const";

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

function isReadonlyType(type: Declared, types: Types, seen: ReadonlySet<string>): boolean {
  if (PRIMITIVE.test(type.type)) return true;
  switch (type.type) {
    case "TSTypeOperator":
      return type.operator === "readonly";
    case "TSUnionType":
    case "TSIntersectionType":
      return type.types.every((part) => isReadonlyType(part, types, seen));
    case "TSMappedType":
      return type.readonly === true || type.readonly === "+";
    case "TSTypeLiteral":
      return type.members.every(isReadonlyMember);
    case "TSInterfaceBody":
      return type.body.every(isReadonlyMember);
    case "TSTypeReference": {
      const name = nameOf(type.typeName);
      if (READONLY_TYPES.has(name)) return true;
      const declared = types.get(name);
      if (declared === undefined || seen.has(name)) return false;
      return declared.every((one) => isReadonlyType(one, types, new Set([...seen, name])));
    }
    default:
      return false;
  }
}

const isReadonlyMember = (member: Member): boolean =>
  member.type === "TSMethodSignature" || member.type === "TSCallSignatureDeclaration" || ("readonly" in member && member.readonly);
