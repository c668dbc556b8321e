import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as errors from "../../errors.ts";
import { read, ROOT } from "./sources.ts";

type ErrorClass = new (...args: never[]) => Error & { readonly code?: unknown };
const isErrorClass = (value: unknown): value is ErrorClass => typeof value === "function" && value.prototype instanceof Error;

/** One of each. */
const EXAMPLES: Readonly<Record<keyof typeof errors, Error & { readonly code: string }>> = {
  BadPattern: new errors.BadPattern("a["),
  Bug: new errors.Bug("why"),
  CallFailed: new errors.CallFailed(5, "why"),
  ConnectFailed: new errors.ConnectFailed("timeout", "why"),
  Damage: new errors.Damage("file", 0, "why"),
  DamagedFile: new errors.DamagedFile("why"),
  ExecutionFailure: new errors.ExecutionFailure("why"),
  FileFault: new errors.FileFault("not found", "file", "why"),
  Foreign: new errors.Foreign("file", 0, "why"),
  HandshakeFailed: new errors.HandshakeFailed("why", 400),
  MalformedMessage: new errors.MalformedMessage("why"),
  Misuse: new errors.Misuse("why"),
  QueryCanceled: new errors.QueryCanceled(),
  QueryFailure: new errors.QueryFailure("execution", "why"),
  QueryTimedOut: new errors.QueryTimedOut(),
  ServerBusy: new errors.ServerBusy(),
  StreamFailed: new errors.StreamFailed("reset", "why"),
  TooManySamples: new errors.TooManySamples(),
  Unreachable: new errors.Unreachable("why"),
  VectorFileError: new errors.VectorFileError("why"),
  WrongUse: new errors.WrongUse("why"),
};

describe("touchstone/errors", () => {
  test("every class has a code of its own: its name", () => {
    const codes = Object.entries(EXAMPLES).map(([name, { code }]) => [name, code]);
    expect(codes).toEqual(
      Object.keys(errors)
        .toSorted()
        .map((name) => [name, name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase()]),
    );
    expect(new Set(codes.map(([, code]) => code)).size).toBe(codes.length);
  });

  test("every entry exports no other error class", async () => {
    const { exports } = JSON.parse(read("package.json")) as {
      readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
    };
    const files = Object.values(exports).flatMap((entry) => (typeof entry === "string" ? [] : [entry.default]));
    const faces = await Promise.all(
      files.map((file) => import(join(ROOT, file.replace("/dist/", "/").replace(/\.js$/, ".ts"))) as Promise<Record<string, unknown>>),
    );
    const exported = faces.flatMap((face) => Object.values(face).filter(isErrorClass));
    expect(exported).toContain(errors.Misuse);
    expect(exported.filter((one) => !(Object.values(errors) as ErrorClass[]).includes(one)).map(({ name }) => name)).toEqual([]);
  });
});
