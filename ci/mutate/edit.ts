import type { ErrorTables } from "./error-tables.ts";
import type { Node } from "./syntax.ts";

/** A replacement in the source: one mistake. An `idle` one would change nothing: it only counts among equal ones, so that keys stay. */
export type Edit = { readonly start: number; readonly end: number; readonly text: string; readonly idle?: true };

/** The position of a node in its source. */
export type Place = {
  readonly source: string;
  /** Its ancestors, the nearest first. */
  readonly around: readonly Node[];
  /** Inside a function, not in a table of the module. */
  readonly isInFunction: boolean;
  readonly tables: ErrorTables;
};

/** A kind of mistake: the nodes where it is possible, and their replacements. */
export type Operator = { readonly name: string; readonly edit: (node: Node, place: Place) => Edit | undefined };

export const whole = (node: Node, text: string): Edit => ({ start: node.start, end: node.end, text });
export const textOf = (node: Node, { source }: Place): string => source.slice(node.start, node.end);
