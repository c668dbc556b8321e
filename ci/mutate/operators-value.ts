import { type Edit, type Operator, type Place, textOf, whole } from "./edit.ts";
import { calleeOf, child, children, type Node, nameOf } from "./syntax.ts";

type Swaps = Readonly<Record<string, string>>;

const ARITHMETIC: Swaps = {
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "%": "*",
  "<<": ">>",
  ">>": "<<",
  ">>>": "<<",
  "&": "|",
  "|": "&",
  "^": "|",
};
const BOUNDARY: Swaps = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" };
const NEGATION: Swaps = { "<": ">=", "<=": ">", ">": "<=", ">=": "<", "===": "!==", "!==": "===" };
const LOGICAL: Swaps = { "&&": "||", "||": "&&" };
/** The reverse is lawful: an endpoint may treat any stream error as a connection error (rfc9113#5.4.1). */
const SCOPE: Swaps = { connection: "stream" };
const UPDATE: Swaps = {
  "+=": "-=",
  "-=": "+=",
  "*=": "/=",
  "/=": "*=",
  "<<=": ">>=",
  ">>>=": "<<=",
  "&=": "|=",
  "|=": "&=",
  "++": "--",
  "--": "++",
};
/** In longer tables, one in this many elements is mutated. */
const LONG_TABLE = 16;

/** Writes another operator between the two sides. */
function swapped(node: Node, place: Place, swaps: Swaps): Edit | undefined {
  const [left, right] = [child(node, "left"), child(node, "right")];
  const operator = String(node["operator"]);
  const other = swaps[operator];
  if (left === undefined || right === undefined || other === undefined) return undefined;
  const at = place.source.indexOf(operator, left.end);
  return at < 0 || at >= right.start ? undefined : { start: at, end: at + operator.length, text: other };
}

const isText = (node: Node | undefined): boolean =>
  node !== undefined &&
  (node.type === "TemplateLiteral" ||
    (node.type === "Literal" && typeof node["value"] === "string") ||
    (node.type === "BinaryExpression" && (isText(child(node, "left")) || isText(child(node, "right")))));

const binary = (name: string, swaps: Swaps): Operator => ({
  name,
  edit: (node, place) =>
    node.type === "BinaryExpression" && !isText(child(node, "left")) && !isText(child(node, "right"))
      ? swapped(node, place, swaps)
      : undefined,
});

const operand = (name: string, side: "left" | "right"): Operator => ({
  name,
  edit: (node, place) => {
    const kept = child(node, side);
    const isLogical = node.type === "LogicalExpression" && node["operator"] !== "??";
    return isLogical && kept !== undefined ? whole(node, `(${textOf(kept, place)})`) : undefined;
  },
});

/** The default of `values[i] ?? 0`, which is there for the compiler: the index exists, so another default would change nothing. */
const isForCompiler = (node: Node, { around: [parent] }: Place): boolean => {
  if (parent?.type !== "LogicalExpression" || parent["operator"] !== "??" || child(parent, "right") !== node) return false;
  const read = child(parent, "left");
  return node["value"] === 0 && read?.type === "MemberExpression" && read["computed"] === true;
};

const fallback = (name: string, side: "left" | "right"): Operator => ({
  name,
  edit: (node, place) => {
    const [kept, dropped] = [child(node, side), child(node, "right")];
    if (node.type !== "LogicalExpression" || node["operator"] !== "??" || kept === undefined || dropped === undefined) return undefined;
    const edit = whole(node, `(${textOf(kept, place)})`);
    return side === "left" && isForCompiler(dropped, { ...place, around: [node, ...place.around] }) ? { ...edit, idle: true } : edit;
  },
});

function isInLongTable(node: Node, { around: [array] }: Place): boolean {
  if (array?.type !== "ArrayExpression") return false;
  const elements = children(array, "elements");
  return elements.length > LONG_TABLE && elements.indexOf(node) % LONG_TABLE !== 0;
}

const constant = (name: string, by: 1 | -1): Operator => ({
  name,
  edit: (node, place) => {
    const value = node["value"];
    if (node.type !== "Literal" || (typeof value !== "number" && typeof value !== "bigint")) return undefined;
    // A length or an octet is never -1: both mutants would be equivalent.
    if ((by === -1 && Number(value) === 0) || isInLongTable(node, place)) return undefined;
    const one = typeof value === "bigint" ? "1n" : "1";
    const edit = whole(node, `(${textOf(node, place)} ${by === 1 ? "+" : "-"} ${one})`);
    return isForCompiler(node, place) ? { ...edit, idle: true } : edit;
  },
});

const isOfMath = (node: Node): boolean => {
  const callee = child(node, "callee");
  const isMath = node.type === "CallExpression" && callee?.type === "MemberExpression" && nameOf(child(callee, "object")) === "Math";
  return isMath && ["min", "max"].includes(calleeOf(node)) && children(node, "arguments").length === 2;
};

const bound = (name: string, kept: 0 | 1): Operator => ({
  name,
  edit: (node, place) => {
    const argument = children(node, "arguments")[kept];
    return isOfMath(node) && argument !== undefined ? whole(node, `(${textOf(argument, place)})`) : undefined;
  },
});

/** Mistakes in values. */
export const VALUE_OPERATORS: readonly Operator[] = [
  binary("arithmetic", ARITHMETIC),
  binary("boundary", BOUNDARY),
  binary("negation", NEGATION),
  {
    name: "not-dropped",
    edit: (node, place) => {
      const argument = child(node, "argument");
      return node.type === "UnaryExpression" && node["operator"] === "!" && argument !== undefined
        ? whole(node, `(${textOf(argument, place)})`)
        : undefined;
    },
  },
  { name: "logical", edit: (node, place) => (node.type === "LogicalExpression" ? swapped(node, place, LOGICAL) : undefined) },
  operand("right-operand-dropped", "left"),
  operand("left-operand-dropped", "right"),
  fallback("default-dropped", "left"),
  fallback("default-forced", "right"),
  {
    name: "update-direction",
    edit: (node, place) => {
      if (node.type === "AssignmentExpression") return isText(child(node, "right")) ? undefined : swapped(node, place, UPDATE);
      // A loop that counts backwards never ends, which every case would detect.
      if (node.type !== "UpdateExpression" || place.around[0]?.type === "ForStatement") return undefined;
      const operator = String(node["operator"]);
      const at = place.source.indexOf(operator, node.start);
      return { start: at, end: at + operator.length, text: UPDATE[operator] ?? operator };
    },
  },
  constant("constant-plus-1", 1),
  constant("constant-minus-1", -1),
  {
    name: "boolean",
    edit: (node) => (node.type === "Literal" && typeof node["value"] === "boolean" ? whole(node, String(!node["value"])) : undefined),
  },
  { name: "min-max-swapped", edit: (node) => (isOfMath(node) ? swapName(node) : undefined) },
  bound("second-bound-dropped", 0),
  bound("first-bound-dropped", 1),
  {
    name: "code-swapped",
    edit: (node, { tables }) => {
      const value = node["value"];
      const other = node.type === "Literal" && typeof value === "string" ? tables.another(value) : undefined;
      return other === undefined ? undefined : whole(node, JSON.stringify(other));
    },
  },
  {
    name: "scope-swapped",
    edit: (node, { around }) => {
      const isInFaults = around.some((one) => one.type === "VariableDeclarator" && nameOf(child(one, "id")) === "FAULTS");
      const callee = child(node, "callee");
      const other = SCOPE[nameOf(callee)];
      return node.type === "CallExpression" && isInFaults && callee !== undefined && other !== undefined ? whole(callee, other) : undefined;
    },
  },
  {
    name: "list-emptied",
    edit: (node, { isInFunction }) =>
      node.type === "ArrayExpression" && isInFunction && children(node, "elements").length > 0 ? whole(node, "[]") : undefined,
  },
];

function swapName(call: Node): Edit | undefined {
  const callee = child(call, "callee");
  const property = callee === undefined ? undefined : child(callee, "property");
  return property === undefined ? undefined : whole(property, nameOf(property) === "min" ? "max" : "min");
}
