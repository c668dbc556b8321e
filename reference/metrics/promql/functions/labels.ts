import { RE2JS } from "re2js";
import type { Labels } from "../../model/index.ts";
import type { Call } from "../syntax/ast.ts";
import { ExecutionFailure } from "../evaluate/failure.ts";
import type { Frame, Work } from "../evaluate/query.ts";
import { LABELS_WORK, textWork, united } from "../evaluate/rows.ts";
import type { Matrix } from "../evaluate/value.ts";
import { textArgument, vectorArgument } from "./given.ts";

/** Prometheus docs, querying/functions.md, "label_replace()" */
export function* labelReplace(call: Call, frame: Frame): Work<Matrix> {
  const [target, replacement, source, pattern] = [
    textArgument(call, 1),
    textArgument(call, 2),
    textArgument(call, 3),
    textArgument(call, 4),
  ];
  const machine = compiled(pattern);
  if (!isName(target)) throw new ExecutionFailure(`invalid destination label name in label_replace(): ${target}`);
  const matrix = yield* vectorArgument(call, 0, frame);
  const known = new Map<string, string | undefined>();
  return yield* relabeled(matrix, frame, target, (labels) => {
    const value = labels.get(source);
    if (!known.has(value)) {
      frame.query.charge(value.length * MATCH_WORK);
      known.set(value, expanded(machine, value, replacement));
    }
    return known.get(value);
  });
}

/** Prometheus docs, querying/functions.md, "label_join()" */
export function* labelJoin(call: Call, frame: Frame): Work<Matrix> {
  const [target = "", separator = "", ...sources] = call.args.slice(1).map((_, at) => textArgument(call, at + 1));
  const wrong = sources.find((name) => !isName(name));
  if (wrong !== undefined) throw new ExecutionFailure(`invalid source label name in label_join(): ${wrong}`);
  if (!isName(target)) throw new ExecutionFailure(`invalid destination label name in label_join(): ${target}`);
  const matrix = yield* vectorArgument(call, 0, frame);
  return yield* relabeled(matrix, frame, target, (labels) => {
    const values = sources.map((name) => labels.get(name));
    refuseLong(values.reduce((sum, { length }) => sum + length + separator.length, 0));
    return values.join(separator);
  });
}

/** A label name may be any non-empty UTF-8 text (Prometheus docs, command-line/prometheus.md). */
const isName = (name: string): boolean => name !== "" && name.isWellFormed();

/** The limit on a new label: labels made of labels can double at every call. */
const MOST_CHARACTERS = 1 << 16;

/** The cost of matching a character, in samples (`Strides`). */
const MATCH_WORK = 4;

function refuseLong(characters: number): void {
  if (characters > MOST_CHARACTERS) throw new ExecutionFailure(`a label would be longer than ${MOST_CHARACTERS} characters`);
}

/** Sets the label `target` of each row to what `make` gives; undefined leaves the labels as they are. Every row has its own copy of the text. */
function* relabeled(matrix: Matrix, { query }: Frame, target: string, make: (labels: Labels) => string | undefined): Work<Matrix> {
  for (let row = 0; row < matrix.rows; row++) {
    const labels = matrix.labelsOf(row);
    const value = make(labels);
    query.budget.text(value?.length ?? 0);
    matrix.sources[row] = value === undefined ? labels : labels.with(target, value);
    if (query.isDue(LABELS_WORK + textWork(value?.length ?? 0))) yield;
  }
  matrix.isNameless = false;
  return yield* united(matrix, query);
}

function compiled(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern, RE2JS.DOTALL);
  } catch {
    throw new ExecutionFailure(`invalid regular expression in label_replace(): ${pattern}`);
  }
}

/** A reference to a group: `$1`, `$name`, `${name}`; `$$` is a dollar sign. */
const REFERENCE = /\$(?:\$|(\w+)|\{(\w+)\})/g;

/** The expanded replacement, or undefined if the pattern does not match the whole value; a missing group is empty. */
function expanded(machine: RE2JS, value: string, replacement: string): string | undefined {
  const match = machine.matcher(value);
  if (!match.matches()) return undefined;
  const names = machine.namedGroups();
  const references = replacement.match(REFERENCE)?.length ?? 0;
  refuseLong(replacement.length + references * value.length);
  return replacement.replaceAll(REFERENCE, (whole, plain?: string, braced?: string) => {
    if (whole === "$$") return "$";
    const name = plain ?? braced ?? "";
    const group = /^\d+$/.test(name) ? Number(name) : names[name];
    return group === undefined || group > match.groupCount() ? "" : (match.group(group) ?? "");
  });
}
