/** Report writers: pure functions from results to text, and one function that writes the files. */
export {
  compare,
  comparisonMarkdown,
  comparisonTerminal,
  mergeColumns,
  newFails,
  readColumns,
  writeColumns,
  type Cell,
  type Column,
  type Comparison,
  type Matrix,
  type Row,
} from "./compare/index.ts";
export { DamagedFile } from "./damaged.ts";
export { toGithub } from "./github.ts";
export { comparisonHtml, toHtml } from "./html.ts";
export { toJson } from "./json.ts";
export { toJunit } from "./junit.ts";
export { toMarkdown } from "./markdown.ts";
export { toPcap } from "./pcap/index.ts";
export { toSarif } from "./sarif.ts";
export { toTap } from "./tap.ts";
export { readFinding, siteFiles, writeSite, type Question, type SiteInput } from "./site/index.ts";
export { coloured, toText } from "./terminal.ts";
export { problem, readReport, readResults, type Kind } from "./validate.ts";
export { writeBenchPage, writeReports, type Report, type Wanted, type WriteOptions } from "./write.ts";
