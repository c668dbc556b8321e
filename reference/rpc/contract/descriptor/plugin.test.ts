import { expect, test } from "vitest";
import type { JsonValue } from "../../message/index.ts";
import { generate } from "../generate/index.ts";
import { loadContract } from "../load.ts";
import { answerCompiler } from "./plugin.ts";
import { CodeGeneratorRequest, CodeGeneratorResponse } from "./plugin.pb.ts";
import recorded from "./request.json" with { type: "json" };

/** What protoc 3.21.12 sends to a plug-in for a contract, with the contract. */
const { contract, request } = recorded as { readonly contract: string; readonly request: JsonValue };
const given = CodeGeneratorRequest.fromJson(request);
const answer = (change: object) => CodeGeneratorResponse.decode(answerCompiler(CodeGeneratorRequest.encode({ ...given, ...change })));

test("the plug-in writes what the command writes from the text", () => {
  const loaded = loadContract(["small.proto"], (path) => (path === "small.proto" ? contract : undefined));
  const files = loaded.is === "contract" ? generate(loaded.contract, ["small.proto"]) : [];
  const { error, file, supportedFeatures, maximumEdition } = answer({});
  expect(error).toBeUndefined();
  expect(file.map(({ name, content }) => [name, content])).toEqual(files.map(({ path, content }) => [path, content]));
  expect(files[0]?.content).toContain("  /** After it. */\n  readonly name: string;");
  expect([supportedFeatures, maximumEdition]).toEqual([3n, 1001]);
});

test("options of the plug-in: JavaScript, extensions of imports; others are refused with the names of those that exist", () => {
  expect(answer({ parameter: "js=true,import_extension=none" }).file.map(({ name }) => name)).toEqual(["small.pb.js", "small.pb.d.ts"]);
  expect(answer({ parameter: "ts" }).error).toContain('The option "ts" is not known: js=true');
});

test("a contract that does not fit together is an error in the answer", () => {
  const { error, file } = answer({ protoFile: given.protoFile.slice(1) });
  expect([error, file]).toEqual([expect.stringContaining("google/protobuf/timestamp.proto"), []]);
});

test("octets that are no request throw MalformedMessage", () => {
  expect(() => answerCompiler(Uint8Array.of(0x0a, 0xff))).toThrow("cut off");
});
