import { type BreakingRule, type BreakingDraft, type BreakingSource, CARDINALITY, DELETED_FIELD, order, pair, proto2, proto3, TYPE, TYPE_BUT_WIRE } from "./craft.ts";

/** A change of the fields of one message in proto3. */
const fields = (note: string, flag: string, [old, changed]: readonly [string | readonly string[], string | readonly string[]], rules: readonly BreakingRule[] = []): BreakingDraft =>
  pair(note, { flag, old: proto3(order(...[old].flat())), new: proto3(order(...[changed].flat())), rules });
/** The same in proto2. */
const older = (note: string, flag: string, [old, changed]: readonly [string | readonly string[], string | readonly string[]], rules: readonly BreakingRule[] = []): BreakingDraft =>
  pair(note, { flag, old: proto2(order(...[old].flat())), new: proto2(order(...[changed].flat())), rules });
/** Another scalar type of field 1. */
const type = (from: string, to: string, rules: readonly BreakingRule[]): BreakingDraft => fields(`${from} to ${to}`, "Type", [`${from} n = 1;`, `${to} n = 1;`], rules);
/** A message has presence, a scalar of proto3 has none. */
const PRESENCE: readonly BreakingRule[] = ["FIELD_SAME_CARDINALITY", ...TYPE];
const SAME_JSON: readonly BreakingRule[] = ["FIELD_SAME_TYPE"];

/** A map that becomes a list. */
const NO_MAP: readonly BreakingRule[] = [...TYPE, "FIELD_SAME_CARDINALITY", "FIELD_WIRE_JSON_COMPATIBLE_CARDINALITY"];
const ENTRY: readonly BreakingRule[] = ["MESSAGE_NO_DELETE", "PACKAGE_MESSAGE_NO_DELETE"];
const ENTRY_WHY = "buf also reports the message of the entries, which no contract declares and no generated code offers: the change of the field says it";
const STATE = "enum State {\n  STATE_UNSPECIFIED = 0;\n  STATE_OPEN = 1;\n}";
const MONEY = "message Money {\n  int64 units = 1;\n}";
/** A change of field 1 beside an enum and another message. */
const typed = (note: string, [from, to]: readonly [string, string], rules: readonly BreakingRule[]): BreakingDraft =>
  pair(note, { flag: "Type", old: proto3(STATE, MONEY, order(`${from} n = 1;`)), new: proto3(STATE, MONEY, order(`${to} n = 1;`)), rules });

export const source: BreakingSource = {
  about: "changes of fields: their numbers, names, types, cardinality and options",
  spec: "rpc-contract#updating",
  flags: {
    Deleted: { why: "a field is no longer there", bug: "MISSING_CHECK" },
    Number: { why: "the number of a field now means something else", bug: "MISSING_CHECK" },
    Name: { why: "a field has another name in the contract or in JSON", bug: "MISSING_CHECK" },
    Type: { why: "a field has another type; some types share their encoding", bug: "WRONG_GROUP" },
    Cardinality: { why: "a field is repeated, a map, optional or required, and was not", bug: "MISSING_CHECK" },
    Default: { why: "a field that is not sent has another value", bug: "MISSING_CHECK" },
    Option: { why: "an option of a field changes the generated code or the encoding", bug: "MISSING_CHECK" },
    Harmless: { why: "a change that breaks nobody", bug: "TOO_STRICT" },
  },
  vectors: [
    fields("a field is deleted", "Deleted", [["string id = 1;", "int32 n = 2;"], "string id = 1;"], [...DELETED_FIELD]),
    fields("a field is deleted and its number reserved", "Deleted", [["string id = 1;", "int32 n = 2;"], ["reserved 2;", "string id = 1;"]], ["FIELD_NO_DELETE", "FIELD_NO_DELETE_UNLESS_NAME_RESERVED"]),
    fields("a field is deleted and its name reserved", "Deleted", [["string id = 1;", "int32 n = 2;"], ['reserved "n";', "string id = 1;"]], ["FIELD_NO_DELETE", "FIELD_NO_DELETE_UNLESS_NUMBER_RESERVED"]),
    fields("a field is deleted, its number and its name reserved", "Deleted", [["string id = 1;", "int32 n = 2;"], ["reserved 2;", 'reserved "n";', "string id = 1;"]], ["FIELD_NO_DELETE"]),
    fields("a field is deleted and its number reserved within a range", "Deleted", [["string id = 1;", "int32 n = 5;"], ["reserved 2 to 8;", 'reserved "n";', "string id = 1;"]], ["FIELD_NO_DELETE"]),
    fields("the only field is deleted", "Deleted", ["string id = 1;", "reserved 1;"], ["FIELD_NO_DELETE", "FIELD_NO_DELETE_UNLESS_NAME_RESERVED"]),
    fields("a field gets another number", "Number", ["string id = 1;", "string id = 2;"], [...DELETED_FIELD]),
    fields("two fields swap their numbers", "Number", [["string id = 1;", "string note = 2;"], ["string id = 2;", "string note = 1;"]], ["FIELD_SAME_JSON_NAME", "FIELD_SAME_NAME"]),
    fields("a number is used again for another field", "Number", [["string id = 1;", "int32 n = 2;"], ["string id = 1;", "string note = 2;"]], [...TYPE, "FIELD_SAME_JSON_NAME", "FIELD_SAME_NAME"]),
    fields("a field moves to a number of its own and leaves its old one to a new field", "Number", ["string id = 1;", ["int64 key = 1;", "string id = 2;"]], [...TYPE, "FIELD_SAME_JSON_NAME", "FIELD_SAME_NAME"]),

    fields("a field gets another name", "Name", ["string id = 1;", "string key = 1;"], ["FIELD_SAME_JSON_NAME", "FIELD_SAME_NAME"]),
    fields("a field gets another name and keeps its name in JSON", "Name", ["string id = 1;", 'string key = 1 [json_name = "id"];'], ["FIELD_SAME_NAME"]),
    fields("a field gets another name in JSON", "Name", ["string id = 1;", 'string id = 1 [json_name = "key"];'], ["FIELD_SAME_JSON_NAME"]),
    fields("a json_name that says what is the default", "Harmless", ["string first_name = 1;", 'string first_name = 1 [json_name = "firstName"];']),
    fields("a json_name is removed", "Name", ['string id = 1 [json_name = "key"];', "string id = 1;"], ["FIELD_SAME_JSON_NAME"]),
    fields("a name in camel case becomes one with underscores, the same in JSON", "Name", ["string firstName = 1;", "string first_name = 1;"], ["FIELD_SAME_NAME"]),

    type("int32", "uint32", SAME_JSON),
    type("int32", "int64", TYPE_BUT_WIRE),
    type("int32", "uint64", TYPE_BUT_WIRE),
    type("int64", "uint64", SAME_JSON),
    type("uint64", "int32", TYPE_BUT_WIRE),
    type("bool", "int32", TYPE_BUT_WIRE),
    type("uint64", "bool", TYPE_BUT_WIRE),
    type("int32", "sint32", TYPE),
    type("sint32", "sint64", TYPE_BUT_WIRE),
    type("sint64", "int64", TYPE),
    type("fixed32", "sfixed32", SAME_JSON),
    type("fixed64", "sfixed64", SAME_JSON),
    type("fixed32", "fixed64", TYPE),
    type("int32", "fixed32", TYPE),
    type("int64", "sfixed64", TYPE),
    type("float", "double", TYPE),
    type("float", "fixed32", TYPE),
    type("double", "fixed64", TYPE),
    type("int32", "double", TYPE),
    type("string", "bytes", TYPE_BUT_WIRE),
    type("bytes", "string", TYPE),
    type("string", "int32", TYPE),
    type("int64", "string", TYPE),
    type("bool", "string", TYPE),
    typed("an integer becomes an enum", ["int32", "State"], TYPE),
    typed("an enum becomes an integer", ["State", "int32"], TYPE),
    typed("an enum becomes a string", ["State", "string"], TYPE),
    typed("a message becomes bytes", ["Money", "bytes"], PRESENCE),
    typed("bytes become a message", ["bytes", "Money"], PRESENCE),
    typed("a message becomes a string", ["Money", "string"], PRESENCE),
    typed("a scalar becomes a message", ["int64", "Money"], PRESENCE),
    pair("a field gets another message of equal shape", {
      flag: "Type",
      old: proto3(MONEY, MONEY.replace("Money", "Cash"), order("Money n = 1;")),
      new: proto3(MONEY, MONEY.replace("Money", "Cash"), order("Cash n = 1;")),
      rules: [...TYPE],
    }),
    pair("a field gets a nested message of the same name", {
      flag: "Type",
      old: proto3(MONEY, order("Money n = 1;")),
      new: proto3(MONEY, order(MONEY, "Money n = 1;")),
      rules: [...TYPE],
    }),
    pair("a field gets a larger enum of another name", {
      flag: "Type",
      old: proto3(STATE, STATE.replace("State", "Larger").replaceAll("STATE", "LARGER").replace("}", "  LARGER_SHUT = 2;\n}"), order("State n = 1;")),
      new: proto3(STATE, STATE.replace("State", "Larger").replaceAll("STATE", "LARGER").replace("}", "  LARGER_SHUT = 2;\n}"), order("Larger n = 1;")),
      rules: [...TYPE],
    }),
    pair("a type is written with its package", { flag: "Harmless", old: proto3(MONEY, order("Money n = 1;")), new: proto3(MONEY, order(".shop.v1.Money n = 1;")) }),
    pair("a field gets a well-known type for a scalar", {
      flag: "Type",
      old: proto3('import "google/protobuf/wrappers.proto";', order("string n = 1;", "google.protobuf.StringValue m = 2;")),
      new: proto3('import "google/protobuf/wrappers.proto";', order("google.protobuf.StringValue n = 1;", "google.protobuf.StringValue m = 2;")),
      rules: PRESENCE,
    }),

    fields("a field becomes repeated", "Cardinality", ["string id = 1;", "repeated string id = 1;"], CARDINALITY),
    fields("a repeated field becomes single", "Cardinality", ["repeated string id = 1;", "string id = 1;"], CARDINALITY),
    fields("a number becomes repeated", "Cardinality", ["int32 n = 1;", "repeated int32 n = 1;"], CARDINALITY),
    fields("a field becomes optional", "Cardinality", ["string id = 1;", "optional string id = 1;"], ["FIELD_SAME_CARDINALITY"]),
    fields("an optional field loses its presence", "Cardinality", ["optional string id = 1;", "string id = 1;"], ["FIELD_SAME_CARDINALITY"]),
    pair("a message field becomes optional, which it was", { flag: "Harmless", old: proto3(MONEY, order("Money n = 1;")), new: proto3(MONEY, order("optional Money n = 1;")), rules: [] }),
    pair("a map becomes a repeated field", {
      flag: "Cardinality",
      old: proto3(order("map<string, int32> n = 1;")),
      new: proto3(order("repeated string n = 1;")),
      rules: NO_MAP,
      buf: { rules: [...NO_MAP, ...ENTRY], why: ENTRY_WHY },
    }),
    fields("a map gets another type of keys", "Cardinality", ["map<string, int32> n = 1;", "map<int64, int32> n = 1;"], [...TYPE]),
    fields("a map gets another type of values", "Cardinality", ["map<string, int32> n = 1;", "map<string, string> n = 1;"], [...TYPE]),
    fields("a map gets a type of values with the same encoding", "Cardinality", ["map<string, int32> n = 1;", "map<string, int64> n = 1;"], [...TYPE_BUT_WIRE]),
    pair("a map becomes a repeated message of the same shape", {
      flag: "Cardinality",
      old: proto3("message Pair {\n  string key = 1;\n  int32 value = 2;\n}", order("map<string, int32> n = 1;")),
      new: proto3("message Pair {\n  string key = 1;\n  int32 value = 2;\n}", order("repeated Pair n = 1;")),
      rules: NO_MAP,
      buf: { rules: [...NO_MAP, ...ENTRY], why: ENTRY_WHY },
    }),
    older("a required field is added", "Cardinality", ["optional string id = 1;", ["optional string id = 1;", "required int32 n = 2;"]], ["MESSAGE_SAME_REQUIRED_FIELDS"]),
    older("a required field is deleted", "Cardinality", [["optional string id = 1;", "required int32 n = 2;"], "optional string id = 1;"], [...DELETED_FIELD, "MESSAGE_SAME_REQUIRED_FIELDS"]),
    older("a required field is deleted and reserved", "Cardinality", [["optional string id = 1;", "required int32 n = 2;"], ["optional string id = 1;", "reserved 2;", 'reserved "n";']], ["FIELD_NO_DELETE", "MESSAGE_SAME_REQUIRED_FIELDS"]),
    older("an optional field becomes required", "Cardinality", ["optional string id = 1;", "required string id = 1;"], [...CARDINALITY, "MESSAGE_SAME_REQUIRED_FIELDS"]),
    older("a required field becomes optional", "Cardinality", ["required string id = 1;", "optional string id = 1;"], [...CARDINALITY, "MESSAGE_SAME_REQUIRED_FIELDS"]),
    older("a group becomes another type", "Type", ["optional group Line = 1 {\n  optional int32 n = 1;\n}", "optional int32 line = 1;"], [...TYPE, "MESSAGE_NO_DELETE", "PACKAGE_MESSAGE_NO_DELETE"]),

    older("a default changes", "Default", ['optional string id = 1 [default = "a"];', 'optional string id = 1 [default = "b"];'], ["FIELD_SAME_DEFAULT"]),
    older("a default is added", "Default", ["optional int32 n = 1;", "optional int32 n = 1 [default = 5];"], ["FIELD_SAME_DEFAULT"]),
    older("a default is removed", "Default", ["optional int32 n = 1 [default = 5];", "optional int32 n = 1;"], ["FIELD_SAME_DEFAULT"]),
    older("a default says what is the default", "Harmless", ["optional int32 n = 1;", "optional int32 n = 1 [default = 0];"]),
    older("a default in another notation", "Harmless", ["optional int32 n = 1 [default = 16];", "optional int32 n = 1 [default = 0x10];"]),
    older("a default of a floating-point number in another notation", "Harmless", ["optional double n = 1 [default = 1000];", "optional double n = 1 [default = 1e3];"]),
    older("a default becomes infinite", "Default", ["optional double n = 1 [default = 1];", "optional double n = 1 [default = inf];"], ["FIELD_SAME_DEFAULT"]),
    older("a default of a boolean changes", "Default", ["optional bool n = 1 [default = true];", "optional bool n = 1 [default = false];"], ["FIELD_SAME_DEFAULT"]),
    older("a default of an enum changes", "Default", ["enum State {\n  OPEN = 0;\n  SHUT = 1;\n}\noptional State n = 1 [default = OPEN];", "enum State {\n  OPEN = 0;\n  SHUT = 1;\n}\noptional State n = 1 [default = SHUT];"], ["FIELD_SAME_DEFAULT"]),
    older("a default of bytes in another notation", "Harmless", ['optional bytes n = 1 [default = "A"];', 'optional bytes n = 1 [default = "\\x41"];']),

    fields("packed is switched off", "Option", ["repeated int32 n = 1;", "repeated int32 n = 1 [packed = false];"]),
    older("packed is switched on", "Option", ["repeated int32 n = 1;", "repeated int32 n = 1 [packed = true];"]),
    fields("another type in JavaScript", "Option", ["int64 n = 1;", "int64 n = 1 [jstype = JS_STRING];"], ["FIELD_SAME_JSTYPE"]),
    fields("the default type in JavaScript is written", "Harmless", ["int64 n = 1;", "int64 n = 1 [jstype = JS_NORMAL];"]),
    fields("another type in C++", "Option", ["string id = 1;", "string id = 1 [ctype = CORD];"], ["FIELD_SAME_CPP_STRING_TYPE"]),
    fields("a field is deprecated", "Harmless", ["string id = 1;", "string id = 1 [deprecated = true];"]),
    fields("a new field with a new number", "Harmless", ["string id = 1;", ["string id = 1;", "int32 n = 2;"]]),
    fields("a new field between the others", "Harmless", [["string id = 1;", "string note = 3;"], ["string id = 1;", "int32 n = 2;", "string note = 3;"]]),
    fields("a new repeated field and a new map", "Harmless", ["string id = 1;", ["string id = 1;", "repeated int32 n = 2;", "map<string, int32> counts = 3;"]]),
    fields("fields in another order", "Harmless", [["string id = 1;", "int32 n = 2;"], ["int32 n = 2;", "string id = 1;"]]),
    fields("comments and blank lines", "Harmless", ["string id = 1;", ["// The key.", "string id = 1; // never empty", ""]]),
    older("a new optional field in proto2", "Harmless", ["required string id = 1;", ["required string id = 1;", "optional int32 n = 2;"]]),
    fields("several changes at once", "Number", [["string id = 1;", "int32 n = 2;", "bool open = 3;"], ["bytes id = 1;", "repeated int32 n = 2;", "bool is_open = 3;"]], [...TYPE_BUT_WIRE, ...CARDINALITY, "FIELD_SAME_JSON_NAME", "FIELD_SAME_NAME"]),
    older("a default of another type", "Default", ["optional int32 n = 1 [default = 5];", 'optional string n = 1 [default = "5"];'], [...TYPE, "FIELD_SAME_DEFAULT"]),
    older("a default goes with its type", "Default", ['optional string id = 1 [default = "a"];', "optional int32 id = 1;"], [...TYPE, "FIELD_SAME_DEFAULT"]),
    older("a default goes with its cardinality", "Default", ["optional int32 n = 1 [default = 5];", "repeated int32 n = 1;"], CARDINALITY),
    pair("an import of a well-known type goes with its field", {
      flag: "Deleted",
      old: proto3('import "google/protobuf/wrappers.proto";', order("google.protobuf.StringValue n = 1;")),
      new: proto3(order("reserved 1;", 'reserved "n";')),
      rules: ["FIELD_NO_DELETE"],
      buf: { rules: ["FIELD_NO_DELETE", "FILE_NO_DELETE", "PACKAGE_NO_DELETE"], why: "buf takes an imported file that is no longer imported for a deleted one" },
    }),
  ],
};
