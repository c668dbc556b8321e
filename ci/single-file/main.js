// The first module of the program that is one file. Everything else is beside it in the file system that Node mounts from the program.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** A process that we start ourselves gets one of our modules to run, as `node` would: options, the module, its arguments. */
const given = process.argv.slice(2);
// A copy of ours is started as `node` would start this file: by its path.
const words = given[0] === process.execPath ? given.slice(1) : given;
const at = words.findIndex((word) => !word.startsWith("-"));
const module = at >= 0 && words[at].startsWith(`${import.meta.dirname}/`) ? words[at] : undefined;

if (module === undefined) {
  process.argv.splice(1, Infinity, process.execPath, ...words);
  await import("./dist/touchstone.js");
} else {
  // Of Node's options our processes use this one and --no-warnings.
  if (words.slice(0, at).includes("--expose-gc")) {
    setFlagsFromString("--expose-gc");
    globalThis.gc = runInNewContext("gc");
  }
  process.argv.splice(1, Infinity, module, ...words.slice(at + 1));
  await import(module);
}
