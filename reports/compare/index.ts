/** Several results side by side: the matrix, and its three writers (the page is in ../html.ts). */
export { comparisonMarkdown } from "./markdown.ts";
export { agreements, compare, disagreements, type Cell, type Column, type Comparison, type Matrix, type Row } from "./matrix.ts";
export { readColumns, writeColumns } from "./columns.ts";
export { mergeColumns, newFails } from "./published.ts";
export { comparisonTerminal } from "./terminal.ts";
