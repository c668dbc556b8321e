import { expect, test } from "vitest";
import { groupOfRecords, searchedNames } from "./dns.ts";

test.each<[string, string, string, readonly string[]]>([
  ["a name with its dot is complete", "web.", "search x.example", ["web"]],
  [
    "a short name gets the domains first",
    "web",
    "nameserver 192.0.2.1\nsearch x.example. y.example # more\n",
    ["web.x.example", "web.y.example", "web"],
  ],
  ["a name with enough dots comes first", "web.z", "search x.example", ["web.z", "web.z.x.example"]],
  ["ndots says how many are enough", "web.z", "domain x.example\noptions timeout:1 ndots:5", ["web.z.x.example", "web.z"]],
  ["the last of search and domain counts", "web", "search x y\ndomain z", ["web.z", "web"]],
  ["no file, no domains", "web", "", ["web"]],
])("%s", (_, name, conf, names) => {
  expect(searchedNames(name, conf)).toEqual(names);
});

test("an SRV record that says there is no service is not a target", () => {
  expect(groupOfRecords("n", "SRV", [{ host: "", port: 0 }], 0).targets).toEqual([]);
});
