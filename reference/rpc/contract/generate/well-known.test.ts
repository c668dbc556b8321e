import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadContract } from "../load.ts";
import { generate } from "./index.ts";

const FOLDER = join(import.meta.dirname, "../../message/well-known");
const NAMES = ["any", "duration", "empty", "field_mask", "struct", "timestamp", "wrappers"];

test("the messages that come with the package are what the generator writes for their contracts", () => {
  const paths = NAMES.map((name) => `google/protobuf/${name}.proto`);
  const loaded = loadContract(paths, () => undefined);
  const files = loaded.is === "contract" ? generate(loaded.contract, paths, { runtime: "../index.ts" }) : [];
  expect(files).toHaveLength(NAMES.length);
  for (const { path, content } of files) {
    const name = path.replace(/^.*\//, "").replaceAll("_", "-");
    expect(readFileSync(join(FOLDER, name), "utf8"), name).toBe(content);
  }
});

test("descriptors and requests to plug-ins are what the generator writes, too", () => {
  const paths = ["google/protobuf/descriptor.proto", "google/protobuf/compiler/plugin.proto"];
  const loaded = loadContract(paths, () => undefined);
  const files = loaded.is === "contract" ? generate(loaded.contract, paths, { runtime: "../../message/index.ts" }) : [];
  expect(files).toHaveLength(2);
  for (const { path, content } of files) {
    const name = path.replace(/^.*\//, "");
    // Here the two are beside each other.
    const beside = content.replace('"../descriptor.pb.ts"', '"./descriptor.pb.ts"');
    expect(readFileSync(join(import.meta.dirname, "../descriptor", name), "utf8"), name).toBe(beside);
  }
});
