import type { ContractFile, Import } from "../model.ts";
import { optionText } from "../option-values.ts";
import { eachFile, startOf } from "./find.ts";
import { importCycle, packageImports } from "./packages.ts";
import type { Linted } from "./linted.ts";
import type { LintFound, LintRule } from "./rule.ts";
import { isLowerSnakeCase, isUnstable, isVersion, lastPart, lowerSnakeCase } from "./words.ts";

const folderOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf("/"), 0));
const stemOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1).replace(/\.proto$/, "");
/** The values of some files without repetitions, in order. */
const distinct = (files: readonly ContractFile[], of: (file: ContractFile) => string): string[] => [...new Set(files.map(of))].sort();
const list = (values: readonly string[]): string => values.map((value) => (value === "" ? "none" : `"${value}"`)).join(", ");

/** Files of one package that disagree on an option of a generator. */
const sameOption = (option: string): LintRule => ({
  name: `PACKAGE_SAME_${option.toUpperCase()}`,
  group: "standard",
  find: ({ files }) =>
    files.flatMap((file) => {
      const value = ({ options }: ContractFile): string => optionText(options, option) ?? "";
      const found = distinct(
        files.filter((other) => other.package === file.package),
        value,
      );
      if (found.length < 2) return [];
      const place = file.options.find(({ name }) => name === option)?.place ?? startOf(file);
      return [
        {
          on: file,
          at: place,
          text: `Files of the package "${file.package}" have different values of ${option}: ${list(found)}. Use one.`,
        },
      ];
    }),
});

/** Asks a question of each import of each file. */
const imports =
  (wrong: (one: Import, file: ContractFile) => string | undefined) =>
  ({ files }: Pick<Linted, "files">): LintFound[] =>
    files.flatMap((file) =>
      file.imports.flatMap((one) => {
        const text = wrong(one, file);
        return text === undefined ? [] : [{ on: file, at: one.place, text }];
      }),
    );

/** Files, their packages and what they import. */
export const FILE_LINT_RULES: readonly LintRule[] = [
  {
    name: "SYNTAX_SPECIFIED",
    group: "standard",
    find: ({ files }) =>
      files
        .filter(({ syntaxPlace }) => syntaxPlace === undefined)
        .map((file) => ({ on: file, at: startOf(file), text: 'The file does not say its syntax: begin it with `syntax = "proto3";`.' })),
  },
  {
    name: "FILE_LOWER_SNAKE_CASE",
    group: "standard",
    find: ({ files }) =>
      files
        .filter(({ path }) => !isLowerSnakeCase(stemOf(path)))
        .map((file) => ({
          on: file,
          at: startOf(file),
          text: `The name of the file "${stemOf(file.path)}" is not in lower_snake_case: call it "${lowerSnakeCase(stemOf(file.path))}.proto".`,
        })),
  },
  {
    name: "PACKAGE_DEFINED",
    group: "standard",
    find: eachFile((file) => (file.package === "" ? "The file has no package: its names may clash with any other's." : undefined)),
  },
  {
    name: "PACKAGE_LOWER_SNAKE_CASE",
    group: "standard",
    find: eachFile(({ package: name }) =>
      name === "" || name.split(".").every(isLowerSnakeCase)
        ? undefined
        : `The package "${name}" is not in lower_snake_case: call it "${name.split(".").map(lowerSnakeCase).join(".")}".`,
    ),
  },
  {
    name: "PACKAGE_VERSION_SUFFIX",
    group: "standard",
    find: eachFile(({ package: name }) =>
      name === "" || (name.includes(".") && isVersion(lastPart(name)))
        ? undefined
        : `The package "${name}" does not end with a version: call it "${name}.v1", so that a second version can live beside it.`,
    ),
  },
  {
    name: "PACKAGE_DIRECTORY_MATCH",
    group: "standard",
    find: eachFile(({ package: name, path }) => {
      const folder = name.replaceAll(".", "/");
      return name === "" || folderOf(path) === folder
        ? undefined
        : `The file is in the folder "${folderOf(path) === "" ? "." : folderOf(path)}": put files of the package "${name}" into "${folder}" below the import path.`;
    }),
  },
  {
    name: "DIRECTORY_SAME_PACKAGE",
    group: "standard",
    find: eachFile((file, { files }) => {
      const packages = distinct(
        files.filter(({ path }) => folderOf(path) === folderOf(file.path)),
        (other) => other.package,
      );
      return packages.length < 2
        ? undefined
        : `The files of its folder are in several packages: ${list(packages)}. Use one folder for each.`;
    }),
  },
  {
    name: "PACKAGE_SAME_DIRECTORY",
    group: "standard",
    find: eachFile((file, { files }) => {
      const folders = distinct(
        files.filter((other) => other.package === file.package),
        ({ path }) => folderOf(path),
      );
      return folders.length < 2 || file.package === ""
        ? undefined
        : `Files of the package "${file.package}" are in several folders: ${folders.map((folder) => `"${folder === "" ? "." : folder}"`).join(", ")}. Use one.`;
    }),
  },
  {
    name: "PACKAGE_NO_IMPORT_CYCLE",
    group: "standard",
    find({ files, contract }) {
      const all = packageImports(contract);
      return imports(({ path }, file) => {
        const cycle = importCycle(file.package, contract.files.get(path)?.package ?? file.package, all);
        return cycle && `Packages import each other in a circle: ${cycle.join(" → ")}. Move what they share.`;
      })({ files });
    },
  },
  ...["csharp_namespace", "go_package", "java_multiple_files", "java_package", "php_namespace", "ruby_package", "swift_prefix"].map(
    sameOption,
  ),
  {
    name: "IMPORT_USED",
    group: "standard",
    find: imports(({ path, isUsed, kind }) =>
      isUsed || kind === "public" ? undefined : `Nothing in the file needs the import "${path}": remove it.`,
    ),
  },
  {
    name: "IMPORT_NO_PUBLIC",
    group: "standard",
    find: imports(({ path, kind }) =>
      kind === "public"
        ? `The import of "${path}" is public: whoever imports this file depends on it unseen. Let each file import what it uses.`
        : undefined,
    ),
  },
  {
    name: "STABLE_PACKAGE_NO_IMPORT_UNSTABLE",
    group: "stable",
    find: (linted) =>
      imports(({ path }, file) => {
        const imported = linted.contract.files.get(path)?.package ?? "";
        const isStable = isVersion(lastPart(file.package)) && !isUnstable(lastPart(file.package));
        return isStable && isUnstable(lastPart(imported))
          ? `The stable package "${file.package}" imports the unstable package "${imported}".`
          : undefined;
      })(linted),
  },
];
