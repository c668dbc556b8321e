import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Project, ROOT } from "./testing.ts";

/** The code of the page on calls, by its language, from the part on contracts. */
function blocksOf(part: string): ReadonlyMap<string, string> {
  const text = readFileSync(join(ROOT, "reference", "serve", "rpc", "README.md"), "utf8");
  const section = text.slice(text.indexOf(part));
  return new Map([...section.matchAll(/```(\w+)\n([\s\S]*?)```/g)].slice(0, 2).map(([, language = "", code = ""]) => [language, code]));
}

test("README.md of calls: the contract, the commands and the program work as they are written", () => {
  using project = new Project();
  const blocks = blocksOf("## From a contract to a call");
  project.write("greeter.proto", blocks.get("proto") ?? "");
  project.write("greet.ts", blocks.get("ts") ?? "");
  expect(project.touchstone("rpc", "generate", "greeter.proto", "--out", ".")).toMatchObject({ status: 0, stdout: "greeter.pb.ts\n" });
  expect(project.compile(["greet.ts"])).toBe("");
  expect(project.run("greet.ts").trim().split("\n")).toEqual(["Hello, Ada!", "And hello, Grace!", "And hello, Edsger!"]);
});
