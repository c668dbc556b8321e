import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { BENCHES } from "../../bench/suites.ts";
import { suiteNames } from "../../conformance/suites.ts";
import { FUZZERS } from "../../fuzz/suites.ts";
import { ROOT } from "./sources.ts";

/** Prints the project's own modules, as they are loaded, on standard error. */
const RECORD = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from "node:module";
  registerHooks({ load(url, context, next) { if (url.startsWith("file:") && !url.includes("/node_modules/")) console.error("loaded " + url); return next(url, context); } });
`)}`;

/** The modules that a command line loads, as paths in the project. */
function loadedBy(...args: readonly string[]): string[] {
  const { status, stderr } = spawnSync(process.execPath, ["--import", RECORD, join(ROOT, "touchstone.ts"), ...args], {
    encoding: "utf8",
    cwd: ROOT,
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  expect([args, status, stderr.includes("/touchstone.ts")]).toEqual([args, 0, true]);
  return [...stderr.matchAll(/^loaded file:\/\/(.*)$/gm)].map(([, path = ""]) => path.slice(ROOT.length + 1));
}

describe("what a command loads before it works", () => {
  test.each([["--help"], ["--version"]])("%s: the command line itself, no room and no suite", (flag) => {
    expect(loadedBy(flag).sort()).toEqual(["touchstone.ts", "version.ts"]);
  });

  test.each(["check", "crosscheck", "diff", "fuzz", "bench", "vectors", "report", "compare", "peers", "query"])(
    "%s --help: declarations, no case, no driver, no reference",
    (verb) => {
      const heavy = loadedBy(verb, "--help").filter((path) =>
        /\/driver\/|\/cases[./]|^conformance\/(?:http|hpack|websocket|rpc|tls|metrics)[^/]*\/(?!suite\.ts|scale\.ts|dialect\.ts|over\.ts)|^reference\/(?!serve\/metrics\/query-command)|\/(?:run|act)\.ts$/.test(
          path,
        ),
      );
      expect(heavy).toEqual([]);
    },
  );
});

test("every fuzzer and every bench belongs to a suite, but for the canary", () => {
  const rooms = [...Object.keys(FUZZERS.suites), ...Object.keys(BENCHES)];
  expect(rooms.filter((name) => !suiteNames.some((suite) => suite === name))).toEqual(["canary"]);
});
