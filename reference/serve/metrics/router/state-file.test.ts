import { expect, test } from "vitest";
import { Matcher } from "../../../metrics/model/index.ts";
import type { RouterRecord } from "../../../metrics/router/index.ts";
import { FileFault, readFile } from "../../../metrics/tsdb/index.ts";
import { Crash, MemoryFiles } from "../../../metrics/tsdb/files/testing.ts";
import { StateFile } from "./state-file.ts";

const PATH = "data/state.log";
const silence = (id: string, comment = ""): RouterRecord => ({
  is: "silence",
  silence: { id, comment, matchers: [new Matcher("a", "=~", "b|c")], startsAt: 1, endsAt: 2, updatedAt: 1, createdBy: "me" },
});
const notified = (key: string): RouterRecord => ({ is: "notified", notified: { key, firing: ["1"], resolved: [], at: 1, expiresAt: 9 } });
const namesOf = (state: StateFile): string[] => state.records.map((one) => (one.is === "silence" ? one.silence.id : one.notified.key));

test("records come back in order, with matchers that match", () => {
  const files = new MemoryFiles();
  const state = new StateFile(files, "data");
  state.append([silence("a"), notified("n")]);
  state.append([silence("b")]);
  state.close();
  const again = new StateFile(files, "data");
  expect(namesOf(again)).toEqual(["a", "n", "b"]);
  const [first] = again.records;
  expect(first?.is === "silence" && first.silence.matchers[0]?.matches("c")).toBe(true);
  expect(again.damage).toBeUndefined();
});

test("two processes: the second is refused", () => {
  const files = new MemoryFiles();
  void new StateFile(files, "data");
  expect(() => new StateFile(files, "data")).toThrow("is held");
});

test("a power loss keeps what was synced", () => {
  const files = new MemoryFiles();
  const state = new StateFile(files, "data");
  state.append([silence("a")]);
  state.sync();
  state.append([silence("b")]);
  files.losePower();
  expect(namesOf(new StateFile(files, "data"))).toEqual(["a"]);
});

test("the process dies at any operation: what was acknowledged is there, and another record can be added", () => {
  let crashes = 0;
  for (let operation = 0; operation < 60; operation++) {
    const files = new MemoryFiles(() => 0.5);
    const done: string[] = [];
    files.plan(operation, "crash");
    try {
      const state = new StateFile(files, "data");
      for (const id of ["a", "b", "c"]) {
        state.append([silence(id)]);
        done.push(id);
      }
      state.rewrite([silence("a"), silence("b"), silence("c")]);
      state.append([silence("d")]);
      done.push("d");
      state.sync();
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      crashes += 1;
    }
    files.restart();
    const state = new StateFile(files, "data");
    expect(namesOf(state).slice(0, done.length)).toEqual(done);
    expect(state.damage).toBeUndefined();
    state.append([silence("z")]);
    state.close();
    expect(namesOf(new StateFile(files, "data")).at(-1)).toBe("z");
  }
  expect(crashes).toBeGreaterThan(10);
});

test("a full disk: the next record takes the place of the one that failed", () => {
  const files = new MemoryFiles();
  const state = new StateFile(files, "data");
  state.append([silence("a")]);
  files.room = 20;
  expect(() => state.append([silence("b")])).toThrow(FileFault);
  files.room = Infinity;
  state.append([silence("c")]);
  state.close();
  expect(namesOf(new StateFile(files, "data"))).toEqual(["a", "c"]);
});

test("damage in the middle: the good records before it are kept, the file is kept beside, and it is said", () => {
  const files = new MemoryFiles();
  const state = new StateFile(files, "data");
  state.append([silence("a")]);
  const size = readFile(files, PATH).length;
  state.append([silence("b")]);
  state.append([silence("c")]);
  state.close();
  const file = files.open(PATH, "write");
  file.write(Uint8Array.of(0), size + 20);
  file.close();
  const again = new StateFile(files, "data");
  expect(namesOf(again)).toEqual(["a"]);
  expect(again.damage).toBe(`${PATH} is damaged at octet ${size}: what follows is lost; the file is kept as ${PATH}.damaged`);
  expect(files.exists(`${PATH}.damaged`)).toBe(true);
  again.append([silence("d")]);
  again.close();
  expect(namesOf(new StateFile(files, "data"))).toEqual(["a", "d"]);
});

test("a file of another format is moved aside", () => {
  const files = new MemoryFiles();
  files.makeDirectory("data");
  const file = files.open(PATH, "create");
  file.write(new TextEncoder().encode("something else"), 0);
  file.close();
  expect(new StateFile(files, "data").damage).toContain("damaged at octet 0");
});

test("a long log is rewritten with the present only", () => {
  const files = new MemoryFiles();
  const state = new StateFile(files, "data");
  for (let at = 0; at < 200; at++) state.append([silence("a", "x".repeat(10_000))]);
  expect(state.isLong).toBe(true);
  state.rewrite([silence("a")]);
  expect(state.isLong).toBe(false);
  state.append([silence("b")]);
  state.close();
  expect(namesOf(new StateFile(files, "data"))).toEqual(["a", "b"]);
});
