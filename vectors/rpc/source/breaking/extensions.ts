import { type BreakingDraft, type BreakingRule, type BreakingSource, block, edition2023, order, pair, proto2, proto3, TYPE, CARDINALITY, DELETED_FIELD } from "./craft.ts";

const OPEN = order("extensions 100 to 199;");
const extend = (...fields: string[]): string => block("extend Order", ...fields);
const change = (note: string, flag: string, [old, changed]: readonly [readonly string[], readonly string[]], rules: readonly BreakingRule[] = []): BreakingDraft =>
  pair(note, { flag, old: proto2(...old), new: proto2(...changed), rules });
const edition = (note: string, flag: string, [old, changed]: readonly [readonly string[], readonly string[]], rules: readonly BreakingRule[] = []): BreakingDraft =>
  pair(note, { flag, old: edition2023(...old), new: edition2023(...changed), rules });
const LAST = { rules: ["EXTENSION_NO_DELETE"], why: "buf compares the extensions of a package only while the new one has any" } as const;
const DELETED = ["EXTENSION_NO_DELETE", "PACKAGE_EXTENSION_NO_DELETE"] as const;

export const source: BreakingSource = {
  about: "changes of extensions and of the features of editions",
  spec: "rpc-contract#updating",
  flags: {
    Extension: { why: "an extension is deleted or means something else", bug: "MISSING_CHECK" },
    Range: { why: "numbers for extensions are withdrawn", bug: "MISSING_CHECK" },
    Feature: { why: "a feature of an edition changes what a field means", bug: "MISSING_CHECK" },
    Harmless: { why: "a change that breaks nobody", bug: "TOO_STRICT" },
  },
  vectors: [
    pair("an extension is deleted", { flag: "Extension", old: proto2(OPEN, extend("optional string note = 100;")), new: proto2(OPEN), rules: DELETED, buf: LAST }),
    change("an extension is deleted beside another", "Extension", [[OPEN, extend("optional string note = 100;", "optional string more = 101;")], [OPEN, extend("optional string note = 100;")]], DELETED),
    change("an extension gets another name", "Extension", [[OPEN, extend("optional string note = 100;")], [OPEN, extend("optional string remark = 100;")]], [...DELETED, "FIELD_SAME_NAME"]),
    pair("an extension gets another number", {
      flag: "Extension",
      old: proto2(OPEN, extend("optional string note = 100;")),
      new: proto2(OPEN, extend("optional string note = 101;")),
      rules: ["EXTENSION_SAME_NUMBER"],
      buf: { rules: [], why: "buf has no rule for it, but nobody finds the old values under the new number" },
    }),
    change("an extension gets another type", "Extension", [[OPEN, extend("optional string note = 100;")], [OPEN, extend("optional int32 note = 100;")]], TYPE),
    change("an extension becomes repeated", "Extension", [[OPEN, extend("optional string note = 100;")], [OPEN, extend("repeated string note = 100;")]], CARDINALITY),
    pair("a nested extension is deleted", { flag: "Extension", old: proto2(OPEN, block("message A", extend("optional string note = 100;"))), new: proto2(OPEN, "message A {}"), rules: DELETED, buf: LAST }),
    change("a new extension", "Harmless", [[OPEN], [OPEN, extend("optional string note = 100;")]]),
    change("a range of extensions is removed", "Range", [[OPEN], [order()]], ["EXTENSION_MESSAGE_NO_DELETE"]),
    change("a range of extensions becomes shorter", "Range", [[OPEN], [order("extensions 100 to 150;")]], ["EXTENSION_MESSAGE_NO_DELETE"]),
    change("a range of extensions becomes longer", "Harmless", [[OPEN], [order("extensions 100 to 250;")]]),
    change("a range of extensions is written as two", "Harmless", [[OPEN], [order("extensions 100 to 120, 121 to 199;")]]),
    pair("an extension moves to another file", {
      flag: "Extension",
      old: { "a.proto": proto2('import "shop.proto";', extend("optional string note = 100;")), "b.proto": proto2('import "shop.proto";'), "shop.proto": proto2(OPEN) },
      new: { "a.proto": proto2('import "shop.proto";'), "b.proto": proto2('import "shop.proto";', extend("optional string note = 100;")), "shop.proto": proto2(OPEN) },
      rules: ["EXTENSION_NO_DELETE"],
    }),

    edition("a field loses its presence by a feature", "Feature", [[order("string id = 1;")], [order("string id = 1 [features.field_presence = IMPLICIT];")]], ["FIELD_SAME_CARDINALITY"]),
    pair("a field becomes required by a feature", {
      flag: "Feature",
      old: edition2023(order("string id = 1;")),
      new: edition2023(order("string id = 1 [features.field_presence = LEGACY_REQUIRED];")),
      rules: [...CARDINALITY, "MESSAGE_SAME_REQUIRED_FIELDS"],
      buf: { rules: CARDINALITY, why: "buf knows required fields only by the label of proto2" },
    }),
    edition("the default presence is written", "Harmless", [[order("string id = 1;")], [order("string id = 1 [features.field_presence = EXPLICIT];")]]),
    edition("presence changes for a whole file", "Feature", [[order("string id = 1;")], ["option features.field_presence = IMPLICIT;", order("string id = 1;")]], ["FIELD_SAME_CARDINALITY"]),
    edition("a packed field is sent expanded", "Feature", [[order("repeated int32 n = 1;")], [order("repeated int32 n = 1 [features.repeated_field_encoding = EXPANDED];")]]),
    edition("a string is no longer checked for UTF-8", "Feature", [[order("string id = 1;")], [order("string id = 1 [features.utf8_validation = NONE];")]], ["FIELD_SAME_JAVA_UTF8_VALIDATION", "FIELD_SAME_UTF8_VALIDATION"]),
    edition("a message is sent as a group", "Feature", [["message A {}", order("A n = 1;")], ["message A {}", order("A n = 1 [features.message_encoding = DELIMITED];")]], TYPE),
    edition("a message loses its form in JSON", "Feature", [[order("string id = 1;")], [order("option features.json_format = LEGACY_BEST_EFFORT;", "string id = 1;")]], ["MESSAGE_SAME_JSON_FORMAT"]),
    edition("a default of an edition changes", "Feature", [[order("int32 n = 1 [default = 1];")], [order("int32 n = 1 [default = 2];")]], ["FIELD_SAME_DEFAULT"]),
    pair("proto3 becomes an edition with the same meaning", {
      flag: "Feature",
      old: proto3(order("string id = 1;", "optional int32 n = 2;", "repeated int32 m = 3;")),
      new: edition2023("option features.field_presence = IMPLICIT;", order("string id = 1;", "int32 n = 2 [features.field_presence = EXPLICIT];", "repeated int32 m = 3;")),
      rules: ["FILE_SAME_SYNTAX"],
    }),
    pair("proto2 becomes an edition with the same meaning", {
      flag: "Feature",
      old: proto2(order("optional string id = 1;", "required int32 n = 2;", "repeated int32 m = 3;")),
      new: edition2023(
        "option features.enum_type = CLOSED;",
        "option features.repeated_field_encoding = EXPANDED;",
        "option features.utf8_validation = NONE;",
        "option features.json_format = LEGACY_BEST_EFFORT;",
        order("string id = 1;", "int32 n = 2 [features.field_presence = LEGACY_REQUIRED];", "repeated int32 m = 3;"),
      ),
      rules: ["FILE_SAME_SYNTAX"],
      buf: { rules: ["FILE_SAME_SYNTAX", "MESSAGE_SAME_REQUIRED_FIELDS"], why: "buf knows required fields only by the label of proto2, and takes this one for deleted" },
    }),
    pair("proto2 becomes proto3 with strings and optional fields", {
      flag: "Feature",
      old: proto2(order("optional string id = 1;")),
      new: proto3(order("optional string id = 1;")),
      rules: ["FIELD_SAME_JAVA_UTF8_VALIDATION", "FIELD_SAME_UTF8_VALIDATION", "FILE_SAME_SYNTAX"],
    }),
    change("a field is deleted whose number extensions may use now", "Range", [[order("optional string id = 5;")], [order("extensions 5 to 9;")]], DELETED_FIELD),
    change("an extension moves into a message", "Extension", [[OPEN, extend("optional string note = 100;")], [OPEN, block("message A", extend("optional string note = 100;"))]], [...DELETED, "FIELD_SAME_NAME"]),
  ],
};
