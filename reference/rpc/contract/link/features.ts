import type { OptionNode, Syntax } from "../syntax.ts";

/** What editions decide per element, and the older syntaxes as a whole. An element inherits from the one around it. */
export type Features = {
  readonly field_presence: "EXPLICIT" | "IMPLICIT" | "LEGACY_REQUIRED";
  readonly enum_type: "OPEN" | "CLOSED";
  readonly repeated_field_encoding: "PACKED" | "EXPANDED";
  readonly utf8_validation: "VERIFY" | "NONE";
  readonly message_encoding: "LENGTH_PREFIXED" | "DELIMITED";
  readonly json_format: "ALLOW" | "LEGACY_BEST_EFFORT";
  readonly enforce_naming_style: "STYLE2024" | "STYLE_LEGACY";
  readonly default_symbol_visibility: "EXPORT_ALL" | "EXPORT_TOP_LEVEL" | "LOCAL_ALL" | "STRICT";
};

type Values = { readonly [Name in keyof Features]: readonly Features[Name][] };
/** The values that a feature may have. */
export const FEATURE_VALUES: Values = {
  field_presence: ["EXPLICIT", "IMPLICIT", "LEGACY_REQUIRED"],
  enum_type: ["OPEN", "CLOSED"],
  repeated_field_encoding: ["PACKED", "EXPANDED"],
  utf8_validation: ["VERIFY", "NONE"],
  message_encoding: ["LENGTH_PREFIXED", "DELIMITED"],
  json_format: ["ALLOW", "LEGACY_BEST_EFFORT"],
  enforce_naming_style: ["STYLE2024", "STYLE_LEGACY"],
  default_symbol_visibility: ["EXPORT_ALL", "EXPORT_TOP_LEVEL", "LOCAL_ALL", "STRICT"],
};

const EDITION_2023: Features = {
  field_presence: "EXPLICIT",
  enum_type: "OPEN",
  repeated_field_encoding: "PACKED",
  utf8_validation: "VERIFY",
  message_encoding: "LENGTH_PREFIXED",
  json_format: "ALLOW",
  enforce_naming_style: "STYLE_LEGACY",
  default_symbol_visibility: "EXPORT_ALL",
};
const PROTO3: Features = { ...EDITION_2023, field_presence: "IMPLICIT" };
const PROTO2: Features = {
  ...EDITION_2023,
  enum_type: "CLOSED",
  repeated_field_encoding: "EXPANDED",
  utf8_validation: "NONE",
  json_format: "LEGACY_BEST_EFFORT",
};
const EDITION_2024: Features = { ...EDITION_2023, enforce_naming_style: "STYLE2024", default_symbol_visibility: "EXPORT_TOP_LEVEL" };

export function defaultFeatures(syntax: Syntax, edition: string | undefined): Features {
  if (syntax === "proto2") return PROTO2;
  if (syntax === "proto3") return PROTO3;
  return edition === "2023" ? EDITION_2023 : EDITION_2024;
}

const isFeature = (name: string): name is keyof Features => Object.hasOwn(FEATURE_VALUES, name);

/** `inherited` with the features among `options`; values that are not known change nothing, and are reported where options are checked. */
export function withFeatures(inherited: Features, options: readonly OptionNode[]): Features {
  const changes: Record<string, string> = {};
  const set = (name: string, value: string): void => {
    if (isFeature(name) && FEATURE_VALUES[name].some((one) => one === value)) changes[name] = value;
  };
  for (const { path, value } of options) {
    if (path[0]?.name !== "features" || path[0].isExtension) continue;
    if (path.length === 2 && value.is === "name") set(path[1]?.name ?? "", value.text);
    if (path.length === 1 && value.is === "message")
      for (const part of value.fields) if (part.value.is === "name") set(part.name, part.value.text);
  }
  return Object.keys(changes).length === 0 ? inherited : { ...inherited, ...changes };
}
