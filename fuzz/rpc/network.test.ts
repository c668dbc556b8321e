import { afterEach, expect, test } from "vitest";
import { startServer } from "../../conformance/rpc/embedded/server.ts";
import { startImpostor } from "../../conformance/rpc/impostors/server.ts";
import { seeded } from "../../reference/core/index.ts";
import { performed, sequence } from "./grammar.ts";
import { fuzzPeer } from "./network.ts";
import { expected } from "./oracle.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const work of cleanups.splice(0)) await work();
});
const OPTIONS = { seed: 7, seconds: 20, sequences: 80 } as const;

test("a correct server is not accused", async () => {
  const server = await startServer();
  cleanups.push(() => server.stop());
  const report = await fuzzPeer(String(server.subject.url), { ...OPTIONS, sequences: 300 });
  expect(report.findings).toEqual([]);
  expect(report.sequences).toBe(300);
  expect(report.requests).toBeGreaterThan(300);
});

test.each([
  ["lenient", "accepted reservedFlags"],
  ["loses octets", "other payloads"],
  ["by the frame", "other payloads"],
  ["status in headers", "form status-once"],
  ["reserved flags", "form flags"],
])("impostor %j: %s", async (flaw, kind) => {
  const impostor = await startImpostor(flaw);
  cleanups.push(() => impostor.stop());
  const { findings } = await fuzzPeer(impostor.url, OPTIONS);
  const found = findings.find((one) => one.kind === kind);
  expect(found?.rule.ref).toMatch(/^rpc-/);
  expect(found?.pieces.length).toBeLessThanOrEqual(5);
});

test("without a good answer there is nothing to report", async () => {
  const impostor = await startImpostor("unimplemented");
  cleanups.push(() => impostor.stop());
  expect(await fuzzPeer(impostor.url, OPTIONS)).toMatchObject({ unreachable: true });
  expect(await fuzzPeer("http://127.0.0.1:1/", OPTIONS)).toMatchObject({ unreachable: true, sequences: 0, findings: [] });
});

test("most generated calls have one reading", () => {
  const rng = seeded(3);
  const all = Array.from({ length: 200 }, () => performed(sequence(rng)).calls).flat();
  const count = (is: string): number => all.filter((call) => expected(call, { gzip: true }).is === is).length;
  expect(count("fine")).toBeGreaterThan(all.length / 3);
  expect(count("failed")).toBeGreaterThan(all.length / 8);
  expect(count("unsure")).toBeLessThan(all.length / 3);
});
