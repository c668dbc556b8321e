import type { Asked } from "./asked.ts";
import { BEGIN } from "../../data/data-set.ts";
import { AT } from "./question.ts";
import type { Step } from "../../vocabulary.ts";

const seconds = (from: number): string => String(BEGIN + from);

/** The request for a query. */
export function stepOf({ expr, at = AT, range }: Pick<Asked, "expr" | "at" | "range">): Step {
  if (range === undefined)
    return {
      do: "ask",
      path: "query",
      params: [
        ["query", expr],
        ["time", seconds(at)],
      ],
    };
  const [from, to, step] = range;
  return {
    do: "ask",
    path: "query_range",
    params: [
      ["query", expr],
      ["start", seconds(from)],
      ["end", seconds(to)],
      ["step", String(step)],
    ],
  };
}
