/** A metric of the server's own, with one value, or with one for each value of a label or of several. */
export type Row = readonly [name: string, type: "counter" | "gauge", help: string, value: number | readonly (Labelled | ManyLabelled)[]];
export type Labelled = readonly [label: string, of: string, value: number];
export type ManyLabelled = readonly [labels: Readonly<Record<string, string>>, value: number];
