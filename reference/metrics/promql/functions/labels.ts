import { RE2JS } from "re2js";
import type { Labels } from "../../model/index.ts";
import type { Call } from "../ast.ts";
import { ExecutionFailure } from "../failure.ts";
import type { Frame, Work } from "../query.ts";
import { united } from "../rows.ts";
import type { Matrix } from "../value.ts";
import { textArgument, vectorArgument } from "./given.ts";

/** querying/functions.md, "label_replace()" */
export function* labelReplace(call: Call, frame: Frame): Work<Matrix> {
  const [target, replacement, source, pattern] = [1, 2, 3, 4].map((at) => textArgument(call, at)) as [string, string, string, string];
  const machine = compiled(pattern);
  if (!isName(target)) throw new ExecutionFailure(`invalid destination label name in label_replace(): ${target}`);
  const matrix = yield* vectorArgument(call, 0, frame);
  const known = new Map<string, string | undefined>();
  return relabeled(matrix, frame, (labels) => {
    const value = labels.get(source);
    if (!known.has(value)) known.set(value, expanded(machine, value, replacement));
    const made = known.get(value);
    return made === undefined ? labels : labels.with(target, made);
  });
}

/** querying/functions.md, "label_join()" */
export function* labelJoin(call: Call, frame: Frame): Work<Matrix> {
  const [target = "", separator = "", ...sources] = call.args.slice(1).map((_, at) => textArgument(call, at + 1));
  const wrong = sources.find((name) => !isName(name));
  if (wrong !== undefined) throw new ExecutionFailure(`invalid source label name in label_join(): ${wrong}`);
  if (!isName(target)) throw new ExecutionFailure(`invalid destination label name in label_join(): ${target}`);
  const matrix = yield* vectorArgument(call, 0, frame);
  return relabeled(matrix, frame, (labels) => labels.with(target, sources.map((name) => labels.get(name)).join(separator)));
}

/** A name may be any text of UTF-8 but the empty one (prometheus.md). */
const isName = (name: string): boolean => name !== "" && name.isWellFormed();

function relabeled(matrix: Matrix, frame: Frame, relabel: (labels: Labels) => Labels): Matrix {
  for (let row = 0; row < matrix.rows; row++) matrix.sources[row] = relabel(matrix.labelsOf(row));
  matrix.isNameless = false;
  return united(matrix, frame.query.budget);
}

function compiled(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern, RE2JS.DOTALL);
  } catch {
    throw new ExecutionFailure(`invalid regular expression in label_replace(): ${pattern}`);
  }
}

/** A reference to a group: `$1`, `$name`, `${name}`; `$$` is a sign. */
const REFERENCE = /\$(?:\$|(\w+)|\{(\w+)\})/g;

/** What the replacement becomes where the whole value matches; a group that is not there is empty. */
function expanded(machine: RE2JS, value: string, replacement: string): string | undefined {
  const match = machine.matcher(value);
  if (!match.matches()) return undefined;
  const names = machine.namedGroups();
  return replacement.replaceAll(REFERENCE, (whole, plain?: string, braced?: string) => {
    if (whole === "$$") return "$";
    const name = plain ?? braced ?? "";
    const group = /^\d+$/.test(name) ? Number(name) : names[name];
    return group === undefined || group > match.groupCount() ? "" : (match.group(group) ?? "");
  });
}
