import type { Columns, Labels } from "../../model/index.ts";
import type { Series } from "../../storage/index.ts";
import type { Head } from "./head.ts";
import type { View } from "./isolation.ts";
import { type Weaver, withoutDeleted } from "../block/index.ts";

/** A reader's view of a series in memory. Labels are built on first use: an aggregation over everything needs few of them. */
export class HeadSeries implements Series {
  readonly #head: Head;
  readonly #view: View;
  readonly #weaver: Weaver;
  readonly row: number;
  #labels: Labels | undefined;

  constructor(head: Head, view: View, weaver: Weaver, row: number) {
    this.#head = head;
    this.#view = view;
    this.#weaver = weaver;
    this.row = row;
  }

  get labels(): Labels {
    return (this.#labels ??= this.#head.table.labels(this.row));
  }

  read(into: Columns, start: number, end: number): void {
    const head = this.#head;
    const { row } = this;
    const from = into.length;
    const last = Math.min(end, this.#view.horizon(row));
    head.read(row, into, start, last);
    if (head.late.has(row)) {
      const middle = into.length;
      head.late.read(row, into, { start, end, below: this.#view.late });
      this.#weaver.weave(into, from, middle);
    }
    const deleted = head.deletions.of(head.table.refOf(row));
    if (deleted !== undefined) withoutDeleted(into, from, deleted);
  }
}
