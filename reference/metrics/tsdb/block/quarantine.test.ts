import { beforeEach, describe, expect, test } from "vitest";
import { seeded } from "../../../core/index.ts";
import type { Damage } from "../files/damage.ts";
import { openBlocks } from "./directory.ts";
import { PageCache } from "../files/pages.ts";
import { emptyFiles, type Held, heldBy, ULIDS, writeHeld } from "./testing.ts";
import { FileFault, readFile } from "../files/files.ts";
import { Crash, type MemoryFiles } from "../files/testing.ts";
import { merged } from "./merge.ts";
import { setAside } from "../files/quarantine.ts";

const [one = "", two = ""] = ULIDS;
const LONG = Array.from({ length: 500 }, (_, at): [number, number] => [at, Math.sin(at)]);
const OTHER: Held = { '{"b":"2"}': [[900, 9]] };

const whole = emptyFiles();
writeHeld(whole, { '{"a":"1"}': LONG }, { ulid: one, segmentLimit: 2_000 });
writeHeld(whole, OTHER, { ulid: two });

let files: MemoryFiles;
beforeEach(() => {
  files = whole.copy();
});

function put(path: string, ...octets: number[]): void {
  const file = files.open(path, "write");
  file.write(Uint8Array.from(octets), 0);
  file.sync();
}

/** The result of a query, and the reports. */
function opened(on = files): { held: Held; reports: Damage[] } {
  const reports: Damage[] = [];
  const blocks = openBlocks(on, "data", new PageCache(), (damage) => reports.push(damage));
  const held = heldBy(merged(blocks.map((block) => block.querier())));
  for (const block of blocks) block.close();
  return { held, reports };
}

/** All files below a path with their content. */
function contentOf(on: MemoryFiles, path: string): Record<string, string> {
  if (!on.isDirectory(path)) return { [path]: Buffer.from(readFile(on, path)).toString("hex") };
  return Object.assign({}, ...on.list(path).map((name) => contentOf(on, `${path}/${name}`))) as Record<string, string>;
}
const under = (prefix: string, content: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(content).map(([path, octets]) => [path.replace("data/", prefix), octets]));

describe("a block that cannot be opened", () => {
  const HARM: [string, (path: string) => void][] = [
    ["meta.json is invalid", (path) => put(`${path}/meta.json`, 1)],
    ["meta.json is another block's", (path) => put(`${path}/meta.json`, ...readFile(files, `data/${two}/meta.json`))],
    ["index is invalid", (path) => put(`${path}/index`, 1)],
    ["index lacks its end", (path) => files.open(`${path}/index`, "write").truncate(200)],
    ["chunks are missing", (path) => files.remove(`${path}/chunks`)],
  ];

  test.each(HARM)("because its %s: is moved unchanged and reported once, and the other is read", (_what, harm) => {
    harm(`data/${one}`);
    const before = contentOf(files, `data/${one}`);
    const { held, reports } = opened();
    expect(held).toEqual(OTHER);
    expect(reports.map(({ path }) => path.startsWith(`data/${one}/`))).toEqual([true]);
    expect(reports[0]?.message).toContain(`The block is not read. The damaged data is in data/quarantine/${one}: `);
    expect(files.list("data")).toEqual([two, "quarantine"]);
    expect(contentOf(files, "data/quarantine")).toEqual(under("data/quarantine/", before));
    expect(opened()).toEqual({ held: OTHER, reports: [] });
  });

  test("with a name that is taken in quarantine: gets the next free name", () => {
    for (const to of [one, `${one}.1`, `${one}.2`]) {
      put(`data/${one}/index`, 1);
      expect(opened().reports[0]?.message).toContain(`is in data/quarantine/${to}: `);
      files.makeDirectory(`data/${one}`);
      for (const name of ["meta.json", "index"]) files.link(`data/${two}/${name}`, `data/${one}/${name}`);
      files.remove(`data/${one}/index`);
    }
    expect(files.list("data/quarantine")).toEqual([one, `${one}.1`, `${one}.2`]);
  });

  test.each(["not permitted", "input or output"] as const)("and cannot be moved (%s): stays, and both faults are reported", (trouble) => {
    put(`data/${one}/index`, 1);
    const { rename } = files;
    files.rename = () => {
      throw new FileFault(trouble, "data", "that is not possible");
    };
    const { held, reports } = opened();
    expect(held).toEqual(OTHER);
    expect(reports[0]?.message).toContain("The block is not read and cannot be set aside: data: that is not possible.");
    files.rename = rename;
    expect(opened().reports[0]?.message).toContain(`data/quarantine/${one}`);
  });

  test.each(["not permitted", "input or output"] as const)(
    "because of a transient fault (%s): stays and is read at the next opening",
    (trouble) => {
      const probe = files.copy();
      opened(probe);
      const seen = new Set<string>();
      for (let operation = 1; operation <= probe.operations; operation++) {
        const on = whole.copy();
        on.plan(operation, trouble);
        try {
          const { held, reports } = opened(on);
          for (const { message } of reports) seen.add(message.replace(/^.*? is damaged/, ""));
          expect(Object.keys(held).length).toBe(2 - reports.length);
        } catch (error) {
          if (!(error instanceof FileFault)) throw error;
        }
        expect(on.exists("data/quarantine")).toBe(false);
        expect(opened(on)).toEqual({ held: { '{"a":"1"}': LONG, ...OTHER }, reports: [] });
      }
      expect([...seen].every((message) => message.includes("The block is not read and stays where it is."))).toBe(true);
      expect(seen.size).toBeGreaterThan(3);
    },
  );

  test.each([
    ["meta.json", (path: string) => put(path, ...Buffer.from(JSON.stringify({ ulid: one, version: 2 })))],
    ["index", (path: string) => put(path, 0xba, 0xaa, 0xd7, 0x00, 1)],
    ["tombstones", (path: string) => put(path, 0x01, 0x30, 0xba, 0x30, 2)],
    ["chunks/000002", (path: string) => put(path, 0x85, 0xbd, 0x40, 0xdd, 2)],
  ])("because its %s has another version: stays unchanged", (name, harm) => {
    if (name === "meta.json") files.remove(`data/${one}/meta.json`);
    harm(`data/${one}/${name}`);
    const { held, reports } = opened();
    expect(held).toEqual(OTHER);
    expect(reports[0]?.message).toMatch(/has an unknown format: .*version \d .* The block is not read and stays where it is\.$/);
    expect(files.list("data")).toEqual([one, two]);
  });
});

describe("a block with a dispensable damaged part", () => {
  test("is read without its tombstones", () => {
    put(`data/${one}/tombstones`, 9);
    const { held, reports } = opened();
    expect(held).toEqual({ '{"a":"1"}': LONG, ...OTHER });
    expect(reports.map(({ message }) => message)).toEqual([
      `data/${one}/tombstones is damaged at 0: it does not start like a tombstones file. Samples deleted from the block reappear. The damaged data is in data/quarantine/${one}/tombstones: inspect it, move it back once repaired, or delete it to free disk space.`,
    ]);
    expect(files.exists(`data/${one}/tombstones`)).toBe(false);
    expect(opened()).toEqual({ held, reports: [] });
  });

  test.each([
    ["is invalid", (path: string) => put(path, 1)],
    ["ends within its header", (path: string) => files.open(path, "write").truncate(3)],
    ["is gone", (path: string) => files.remove(path)],
  ])("is read without a segment that %s; the segment keeps its number", (_what, harm) => {
    const path = `data/${one}/chunks/000002`;
    harm(path);
    const isThere = files.exists(path);
    const first = opened();
    const times = first.held['{"a":"1"}']?.map(([time]) => time) ?? [];
    expect([times[0], times.at(-1), times.length > 200, times.length < 400]).toEqual([0, 499, true, true]);
    expect(first.held).toMatchObject(OTHER);
    // At the opening, and again when a query needs its content.
    expect(first.reports.map((one) => one.path)).toEqual([path, path]);
    expect(files.exists(`data/quarantine/${one}/chunks/000002`)).toBe(isThere);
    const again = opened();
    expect(again.held).toEqual(first.held);
    expect(again.reports.map(({ message }) => message)).toEqual([`${path} is damaged at 8: chunks after its end are missing.`]);
  });

  test("with too many damaged parts: goes into quarantine as a whole", () => {
    files.rename(`data/${one}/chunks/000002`, `data/${one}/chunks/999999`);
    const { held, reports } = opened();
    expect(held).toEqual(OTHER);
    expect(reports.length).toBe(17);
    expect(files.exists(`data/quarantine/${one}/chunks/999999`)).toBe(true);
  });
});

describe("an interruption at any operation of a move into quarantine", () => {
  const KINDS: [string, (on: MemoryFiles) => void, () => number][] = [
    ["a loss of power", (on) => on.losePower(), () => 0],
    ["a power loss that keeps some writes", (on) => on.losePower(), seeded(5)],
    ["the end of the process", (on) => on.restart(), () => 0],
  ];
  const CASES = KINDS.flatMap(([kind, resume, random]) =>
    ["index", "tombstones", "chunks/000002"].map((name) => ({ kind, resume, random, name })),
  );

  test.each(CASES)("($kind, the $name): all of it is in one place, and the rest is readable", ({ resume, random, name }) => {
    put(`data/${one}/${name}`, 9);
    const path = name === "index" ? `data/${one}` : `data/${one}/${name}`;
    const before = contentOf(files, path);
    const probe = files.copy();
    const { held } = opened(probe);
    expect(probe.operations).toBeGreaterThan(10);
    for (let operation = 1; operation <= probe.operations; operation++) {
      const on = files.copy(random);
      on.plan(operation, "crash");
      expect(() => opened(on)).toThrow(Crash);
      resume(on);
      expect(opened(on).held).toEqual(held);
      expect(contentOf(on, "data/quarantine")).toEqual(under("data/quarantine/", before));
      expect(opened(on).reports.filter((report) => report.message.includes("quarantine"))).toEqual([]);
    }
  });
});

test("a file that is set aside keeps its path and survives a power loss", () => {
  files.makeDirectory("data/wal/checkpoint.00000003");
  put("data/wal/checkpoint.00000003/00000000", 5);
  for (const path of ["data", "data/wal", "data/wal/checkpoint.00000003"]) files.syncDirectory(path);
  const to = setAside(files, "data", "data/wal/checkpoint.00000003/00000000");
  expect(to).toBe("data/quarantine/wal/checkpoint.00000003/00000000");
  files.losePower();
  expect([...readFile(files, to)]).toEqual([5]);
  expect(files.list("data/wal/checkpoint.00000003")).toEqual([]);
});
