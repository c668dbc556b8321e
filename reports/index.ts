/** Writers of results: each a pure function from results to text, and one that puts the wanted files in place. */
export { toGithub } from "./github.ts";
export { toHtml } from "./html.ts";
export { toJson } from "./json.ts";
export { toJunit } from "./junit.ts";
export { toMarkdown } from "./markdown.ts";
export { DamagedFile, problem, readReport, readResults } from "./validate.ts";
export { writeReports, type Report, type Wanted, type WriteOptions } from "./write.ts";
