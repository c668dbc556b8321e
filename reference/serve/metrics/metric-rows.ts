/** A metric of the server's own, with one value, or with one for each value of a label. */
export type Row = readonly [name: string, type: "counter" | "gauge", help: string, value: number | readonly Labelled[]];
export type Labelled = readonly [label: string, of: string, value: number];
