import { type Edit, type Operator, type Place, textOf, whole } from "./edit.ts";
import { calleeOf, child, children, isFunction, type Node, nameOf } from "./syntax.ts";

const LOOPS: ReadonlySet<string> = new Set(["WhileStatement", "DoWhileStatement", "ForStatement"]);
const JUMPS: ReadonlySet<string> = new Set(["BreakStatement", "ContinueStatement"]);
/** Members that contain text for people. */
const FOR_PEOPLE: ReadonlySet<string> = new Set(["spec", "by", "why", "reason", "message", "about", "title", "advice", "hint"]);
/** The names of functions that report a fault or create one. */
const REFUSAL = /fault|fail|refus|reject|wrong|broken|violat/i;

/** The only statement of a branch. */
const soleOf = (branch: Node | undefined): Node | undefined => {
  if (branch?.type !== "BlockStatement") return branch;
  const body = children(branch, "body");
  return body.length === 1 ? body[0] : undefined;
};

/** The branch of an `if` without `else` that only leaves the function or loop. */
function exitOf(node: Node | undefined): Node | undefined {
  if (node?.type !== "IfStatement" || child(node, "alternate") !== undefined) return undefined;
  const sole = soleOf(child(node, "consequent"));
  return sole !== undefined && (sole.type === "ReturnStatement" || JUMPS.has(sole.type)) ? sole : undefined;
}

/** The `if` whose only statement this is. */
const ownIf = (place: Place): Node | undefined => (place.around[0]?.type === "BlockStatement" ? place.around[1] : place.around[0]);
const isSoleExit = (node: Node, place: Place): boolean => exitOf(ownIf(place)) === node;

/** The test of a branch. The test of a loop is never forced: every case would detect an endless loop. */
const isTest = (node: Node, { around: [parent] }: Place): boolean =>
  parent !== undefined && (parent.type === "IfStatement" || parent.type === "ConditionalExpression") && child(parent, "test") === node;
const isLiteral = (node: Node): boolean => node.type === "Literal";

/** A guard against the caller: a function that only throws `Misuse`. Whether a section fits depends on a limit of the peer, too. */
const GUARD = /^must(?!Fit)[A-Z]/;

const statementRemoved = (node: Node): Edit | undefined => {
  const expression = child(node, "expression");
  if (node.type !== "ExpressionStatement" || expression === undefined || typeof node["directive"] === "string") return undefined;
  const isSuper = expression.type === "CallExpression" && child(expression, "callee")?.type === "Super";
  const isGuard = expression.type === "CallExpression" && GUARD.test(calleeOf(expression));
  return isSuper || isGuard || isLiteral(expression) ? undefined : whole(node, ";");
};

/** Leaves out one of several members of an object, with its comma. */
function memberForgotten(node: Node, { around: [object], isInFunction }: Place): Edit | undefined {
  if (object?.type !== "ObjectExpression" || !isInFunction || FOR_PEOPLE.has(nameOf(child(node, "key")))) return undefined;
  const members = children(object, "properties");
  const at = members.indexOf(node);
  const [before, after] = [members[at - 1], members[at + 1]];
  if (at < 0 || members.length < 2) return undefined;
  return after === undefined
    ? { start: before?.end ?? node.start, end: node.end, text: "" }
    : { start: node.start, end: after.start, text: "" };
}

function refusalDropped(node: Node): Edit | undefined {
  const argument = child(node, "argument");
  if (node.type !== "ReturnStatement" || argument === undefined) return undefined;
  const said =
    argument.type === "CallExpression" ? calleeOf(argument) : argument.type === "NewExpression" ? calleeOf(argument) : nameOf(argument);
  return REFUSAL.test(said) ? whole(argument, "undefined") : undefined;
}

/** A `return` that is followed by more of its block, and not the only statement of an `if`. */
function returnRemoved(node: Node, place: Place): Edit | undefined {
  if (node.type !== "ReturnStatement" || isSoleExit(node, place)) return undefined;
  const [block, owner] = place.around;
  if (block?.type !== "BlockStatement" || isFunction(owner) || owner?.type !== "IfStatement") return undefined;
  const argument = child(node, "argument");
  // Its expression still runs; only the exit is removed.
  return whole(node, argument === undefined ? ";" : `(${textOf(argument, place)});`);
}

/** Mistakes in control flow. */
export const FLOW_OPERATORS: readonly Operator[] = [
  { name: "condition-true", edit: (node, place) => (isTest(node, place) && !isLiteral(node) ? whole(node, "true") : undefined) },
  {
    name: "condition-false",
    edit: (node, place) =>
      isTest(node, place) && !isLiteral(node) && exitOf(place.around[0]) === undefined ? whole(node, "false") : undefined,
  },
  {
    name: "loop-skipped",
    edit: (node, { around: [parent] }) =>
      parent !== undefined && LOOPS.has(parent.type) && child(parent, "test") === node && !isLiteral(node)
        ? whole(node, "false")
        : undefined,
  },
  { name: "statement-removed", edit: statementRemoved },
  { name: "early-return-removed", edit: (node) => (exitOf(node)?.type === "ReturnStatement" ? whole(node, ";") : undefined) },
  { name: "return-removed", edit: returnRemoved },
  { name: "refusal-dropped", edit: refusalDropped },
  {
    name: "jump-removed",
    edit: (node, place) => {
      const exit = exitOf(node);
      if (exit !== undefined && JUMPS.has(exit.type)) return whole(node, ";");
      return JUMPS.has(node.type) && !isSoleExit(node, place) && !isEndOfLoop(place) ? whole(node, ";") : undefined;
    },
  },
  { name: "member-forgotten", edit: memberForgotten },
];

/** A jump out of a loop whose test is always true: without it the loop would not end. */
const isEndOfLoop = ({ around }: Place): boolean => around.some((one) => LOOPS.has(one.type) && nameOf(child(one, "test")) === "true");
