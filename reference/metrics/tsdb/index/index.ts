/** The index of a block: which series have which labels, and where their chunks are (`../FORMAT.md`). */
export { IndexReader } from "./read.ts";
export { IndexWriter } from "./write.ts";
