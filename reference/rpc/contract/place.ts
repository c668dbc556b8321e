/** A place in a contract: lines and columns count from 1, columns in UTF-16 units. A file without text (a descriptor) has line 0. */
export type Place = { readonly file: string; readonly line: number; readonly column: number };

/** What is wrong with a contract. `rule` is a stable name of the broken rule; `message` says what is wrong, and what to do where that is not plain. */
export type Problem = Place & { readonly rule: string; readonly message: string };

/** `file:line:column: message`, the form that editors understand. */
export const problemText = ({ file, line, column, message }: Problem): string => `${file}:${line}:${column}: ${message}`;

/** The order of reports: by file, then by place. */
export const byPlace = (a: Place, b: Place): number =>
  a.file === b.file ? a.line - b.line || a.column - b.column : a.file < b.file ? -1 : 1;

/** Collects problems, up to a limit: one mistake in a long file may cause thousands. */
export class Problems {
  readonly #found: Problem[] = [];
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  add({ file, line, column }: Place, rule: string, message: string): undefined {
    if (this.#found.length < this.#most) this.#found.push({ file, line, column, rule, message });
    return undefined;
  }
  get isEmpty(): boolean {
    return this.#found.length === 0;
  }
  /** All of them in the order of their places. */
  sorted(): readonly Problem[] {
    return this.#found.toSorted(byPlace);
  }
}
