import type { Expr } from "../syntax/ast.ts";
import type { Value } from "./value.ts";
import type { Work } from "./strides.ts";

/** What the evaluation of one node took. */
export type NodeCost = {
  /** The series of its value over all steps; 1 for a scalar. */
  series: number;
  /** The samples of its value; for a range vector those that were read. */
  samples: number;
  /** Milliseconds of work, with that of the nodes below it. */
  ms: number;
};

/** The cost of each node of an expression. Nodes that another node evaluates as part of its own work have none. */
export class Profile {
  readonly #clock: () => number;
  readonly #costs = new Map<Expr, NodeCost>();

  /** `clock` is in milliseconds. */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** The cost of a node; undefined if it was not evaluated on its own. */
  costOf(expr: Expr): Readonly<NodeCost> | undefined {
    return this.#costs.get(expr);
  }

  /** Does the work of a node. Time in which the work rests does not count. */
  *measure(expr: Expr, work: Work<Value>): Work<Value> {
    const cost = this.#at(expr);
    try {
      for (;;) {
        const began = this.#clock();
        const { done, value } = work.next();
        cost.ms += this.#clock() - began;
        if (done === true) {
          cost.series += value.is === "vector" ? value.rows : 1;
          cost.samples += value.is === "vector" ? value.count() : value.is === "scalar" ? value.values.length : 1;
          return value;
        }
        yield;
      }
    } finally {
      work[Symbol.dispose]();
    }
  }

  /** Counts a series of a range vector. Its function does its own work meanwhile, so such a node has no time of its own. */
  addSeries(expr: Expr, samples: number): void {
    const cost = this.#at(expr);
    cost.series += 1;
    cost.samples += samples;
  }

  #at(expr: Expr): NodeCost {
    const known = this.#costs.get(expr);
    if (known !== undefined) return known;
    const cost = { series: 0, samples: 0, ms: 0 };
    this.#costs.set(expr, cost);
    return cost;
  }
}
