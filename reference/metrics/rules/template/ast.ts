import type { FunctionName } from "./names.ts";
import type { Value } from "./values.ts";

/** Templates as Go's `text/template` has them (Prometheus docs, configuration/template_reference.md). Lines are from 1. */

/** A value in a pipeline, with the fields that are asked of it: `$labels.instance`. */
export type Operand =
  | { readonly is: "literal"; readonly value: Value; readonly line: number }
  | { readonly is: "dot"; readonly path: readonly string[]; readonly line: number }
  | { readonly is: "variable"; readonly name: string; readonly path: readonly string[]; readonly line: number }
  | { readonly is: "function"; readonly name: FunctionName; readonly line: number }
  | { readonly is: "pipe"; readonly pipe: Pipe; readonly path: readonly string[]; readonly line: number };

/** A function with its arguments, or one value. */
export type Command = { readonly first: Operand; readonly args: readonly Operand[] };

/** Commands, each of which gets the value of the one before as its last argument; the value may be kept in variables. */
export type Pipe = {
  readonly variables: readonly string[];
  /** Whether the variables are new, or others that get another value. */
  readonly isNew: boolean;
  readonly commands: readonly Command[];
  readonly line: number;
};

export type Body = readonly Node[];

export type Node =
  | { readonly is: "text"; readonly text: string }
  | { readonly is: "action"; readonly pipe: Pipe }
  | { readonly is: "if" | "with" | "range"; readonly pipe: Pipe; readonly body: Body; readonly otherwise: Body }
  | { readonly is: "template"; readonly name: string; readonly pipe: Pipe | undefined; readonly line: number }
  | { readonly is: "break" | "continue" };

/** A template with the templates that it defines. */
export type Template = { readonly body: Body; readonly defined: ReadonlyMap<string, Body> };
