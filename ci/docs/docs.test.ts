import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { projectFiles, read } from "../checks/sources.ts";
import { matches, quotesOf, stepsOf, type Shown } from "./console.ts";
import { perform } from "./perform.ts";

/** The longest that a document may take on a busy machine, in milliseconds; alone it takes a few seconds. */
const LIMIT = 240_000;
const DOCUMENTS = projectFiles().filter((file) => /^docs\/[\w-]+\.md$/.test(file));
const isTooBusy = (outputs: readonly string[][]): boolean =>
  outputs.flat().some((line) => line.includes("The machine is too busy to judge"));
const isShown = (step: object): step is Shown => "command" in step;

describe("the tutorial", () => {
  test("has its lessons", () => {
    expect(DOCUMENTS.length).toBeGreaterThanOrEqual(12);
    expect(existsSync("/bin/bash"), "the commands are those of a shell").toBe(true);
  });

  test.each(DOCUMENTS.filter((file) => stepsOf(read(file)).length > 0))(
    "%s prints what it promises",
    async (file) => {
      const steps = stepsOf(read(file));
      let outputs = await perform(steps, LIMIT);
      // A check that the machine is too busy to judge says nothing about the document.
      for (let again = 0; again < 3 && isTooBusy(outputs); again++) outputs = await perform(steps, LIMIT);
      const wrong = steps.filter(isShown).flatMap(({ command, output, line }, at) => {
        const seen = outputs[at];
        if (seen !== undefined && matches(output, seen)) return [];
        return [`${file}:${line}: $ ${command}\n${seen?.join("\n") ?? "It never ran: a command before it does not end."}`];
      });
      expect(wrong.join("\n\n")).toBe("");
    },
    4 * LIMIT + 10_000,
  );

  test("quotes what is there", () => {
    const quotes = DOCUMENTS.flatMap((file) => quotesOf(read(file)).map((quote) => ({ file, ...quote })));
    expect(quotes.length).toBeGreaterThan(0);
    expect(
      quotes.filter(({ from, text }) => !read(from).includes(text)).map(({ file, from }) => `${file}: ${from} reads otherwise`),
    ).toEqual([]);
  });
});

describe("the reader of documents", () => {
  test("finds files, commands over several lines, and output", () => {
    const text = [
      "# x",
      "```js file=a/b.mjs",
      "one();",
      "```",
      "```console",
      "$ cat \\",
      "  a",
      "1",
      "$ b &",
      "```",
      "```ts",
      "$ no",
      "```",
    ];
    expect(stepsOf(text.join("\n"))).toEqual([
      { file: "a/b.mjs", text: "one();\n" },
      { command: "cat \\\n  a", output: ["1"], line: 6 },
      { command: "b &", output: [], line: 9 },
    ]);
  });

  test.each([
    ["```console\n$ a", "line 1: this block has no end"],
    ["```console\nb\n```", "line 2: output without a command"],
  ])("refuses %j", (text, why) => {
    expect(() => stepsOf(text)).toThrow(why);
  });

  test.each<[string[], string[], boolean]>([
    [["a"], ["a  "], true],
    [["a"], ["a", "b"], false],
    [["a", "…"], ["a"], true],
    [["…", "c"], ["a", "b", "c"], true],
    [["…", "c"], ["a", "b"], false],
    [["in … s."], ["in 3 s."], true],
    [["in … s."], ["in 3 s!"], false],
    [[], ["a"], false],
    [["a.c"], ["abc"], false],
  ])("%j and %j: %j", (promised, seen, same) => {
    expect(matches(promised, seen)).toBe(same);
  });

  test("a command that does not end is ended, with what it started, and those after it never ran", async () => {
    const steps = stepsOf("```console\n$ echo one\none\n$ sleep 60\n$ echo two\n```");
    const began = performance.now();
    expect(await perform(steps, 1500)).toEqual([["one"], []]);
    expect(performance.now() - began).toBeLessThan(30_000);
  });
});
