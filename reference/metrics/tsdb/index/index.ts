/** The index of a block: the labels of each series, the series of each label, and the places of chunks (`../FORMAT.md`). */
export { IndexReader } from "./read.ts";
export { IndexWriter } from "./write.ts";
