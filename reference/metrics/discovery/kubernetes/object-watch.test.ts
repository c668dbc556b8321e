import fc from "fast-check";
import { expect, test } from "vitest";
import { ObjectWatch } from "./object-watch.ts";
import { readPod } from "./objects.ts";
import { RESOURCES, ROLES } from "./resources.ts";

const list = (resourceVersion: string, names: readonly string[], more = {}): unknown => ({
  metadata: { resourceVersion, ...more },
  items: names.map((name) => ({ metadata: { name, namespace: "n" } })),
});
const line = (type: string, object: unknown): string => JSON.stringify({ type, object });
const pod = (name: string, resourceVersion: string): unknown => ({ metadata: { name, namespace: "n", resourceVersion } });
const names = (watch: ObjectWatch<ReturnType<typeof readPod>>): string[] => [...watch.objects.keys()];

test("the pages of a list replace what was known at once, with the last page", () => {
  const watch = new ObjectWatch(readPod);
  watch.page(list("1", ["a", "b"]));
  expect(watch.page(list("2", ["b"], { continue: "x" }))).toEqual({ next: "x" });
  expect([names(watch), watch.version]).toEqual([["n/a", "n/b"], "1"]);
  const last = watch.page(list("2", ["c"]));
  expect("changes" in last && last.changes.map(({ event, object }) => `${event} ${object.meta.name}`)).toEqual([
    "update b",
    "add c",
    "delete a",
  ]);
  expect([names(watch), watch.version]).toEqual([["n/b", "n/c"], "2"]);
});

test("a list that begins again forgets the pages before", () => {
  const watch = new ObjectWatch(readPod);
  watch.page(list("1", ["a"], { continue: "x" }));
  watch.begin();
  watch.page(list("2", ["b"]));
  expect(names(watch)).toEqual(["n/b"]);
});

test.each<[string, string, string, string, readonly string[]]>([
  ["ADDED", line("ADDED", pod("b", "6")), "changes", "6", ["n/a", "n/b"]],
  ["MODIFIED", line("MODIFIED", pod("a", "6")), "changes", "6", ["n/a"]],
  ["DELETED", line("DELETED", pod("a", "6")), "changes", "6", []],
  ["BOOKMARK", line("BOOKMARK", { metadata: { resourceVersion: "9" } }), "bookmark", "9", ["n/a"]],
  ["ERROR with 410", line("ERROR", { code: 410, message: "too old" }), "expired", "", ["n/a"]],
  ["ERROR with 429", line("ERROR", { code: 429, message: "later" }), "fault", "5", ["n/a"]],
  ["ERROR of another kind", line("ERROR", { code: 500, message: "broken" }), "fault", "", ["n/a"]],
  ["an unknown type", line("OTHER", pod("a", "6")), "fault", "6", ["n/a"]],
  ["no JSON", "{", "fault", "5", ["n/a"]],
])("a line with %s", (_, text, is, version, expected) => {
  const watch = new ObjectWatch(readPod);
  watch.page(list("5", ["a"]));
  expect(watch.line(text).is).toBe(is);
  expect([watch.version, names(watch)]).toEqual([version, expected]);
});

test.each<[string, unknown]>([
  ["no object", []],
  ["no version", { items: [] }],
  ["no items", { metadata: { resourceVersion: "1" }, items: "x" }],
])("an answer with %s is an error and changes nothing", (_, answer) => {
  const watch = new ObjectWatch(readPod);
  watch.page(list("5", ["a"]));
  expect(watch.page(answer)).toBeInstanceOf(Error);
  expect([watch.version, names(watch)]).toEqual(["5", ["n/a"]]);
});

test("whatever an object has, it is read and becomes a group", () => {
  const attached = { node: true, namespace: true, deployment: true, job: true, cronjob: true };
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom("spec", "status", "metadata", "subsets", "endpoints", "ports"), (value, field) => {
      for (const { of, group } of Object.values(ROLES)) {
        const object = RESOURCES[of].read({ metadata: { name: "x" }, [field]: value } as never);
        const find = () => RESOURCES.pods.read({ [field]: value } as never);
        const service = () => RESOURCES.services.read({ [field]: value } as never);
        const cluster = { attached, pod: find, service, node: find, namespace: find, replicaSet: find, job: find };
        expect(group(object as never, cluster).source).toBeTypeOf("string");
      }
    }),
  );
});
