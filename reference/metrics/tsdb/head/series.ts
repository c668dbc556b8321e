import type { Columns, Labels } from "../../model/index.ts";
import type { Series } from "../../storage/index.ts";
import type { Head } from "./head.ts";
import type { View } from "./isolation.ts";
import { weave, withoutDeleted } from "../block/index.ts";

/** A series in memory as a reader sees it. Its labels are put together when they are asked for: an aggregation over everything needs few of them. */
export class HeadSeries implements Series {
  readonly #head: Head;
  readonly #view: View;
  readonly row: number;
  #labels: Labels | undefined;

  constructor(head: Head, view: View, row: number) {
    this.#head = head;
    this.#view = view;
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
      head.late.read(row, into, start, end, this.#view.late);
      weave(into, from, middle);
    }
    const deleted = head.deletions.of(head.table.refOf(row));
    if (deleted !== undefined) withoutDeleted(into, from, deleted);
  }
}
