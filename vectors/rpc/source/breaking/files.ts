import { type BreakingDraft, type BreakingRule, type BreakingSource, block, DELETED_FIELD, edition2023, order, pair, proto2, proto3 } from "./craft.ts";

const ORDER = order("string id = 1;");
/** An option of a file that changes its value. */
const option = (name: string, [old, changed]: readonly [string, string], rule: BreakingRule): BreakingDraft =>
  pair(`another ${name}`, { flag: "Option", old: proto3(`option ${name} = ${old};`, ORDER), new: proto3(`option ${name} = ${changed};`, ORDER), rules: [rule] });
const text = (name: string, rule: BreakingRule): BreakingDraft => option(name, ['"shop"', '"store"'], rule);
const flag = (name: string, rule: BreakingRule): BreakingDraft => option(name, ["false", "true"], rule);
const MONEY = "message Money {\n  int64 units = 1;\n}";
const LAST = "buf compares the enums of a package only while the new one has any";
const DELETED_MESSAGE = ["MESSAGE_NO_DELETE", "PACKAGE_MESSAGE_NO_DELETE"] as const;

export const source: BreakingSource = {
  about: "changes of files, packages, messages and imports",
  spec: "rpc-contract#updating",
  flags: {
    Deleted: { why: "a file, a package or a message is no longer there", bug: "MISSING_CHECK" },
    Moved: { why: "an element is in another place, which only some users notice", bug: "WRONG_STRENGTH" },
    Package: { why: "everything in the file has another full name", bug: "MISSING_CHECK" },
    Syntax: { why: "the file has another syntax or edition", bug: "MISSING_CHECK" },
    Option: { why: "an option changes the generated code", bug: "MISSING_CHECK" },
    Harmless: { why: "a change that breaks nobody", bug: "TOO_STRICT" },
  },
  vectors: [
    pair("a message is deleted", { flag: "Deleted", old: proto3(MONEY, ORDER), new: proto3(ORDER), rules: DELETED_MESSAGE }),
    pair("a message gets another name", { flag: "Deleted", old: proto3(MONEY), new: proto3(MONEY.replace("Money", "Cash")), rules: DELETED_MESSAGE }),
    pair("a nested message is deleted", { flag: "Deleted", old: proto3(order(MONEY, "string id = 1;")), new: proto3(ORDER), rules: DELETED_MESSAGE }),
    pair("a message moves into another", { flag: "Moved", old: proto3(MONEY, ORDER), new: proto3(order(MONEY, "string id = 1;")), rules: DELETED_MESSAGE }),
    pair("a message moves out of another", { flag: "Moved", old: proto3(order(MONEY, "string id = 1;")), new: proto3(MONEY, ORDER), rules: DELETED_MESSAGE }),
    pair("a message with nested types is deleted", { flag: "Deleted", old: proto3(order(MONEY, block("enum State", "STATE_UNSPECIFIED = 0;"), "Money n = 1;"), "message A {}"), new: proto3("message A {}"), rules: ["ENUM_NO_DELETE", ...DELETED_MESSAGE, "PACKAGE_ENUM_NO_DELETE"], buf: { rules: ["ENUM_NO_DELETE", ...DELETED_MESSAGE], why: LAST } }),
    pair("a nested message loses a field", { flag: "Deleted", old: proto3(order(MONEY)), new: proto3(order("message Money {}")), rules: [...DELETED_FIELD] }),
    pair("a new message", { flag: "Harmless", old: proto3(ORDER), new: proto3(ORDER, MONEY) }),
    pair("a new nested message", { flag: "Harmless", old: proto3(ORDER), new: proto3(order(MONEY, "string id = 1;")) }),
    pair("messages in another order", { flag: "Harmless", old: proto3(MONEY, ORDER), new: proto3(ORDER, MONEY) }),
    pair("a message is deprecated", { flag: "Harmless", old: proto3(ORDER), new: proto3(order("option deprecated = true;", "string id = 1;")) }),
    pair("a message moves to another file of its package", {
      flag: "Moved",
      old: { "order.proto": proto3(ORDER), "shop.proto": proto3(MONEY, "message A {}") },
      new: { "order.proto": proto3(ORDER, MONEY), "shop.proto": proto3("message A {}") },
      rules: ["MESSAGE_NO_DELETE"],
    }),
    pair("an enum moves to another file of its package", {
      flag: "Moved",
      old: { "order.proto": proto3(ORDER), "shop.proto": proto3(block("enum State", "STATE_UNSPECIFIED = 0;"), "message A {}") },
      new: { "order.proto": proto3(ORDER, block("enum State", "STATE_UNSPECIFIED = 0;")), "shop.proto": proto3("message A {}") },
      rules: ["ENUM_NO_DELETE"],
    }),
    pair("a service moves to another file of its package", {
      flag: "Moved",
      old: { "order.proto": proto3(ORDER), "shop.proto": proto3("message A {}", "service S {\n  rpc Get(A) returns (A);\n}") },
      new: { "order.proto": proto3('import "shop.proto";', ORDER, "service S {\n  rpc Get(A) returns (A);\n}"), "shop.proto": proto3("message A {}") },
      rules: ["SERVICE_NO_DELETE"],
    }),
    pair("a message moves to another file and loses a field there", {
      flag: "Moved",
      old: { "order.proto": proto3(ORDER), "shop.proto": proto3(MONEY) },
      new: { "order.proto": proto3(ORDER, "message Money {}"), "shop.proto": proto3() },
      rules: ["MESSAGE_NO_DELETE", ...DELETED_FIELD],
    }),
    pair("a message moves to another package", {
      flag: "Moved",
      old: { "order.proto": proto3(ORDER), "shop.proto": proto3(MONEY, "message A {}") },
      new: { "money.proto": proto3(MONEY).replace("shop.v1", "money.v1"), "order.proto": proto3(ORDER), "shop.proto": proto3("message A {}") },
      rules: [...DELETED_MESSAGE],
    }),
    pair("a file is deleted", {
      flag: "Deleted",
      old: { "order.proto": proto3(ORDER), "shop.proto": proto3(MONEY) },
      new: { "shop.proto": proto3(MONEY) },
      rules: ["FILE_NO_DELETE", "PACKAGE_MESSAGE_NO_DELETE"],
    }),
    pair("a file gets another name", {
      flag: "Moved",
      old: { "order.proto": proto3(ORDER), "shop.proto": proto3(MONEY) },
      new: { "orders.proto": proto3(ORDER), "shop.proto": proto3(MONEY) },
      rules: ["FILE_NO_DELETE"],
    }),
    pair("a package is deleted", {
      flag: "Deleted",
      old: { "old.proto": proto3(ORDER).replace("shop.v1", "old.v1"), "shop.proto": proto3(MONEY) },
      new: { "shop.proto": proto3(MONEY) },
      rules: ["FILE_NO_DELETE", "PACKAGE_NO_DELETE"],
    }),
    pair("a new file and a new package", {
      flag: "Harmless",
      old: { "shop.proto": proto3(MONEY) },
      new: { "more.proto": proto3(ORDER).replace("shop.v1", "more.v1"), "shop.proto": proto3(MONEY) },
    }),
    pair("another package", { flag: "Package", old: proto3(ORDER), new: proto3(ORDER).replace("shop.v1", "shop.v2"), rules: ["FILE_SAME_PACKAGE", "PACKAGE_NO_DELETE"] }),
    pair("a package is removed from its file", { flag: "Package", old: proto3(ORDER), new: proto3(ORDER).replace("package shop.v1;\n", ""), rules: ["FILE_SAME_PACKAGE", "PACKAGE_NO_DELETE"] }),
    pair("a file without a package gets one", { flag: "Package", old: proto3(ORDER).replace("package shop.v1;\n", ""), new: proto3(ORDER), rules: ["FILE_SAME_PACKAGE", "PACKAGE_NO_DELETE"] }),
    pair("proto2 becomes proto3", { flag: "Syntax", old: proto2(order("repeated string id = 1;")), new: proto3(order("repeated string id = 1;")), rules: ["FIELD_SAME_JAVA_UTF8_VALIDATION", "FIELD_SAME_UTF8_VALIDATION", "FILE_SAME_SYNTAX"] }),
    pair("proto3 becomes an edition", { flag: "Syntax", old: proto3(order("repeated string id = 1;")), new: edition2023(order("repeated string id = 1;")), rules: ["FILE_SAME_SYNTAX"] }),
    pair("proto2 is written", { flag: "Harmless", old: proto2(order("optional string id = 1;")).replace('syntax = "proto2";\n', ""), new: proto2(order("optional string id = 1;")) }),

    text("csharp_namespace", "FILE_SAME_CSHARP_NAMESPACE"),
    text("go_package", "FILE_SAME_GO_PACKAGE"),
    text("java_package", "FILE_SAME_JAVA_PACKAGE"),
    text("java_outer_classname", "FILE_SAME_JAVA_OUTER_CLASSNAME"),
    text("objc_class_prefix", "FILE_SAME_OBJC_CLASS_PREFIX"),
    text("php_class_prefix", "FILE_SAME_PHP_CLASS_PREFIX"),
    text("php_namespace", "FILE_SAME_PHP_NAMESPACE"),
    text("php_metadata_namespace", "FILE_SAME_PHP_METADATA_NAMESPACE"),
    text("ruby_package", "FILE_SAME_RUBY_PACKAGE"),
    text("swift_prefix", "FILE_SAME_SWIFT_PREFIX"),
    flag("java_multiple_files", "FILE_SAME_JAVA_MULTIPLE_FILES"),
    flag("cc_generic_services", "FILE_SAME_CC_GENERIC_SERVICES"),
    flag("java_generic_services", "FILE_SAME_JAVA_GENERIC_SERVICES"),
    flag("py_generic_services", "FILE_SAME_PY_GENERIC_SERVICES"),
    flag("cc_enable_arenas", "FILE_SAME_CC_ENABLE_ARENAS"),
    option("optimize_for", ["SPEED", "CODE_SIZE"], "FILE_SAME_OPTIMIZE_FOR"),
    pair("an option of a file is added", { flag: "Option", old: proto3(ORDER), new: proto3('option java_package = "shop";', ORDER), rules: ["FILE_SAME_JAVA_PACKAGE"] }),
    pair("an option of a file is removed", { flag: "Option", old: proto3('option go_package = "shop";', ORDER), new: proto3(ORDER), rules: ["FILE_SAME_GO_PACKAGE"] }),
    pair("the default of an option of a file is written", { flag: "Harmless", old: proto3(ORDER), new: proto3("option java_multiple_files = false;", "option optimize_for = SPEED;", "option cc_enable_arenas = true;", ORDER) }),
    pair("a file is deprecated", { flag: "Harmless", old: proto3(ORDER), new: proto3("option deprecated = true;", ORDER) }),
    pair("strings of an option in two parts", { flag: "Harmless", old: proto3('option go_package = "shop";', ORDER), new: proto3("option go_package = 'sh' \"op\";", ORDER) }),
    pair("java_string_check_utf8 is switched on", { flag: "Option", old: proto2(order("optional string id = 1;")), new: proto2("option java_string_check_utf8 = true;", order("optional string id = 1;")), rules: ["FIELD_SAME_JAVA_UTF8_VALIDATION"] }),
    pair("a message has no standard accessor", {
      flag: "Option",
      old: proto2(ORDER.replace("string", "optional string")),
      new: proto2(order("option no_standard_descriptor_accessor = true;", "optional string id = 1;")),
      rules: ["MESSAGE_NO_REMOVE_STANDARD_DESCRIPTOR_ACCESSOR"],
    }),
    pair("a message has a standard accessor again", {
      flag: "Harmless",
      old: proto2(order("option no_standard_descriptor_accessor = true;", "optional string id = 1;")),
      new: proto2(ORDER.replace("string", "optional string")),
    }),

    pair("an import is added", { flag: "Harmless", old: { "a.proto": proto3(MONEY), "shop.proto": proto3(ORDER) }, new: { "a.proto": proto3(MONEY), "shop.proto": proto3('import "a.proto";', order("string id = 1;", "Money n = 2;")) } }),
    pair("an unused import is removed", { flag: "Harmless", old: { "a.proto": proto3(MONEY), "shop.proto": proto3('import "a.proto";', ORDER) }, new: { "a.proto": proto3(MONEY), "shop.proto": proto3(ORDER) } }),
    pair("an imported type loses a field", {
      flag: "Deleted",
      old: { "a.proto": proto3(MONEY), "shop.proto": proto3('import "a.proto";', order("Money n = 1;")) },
      new: { "a.proto": proto3("message Money {}"), "shop.proto": proto3('import "a.proto";', order("Money n = 1;")) },
      rules: [...DELETED_FIELD],
    }),
    pair("an import is public no more", {
      flag: "Moved",
      old: { "a.proto": proto3(MONEY), "shop.proto": proto3('import public "a.proto";', ORDER) },
      new: { "a.proto": proto3(MONEY), "shop.proto": proto3('import "a.proto";', ORDER) },
    }),
    pair("comments, blank lines and another indentation", { flag: "Harmless", old: proto3(ORDER), new: proto3("", "/* An order. */", ORDER.replace("  string", "\tstring"), "", "// The end.") }),
    pair("the last message of a package is deleted", {
      flag: "Deleted",
      old: proto3(ORDER, block("enum State", "STATE_UNSPECIFIED = 0;")),
      new: proto3(block("enum State", "STATE_UNSPECIFIED = 0;")),
      rules: DELETED_MESSAGE,
      buf: { rules: ["MESSAGE_NO_DELETE"], why: "buf compares the messages of a package only while the new one has any" },
    }),
    pair("a file is split and imports its other half publicly", {
      flag: "Moved",
      old: { "shop.proto": proto3(MONEY, order("Money n = 1;")) },
      new: { "money.proto": proto3(MONEY), "shop.proto": proto3('import public "money.proto";', order("Money n = 1;")) },
      rules: ["MESSAGE_NO_DELETE"],
    }),
    pair("one edition becomes the next", {
      flag: "Syntax",
      old: edition2023(order("string id = 1;")),
      new: edition2023(order("string id = 1;")).replace("2023", "2024"),
      rules: ["FIELD_SAME_CPP_STRING_TYPE"],
    }),
    pair("a folder is renamed", {
      flag: "Moved",
      old: { "shop/a.proto": proto3(ORDER) },
      new: { "store/a.proto": proto3(ORDER) },
      rules: ["FILE_NO_DELETE"],
    }),
    pair("another generator option that the language does not define", {
      flag: "Harmless",
      old: { "o.proto": 'syntax = "proto2";\npackage o.v1;\nimport "google/protobuf/descriptor.proto";\nextend google.protobuf.FileOptions {\n  optional string team = 50000;\n}\n', "shop.proto": proto3('import "o.proto";', 'option (o.v1.team) = "a";', ORDER) },
      new: { "o.proto": 'syntax = "proto2";\npackage o.v1;\nimport "google/protobuf/descriptor.proto";\nextend google.protobuf.FileOptions {\n  optional string team = 50000;\n}\n', "shop.proto": proto3('import "o.proto";', 'option (o.v1.team) = "b";', ORDER) },
    }),
  ],
};
