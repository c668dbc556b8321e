import { describe, expect, test } from "vitest";
import { loadScripts } from "./load.ts";
import { readScript } from "./read.ts";
import { runScript } from "./run.ts";

describe("our engine passes all cases of", () => {
  test.each(loadScripts())("$name", ({ script }) => {
    const failed = runScript(script).filter(({ problem }) => problem !== undefined);
    expect(failed.map(({ id, line, problem }) => `line ${line}, ${id}: ${problem}`)).toEqual([]);
  });
});

/** The problem of a script with one case. */
const problemOf = (text: string): string | undefined =>
  runScript(readScript(`load 1m\n    a{x="1"} 1 2\n    a{x="2"} 3 4\n\n#: it prometheus-promql#basics\n${text}`))[0]?.problem;

describe("runScript() reports a wrong expectation", () => {
  test.each([
    ['eval instant at 1m a\n    a{x="1"} 2', "is unexpected"],
    ['eval instant at 1m a\n    a{x="1"} 2\n    a{x="2"} 4\n    a{x="3"} 4', "is missing"],
    ['eval instant at 1m a{x="1"}\n    a{x="1"} 2.0000001', "has 2 at 60 s"],
    ['eval instant at 1m a\n    expect ordered\n    a{x="2"} 4\n    a{x="1"} 2', "is in the place of"],
    ['eval range from 0 to 2m step 1m a{x="1"}\n    a{x="1"} 1 2', "where nothing is expected"],
    ["eval instant at 1m 1\n    2", "1, not 2"],
    ['eval instant at 1m "a"\n    expect string "b"', 'the string "a"'],
    ["eval instant at 1m a\n    expect fail", "should fail"],
    ["eval instant at 1m a + on() a", "it failed: found duplicate series"],
    ["eval instant at 1m a + on() a\n    expect fail msg: no", "different message"],
    ["eval instant at 1m a\n    expect warn", "no warning"],
    ["eval instant at 1m sum(a)\n    {} Inf", "{} has 6 at 60 s, not +Inf"],
    ["eval instant at 1m quantile(2, a)\n    expect no_warn\n    {} Inf", "unexpected warning"],
  ])("%s", (text, problem) => {
    expect(problemOf(text)).toContain(problem);
  });
});
