import { expect, test } from "vitest";
import { projectFiles, read } from "./sources.ts";

/** Text that no file may contain: paths of a particular machine, and hosts of package registries. */
const FORBIDDEN: readonly (readonly [RegExp, string])[] = [
  [/(?<![\w.-])\/(?:work|root|home\/\w+)\/[\w.]/, "a path of one machine"],
  [/registry\.npmjs\.org|proxy\.golang\.org|static\.crates\.io|repo1?\.maven\.org/, "the host of a package registry"],
];
const SELF = "ci/checks/words.test.ts";
const isText = (file: string): boolean => /\.(?:ts|js|json|md|sh|ya?ml|css|html|conf|cfg|txt)$|^\.ci\//.test(file);

test("no file names a machine's path or a registry's host", () => {
  const found = projectFiles()
    .filter((file) => isText(file) && file !== SELF)
    .flatMap((file) => FORBIDDEN.filter(([pattern]) => pattern.test(read(file))).map(([, what]) => `${file}: ${what}`));
  expect(found).toEqual([]);
});

test("the patterns match what they should", () => {
  const seen = (text: string) => FORBIDDEN.some(([pattern]) => pattern.test(text));
  expect(["/work/main/x.ts", "/root/go/bin", "https://registry.npmjs.org/x"].map(seen)).toEqual([true, true, true]);
  expect(["a/work/b", "/etc/nginx/nginx.conf", "network"].map(seen)).toEqual([false, false, false]);
});
