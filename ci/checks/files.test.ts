import { describe, expect, test } from "vitest";
import { isSource, isTest, projectFiles, read } from "./sources.ts";

const sources = projectFiles().filter(isSource);

/** Files that may exceed 400 lines, each with its reason. */
const LONG: Readonly<Record<string, string>> = {
  "reference/rpc/contract/descriptor/descriptor.pb.ts": "generated from one contract, as the rest of the world writes it",
};

describe("files", () => {
  test("no file exceeds 400 lines without a reason", () => {
    const long = sources.filter((file) => read(file).split("\n").length > 401 && LONG[file] === undefined);
    expect(long).toEqual([]);
  });

  test("every reason is for an existing long file", () => {
    expect(Object.keys(LONG).filter((file) => !sources.includes(file) || read(file).split("\n").length <= 401)).toEqual([]);
  });

  test("names are kebab-case", () => {
    const odd = sources.filter((file) => !/^[a-z0-9]+(?:[-.][a-z0-9]+)*$/.test(file.split("/").at(-1) ?? ""));
    expect(odd).toEqual([]);
  });

  test("no test is skipped, focused or left for later", () => {
    const marker = /\b(?:it|test|describe)\.(?:skip|only|todo|fails)\b/;
    expect(sources.filter((file) => isTest(file) && file !== "ci/checks/files.test.ts" && marker.test(read(file)))).toEqual([]);
  });

  test("nothing is left for later in a comment", () => {
    const marker = /\b(?:TODO|FIXME|XXX|HACK)\b/;
    expect(sources.filter((file) => file !== "ci/checks/files.test.ts" && marker.test(read(file)))).toEqual([]);
  });
});
