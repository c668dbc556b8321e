import type { ContractFile } from "../model.ts";
import type { Place } from "../place.ts";
import { fields, files, startOf } from "./find.ts";
import { optionText } from "../option-values.ts";
import { ALL, type BreakingRule, SOURCE } from "./rule.ts";

/** The options of a file that change the generated code, with their defaults: the rule of each has its name in capitals. */
const FILE_OPTIONS: readonly (readonly [option: string, unset: string])[] = [
  ["cc_enable_arenas", "true"],
  ["cc_generic_services", "false"],
  ["csharp_namespace", ""],
  ["go_package", ""],
  ["java_generic_services", "false"],
  ["java_multiple_files", "false"],
  ["java_outer_classname", ""],
  ["java_package", ""],
  ["objc_class_prefix", ""],
  ["optimize_for", "SPEED"],
  ["php_class_prefix", ""],
  ["php_metadata_namespace", ""],
  ["php_namespace", ""],
  ["py_generic_services", "false"],
  ["ruby_package", ""],
  ["swift_prefix", ""],
];

const shown = (value: string): string => (value === "" ? "nothing" : value);
const optionRule = ([option, unset]: (typeof FILE_OPTIONS)[number]): BreakingRule => ({
  name: `FILE_SAME_${option.toUpperCase()}`,
  strengths: SOURCE,
  find: files(
    (old, now) => {
      const [before, after] = [optionText(old.options, option) ?? unset, optionText(now.options, option) ?? unset];
      return before === after ? undefined : `The option ${option} was ${shown(before)} and is ${shown(after)}.`;
    },
    ({ options }) => options.find(({ name }) => name === option)?.place,
  ),
  advice: "Keep the option: generated code gets other names or other types.",
});

const syntaxText = ({ syntax, edition }: ContractFile): string => (syntax === "editions" ? `edition ${edition ?? ""}` : syntax);
const packageText = (name: string): string => (name === "" ? "no package" : `the package ${name}`);
/** Where a file declares its package, or begins. */
const packagePlace = (file: ContractFile): Place => file.packagePlace ?? startOf(file);

/** Whether generated Java refuses text that is not UTF-8. */
const javaChecks = (file: ContractFile | undefined, isUtf8: boolean): boolean =>
  isUtf8 || (file !== undefined && optionText(file.options, "java_string_check_utf8") === "true");

export const FILE_RULES: readonly BreakingRule[] = [
  {
    name: "FILE_NO_DELETE",
    strengths: ["file"],
    find: ({ goneFiles }) => goneFiles.map((file) => ({ at: startOf(file), of: "old", what: `The file ${file.path} is deleted.` })),
    advice: "Keep the file under its name, and let it import the others publicly if its elements have moved.",
  },
  {
    name: "FILE_SAME_PACKAGE",
    strengths: ALL,
    find: files(
      (old, now) =>
        old.package === now.package ? undefined : `The file was in ${packageText(old.package)} and is in ${packageText(now.package)}.`,
      packagePlace,
    ),
    advice: "Keep the package, and put the new version into a new file: every name and every path of a method changes with it.",
  },
  {
    name: "PACKAGE_NO_DELETE",
    strengths: ["package"],
    find: ({ gonePackages }) =>
      gonePackages.map((file) => ({ at: packagePlace(file), of: "old", what: `Nothing is left of ${packageText(file.package)}.` })),
    advice: "Keep the package beside the new one until nobody uses it.",
  },
  {
    name: "FILE_SAME_SYNTAX",
    strengths: SOURCE,
    find: files(
      (old, now) => (old.syntax === now.syntax ? undefined : `The file was ${syntaxText(old)} and is ${syntaxText(now)}.`),
      ({ syntaxPlace }) => syntaxPlace,
    ),
    advice: "Keep the syntax: presence, defaults and generated code differ between them.",
  },
  {
    name: "FIELD_SAME_JAVA_UTF8_VALIDATION",
    strengths: SOURCE,
    find: fields((old, now, change) => {
      if (old.type.is !== "scalar" || old.type.scalar !== "string" || now.type.is !== "scalar" || now.type.scalar !== "string")
        return undefined;
      const before = javaChecks(change.old.files.get(old.place.file), old.isUtf8);
      const after = javaChecks(change.now.files.get(now.place.file), now.isUtf8);
      if (before === after) return undefined;
      return `Java ${after ? "refuses text" : "accepts text"} that is not UTF-8 in the field "${now.name}", and did the opposite before.`;
    }),
    advice: "Keep the option java_string_check_utf8 and the feature utf8_validation as they are.",
  },
  ...FILE_OPTIONS.map(optionRule),
];
