import type { Work } from "../../promql/index.ts";
import type { Body, Command, Node, Operand, Pipe, Template } from "./ast.ts";
import { printed } from "./format.ts";
import { callFunction, type Surroundings } from "./functions.ts";
import { methodOf } from "./methods.ts";
import { Dictionary, Int, isList, isTrue, keysOf, Struct, TemplateFault, typeName, type Value } from "./values.ts";

/** What a template sees: its data as `.`, its variables, and the storage through `query`. */
export type TemplateContext = Surroundings & {
  readonly dot: Value;
  /** With their `$`. */
  readonly variables: Readonly<Record<string, Value>>;
  /** The elements of an instant query. */
  readonly query: (text: string) => Work<readonly Value[]>;
  /** Makes text of a value; without it, as Go prints it. */
  readonly printed?: (value: Value) => string;
};

/** The most text that a template may make, in UTF-16 units; the most steps; the deepest calls of templates. */
const MOST_TEXT = 1 << 20;
const MOST_STEPS = 100_000;
const MOST_CALLS = 100;
/** Steps between two turns of other work. */
const STRIDE = 1_000;

/** Expands a template. Throws `TemplateFault`; a failure of a query is thrown as it is. */
export function* expand(template: Template, context: TemplateContext): Work<string> {
  const run = new Run(template, context);
  yield* run.body(template.body, context.dot, [
    { name: "$", value: context.dot },
    ...Object.entries(context.variables).map(([name, value]) => ({ name, value })),
  ]);
  return run.text;
}

type Variable = { readonly name: string; value: Value };
type Flow = "break" | "continue" | undefined;

class Run {
  readonly #template: Template;
  readonly #context: TemplateContext;
  #steps = 0;
  #calls = 0;
  text = "";

  constructor(template: Template, context: TemplateContext) {
    this.#template = template;
    this.#context = context;
  }

  *body(nodes: Body, dot: Value, scope: readonly Variable[]): Work<Flow> {
    const variables = [...scope];
    for (const node of nodes) {
      if (this.#isDue()) yield;
      const flow = yield* this.#node(node, dot, variables);
      if (flow !== undefined) return flow;
    }
    return undefined;
  }

  /** Counts a step; whether it is time for other work. */
  #isDue(): boolean {
    if (++this.#steps > MOST_STEPS) throw new TemplateFault(`the template takes more than ${MOST_STEPS} steps`);
    return this.#steps % STRIDE === 0;
  }

  #write(text: string): void {
    if (this.text.length + text.length > MOST_TEXT) throw new TemplateFault(`the text is longer than ${MOST_TEXT} characters`);
    this.text += text;
  }

  *#node(node: Node, dot: Value, variables: Variable[]): Work<Flow> {
    switch (node.is) {
      case "text":
        this.#write(node.text);
        return undefined;
      case "action": {
        const value = yield* this.#pipe(node.pipe, dot, variables);
        if (node.pipe.variables.length === 0) this.#write((this.#context.printed ?? printed)(value));
        return undefined;
      }
      case "break":
      case "continue":
        return node.is;
      case "template": {
        const body = this.#template.defined.get(node.name);
        if (body === undefined) throw new TemplateFault(`template ${JSON.stringify(node.name)} not defined`, node.line);
        if (++this.#calls > MOST_CALLS) throw new TemplateFault(`templates call each other more than ${MOST_CALLS} deep`, node.line);
        const data = node.pipe === undefined ? undefined : yield* this.#pipe(node.pipe, dot, variables);
        yield* this.body(body, data, [{ name: "$", value: data }]);
        this.#calls -= 1;
        return undefined;
      }
      case "range":
        return yield* this.#range(node, dot, variables);
      default: {
        const inner = [...variables];
        const value = yield* this.#pipe(node.pipe, dot, inner);
        if (isTrue(value)) return yield* this.body(node.body, node.is === "with" ? value : dot, inner);
        return yield* this.body(node.otherwise, dot, inner);
      }
    }
  }

  *#range(
    { pipe, body, otherwise }: Extract<Node, { readonly is: "if" | "with" | "range" }>,
    dot: Value,
    variables: Variable[],
  ): Work<Flow> {
    const over = yield* this.#pipe({ ...pipe, variables: [] }, dot, variables);
    const pairs = pairsOf(over, pipe.line);
    if (pairs.length === 0) return yield* this.body(otherwise, dot, variables);
    for (const [key, value] of pairs) {
      if (this.#isDue()) yield;
      const inner = [...variables];
      const [first, second] = pipe.variables;
      const keep = (name: string, one: Value): void => {
        if (pipe.isNew) inner.push({ name, value: one });
        else assign(variables, name, one);
      };
      if (first !== undefined && second === undefined) keep(first, value);
      if (first !== undefined && second !== undefined) {
        keep(first, key);
        keep(second, value);
      }
      const flow = yield* this.body(body, value, inner);
      if (flow === "break") break;
    }
    return undefined;
  }

  *#pipe(pipe: Pipe, dot: Value, variables: Variable[]): Work<Value> {
    let value: Value;
    for (const [at, command] of pipe.commands.entries()) {
      try {
        value = yield* this.#command(command, dot, variables, at === 0 ? [] : [value]);
      } catch (error) {
        if (error instanceof TemplateFault && error.line < pipe.line) throw new TemplateFault(error.message, pipe.line);
        throw error;
      }
    }
    for (const name of pipe.variables) {
      if (pipe.isNew) variables.push({ name, value });
      else assign(variables, name, value);
    }
    return value;
  }

  // oxlint-disable-next-line max-params -- a command, and what it sees
  *#command({ first, args }: Command, dot: Value, variables: Variable[], piped: readonly Value[]): Work<Value> {
    if (first.is !== "function") {
      if (
        (first.is === "dot" || first.is === "variable" || first.is === "pipe") &&
        first.path.length > 0 &&
        args.length + piped.length > 0
      ) {
        const values: Value[] = [];
        for (const arg of args) values.push(yield* this.#operand(arg, dot, variables));
        const object = yield* this.#operand({ ...first, path: first.path.slice(0, -1) }, dot, variables);
        return fieldOf(object, first.path.slice(-1), first.line, [...values, ...piped]);
      }
      if (args.length + piped.length > 0) throw new TemplateFault("can't give argument to non-function", first.line);
      if (first.is === "literal" && first.value === undefined) throw new TemplateFault("nil is not a command", first.line);
      return yield* this.#operand(first, dot, variables);
    }
    const { name } = first;
    if (name === "and" || name === "or") return yield* this.#condition(name, args, dot, variables, piped);
    const values: Value[] = [];
    for (const arg of args) values.push(yield* this.#operand(arg, dot, variables));
    values.push(...piped);
    if (name === "query") {
      const [text] = values;
      if (values.length !== 1 || typeof text !== "string") throw new TemplateFault("query needs one text, an expression", first.line);
      return yield* this.#context.query(text);
    }
    return callFunction(name, values, this.#context);
  }

  /** `and` is its first empty argument or the last, `or` the first that is not empty or the last; the others are not evaluated. */
  // oxlint-disable-next-line max-params -- a command, and what it sees
  *#condition(name: "and" | "or", args: readonly Operand[], dot: Value, variables: Variable[], piped: readonly Value[]): Work<Value> {
    if (args.length + piped.length === 0) throw new TemplateFault(`wrong number of args for ${name}: want at least 1 got 0`);
    let value: Value;
    for (const arg of args) {
      value = yield* this.#operand(arg, dot, variables);
      if (isTrue(value) === (name === "or")) return value;
    }
    return piped.length > 0 ? piped[0] : value;
  }

  *#operand(operand: Operand, dot: Value, variables: Variable[]): Work<Value> {
    switch (operand.is) {
      case "literal":
        return operand.value;
      case "dot":
        return fieldOf(dot, operand.path, operand.line);
      case "variable":
        return fieldOf(variables.findLast(({ name }) => name === operand.name)?.value, operand.path, operand.line);
      case "pipe":
        return fieldOf(yield* this.#pipe(operand.pipe, dot, [...variables]), operand.path, operand.line);
      case "function":
        return yield* this.#command({ first: operand, args: [] }, dot, variables, []);
    }
  }
}

function assign(variables: Variable[], name: string, value: Value): void {
  const known = variables.findLast((one) => one.name === name);
  if (known !== undefined) known.value = value;
}

/** `args` are for the last name, which is a method then. */
// oxlint-disable-next-line max-params -- a value, and what is asked of it
function fieldOf(value: Value, path: readonly string[], line: number, args: readonly Value[] = []): Value {
  let found = value;
  for (const [at, name] of path.entries()) {
    const method = methodOf(found, name);
    const own = at === path.length - 1 ? args : [];
    if (method !== undefined) found = method(own);
    else if (own.length > 0) throw new TemplateFault(`${name} is not a method but has arguments`, line);
    else if (found instanceof Dictionary) found = found.get(name);
    else if (found instanceof Struct && found.fields.has(name)) found = found.fields.get(name);
    else throw new TemplateFault(`can't evaluate field ${name} in type ${typeName(found)}`, line);
  }
  return found;
}

function pairsOf(value: Value, line: number): (readonly [Value, Value])[] {
  if (value === undefined) return [];
  if (isList(value)) return value.map((one, at) => [new Int(at), one]);
  if (value instanceof Dictionary) return keysOf(value).map((key) => [key, value.get(key)]);
  if (value instanceof Int && value.value <= MOST_STEPS)
    return Array.from({ length: Math.max(0, value.value) }, (_, at) => [new Int(at), new Int(at)]);
  throw new TemplateFault(`range can't iterate over ${typeName(value)}`, line);
}
