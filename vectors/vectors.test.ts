import { describe, expect, test } from "vitest";
import { linter } from "./lint.ts";
import { vectorFiles } from "./load.ts";

describe("vectors: every file is valid: schema, count, ids and flags", () => {
  const lint = linter();
  test.each(vectorFiles())("%s", (name) => expect(lint(name)).toEqual([]));
});
