/** A metric of the server's own, with one value, or with one for each value of a label or of several. */
export type Row = PlainRow | readonly [name: string, type: "summary", help: string, value: readonly Summed[]];
export type PlainRow = readonly [
  name: string,
  type: "counter" | "gauge",
  help: string,
  value: number | readonly (Labelled | ManyLabelled)[],
];
export type Labelled = readonly [label: string, of: string, value: number];
export type ManyLabelled = readonly [labels: Readonly<Record<string, string>>, value: number];
/** How often something was done, and the time that it took together. */
type Summed = { readonly labels: Readonly<Record<string, string>>; readonly count: number; readonly sum: number };
