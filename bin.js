#!/usr/bin/env node
// Plain JavaScript that an old Node parses too: it is here to say in one line what that Node lacks.
import { existsSync } from "node:fs";
import module from "node:module";

const major = Number(process.versions.node.split(".")[0]);
if (major < 24) {
  console.error(
    `touchstone needs Node 24 or newer, and this is ${process.version}: install a newer one, for example with "npx -p node@26 -p @touchstone-suite/touchstone touchstone …".`,
  );
  process.exitCode = 2;
} else {
  // A checkout runs its sources as they are; the package holds only what was built.
  const source = new URL("./touchstone.ts", import.meta.url);
  const built = new URL("./dist/touchstone.js", import.meta.url);
  // What was compiled is kept for the next start, which takes half the time; written now, since a server may be killed.
  module.enableCompileCache();
  await import((existsSync(source) ? source : built).href);
  module.flushCompileCache();
}
