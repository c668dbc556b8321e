import type { Columns, Labels } from "../model/index.ts";
import type { Series } from "../storage/index.ts";
import type { Head } from "./head.ts";
import type { View } from "./isolation.ts";
import { mergeInto } from "./out-of-order.ts";

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
    if (!head.late.has(row)) head.read(row, into, start, last);
    else {
      mergeInto(
        into,
        (columns) => head.read(row, columns, start, last),
        (columns) => head.late.read(row, columns, start, end, this.#view.late),
      );
    }
    if (!head.deletions.isEmpty) head.deletions.apply(head.table.refOf(row), into, from);
  }
}
