import { type BreakingDraft, type BreakingRule, type BreakingSource, block, DELETED_VALUE, edition2023, order, pair, proto2, proto3 } from "./craft.ts";

const state = (...values: string[]): string => block("enum State", "STATE_UNSPECIFIED = 0;", ...values);
const DELETED: readonly BreakingRule[] = ["ENUM_NO_DELETE", "PACKAGE_ENUM_NO_DELETE"];
const LAST = { rules: ["ENUM_NO_DELETE"], why: "buf compares the enums of a package only while the new one has any" } as const;
const change = (note: string, flag: string, [old, changed]: readonly [readonly string[], readonly string[]], rules: readonly BreakingRule[] = []): BreakingDraft =>
  pair(note, { flag, old: proto3(state(...old)), new: proto3(state(...changed)), rules });

export const source: BreakingSource = {
  about: "changes of enums and their values",
  spec: "rpc-contract#updating",
  flags: {
    Deleted: { why: "a value or an enum is no longer there", bug: "MISSING_CHECK" },
    Name: { why: "the number of a value has another name", bug: "MISSING_CHECK" },
    Reserved: { why: "a reservation that protected old messages is gone", bug: "MISSING_CHECK" },
    Kind: { why: "an enum is open that was closed, or the reverse, or has no form in JSON", bug: "MISSING_CHECK" },
    Harmless: { why: "a change that breaks nobody", bug: "TOO_STRICT" },
  },
  vectors: [
    change("a value is deleted", "Deleted", [["STATE_OPEN = 1;"], []], [...DELETED_VALUE]),
    change("a value is deleted and its number reserved", "Deleted", [["STATE_OPEN = 1;"], ["reserved 1;"]], ["ENUM_VALUE_NO_DELETE", "ENUM_VALUE_NO_DELETE_UNLESS_NAME_RESERVED"]),
    change("a value is deleted and its name reserved", "Deleted", [["STATE_OPEN = 1;"], ['reserved "STATE_OPEN";']], ["ENUM_VALUE_NO_DELETE", "ENUM_VALUE_NO_DELETE_UNLESS_NUMBER_RESERVED"]),
    change("a value is deleted, its number and its name reserved", "Deleted", [["STATE_OPEN = 1;"], ["reserved 1;", 'reserved "STATE_OPEN";']], ["ENUM_VALUE_NO_DELETE"]),
    change("a value is deleted, its number reserved in a range to the largest", "Deleted", [["STATE_OPEN = 7;"], ["reserved 5 to max;", 'reserved "STATE_OPEN";']], ["ENUM_VALUE_NO_DELETE"]),
    change("a negative value is deleted and reserved", "Deleted", [["STATE_BAD = -2;"], ["reserved -5 to -1;", 'reserved "STATE_BAD";']], ["ENUM_VALUE_NO_DELETE"]),
    change("a value gets another number", "Deleted", [["STATE_OPEN = 1;"], ["STATE_OPEN = 2;"]], ["ENUM_VALUE_NO_DELETE", "ENUM_VALUE_NO_DELETE_UNLESS_NAME_RESERVED", "ENUM_VALUE_NO_DELETE_UNLESS_NUMBER_RESERVED"]),
    change("a value gets another name", "Name", [["STATE_OPEN = 1;"], ["STATE_OPENED = 1;"]], ["ENUM_VALUE_SAME_NAME"]),
    change("a number is used again for another value", "Name", [["STATE_OPEN = 1;", "STATE_SHUT = 2;"], ["STATE_SHUT = 1;"]], [...DELETED_VALUE, "ENUM_VALUE_SAME_NAME"]),
    change("two values swap their numbers", "Name", [["STATE_OPEN = 1;", "STATE_SHUT = 2;"], ["STATE_OPEN = 2;", "STATE_SHUT = 1;"]], ["ENUM_VALUE_SAME_NAME"]),
    pair("the value of zero gets another name", { flag: "Name", old: proto3(block("enum State", "STATE_UNSPECIFIED = 0;")), new: proto3(block("enum State", "STATE_UNKNOWN = 0;")), rules: ["ENUM_VALUE_SAME_NAME"] }),
    change("an alias is added", "Harmless", [["option allow_alias = true;", "STATE_OPEN = 1;", "STATE_OPENED = 1;"], ["option allow_alias = true;", "STATE_OPEN = 1;", "STATE_OPENED = 1;", "STATE_ON = 1;"]], []),
    change("the first alias is added", "Harmless", [["STATE_OPEN = 1;"], ["option allow_alias = true;", "STATE_OPEN = 1;", "STATE_ON = 1;"]], []),
    change("an alias is removed", "Name", [["option allow_alias = true;", "STATE_OPEN = 1;", "STATE_ON = 1;"], ["STATE_OPEN = 1;"]], ["ENUM_VALUE_SAME_NAME"]),
    change("an alias gets another name", "Name", [["option allow_alias = true;", "STATE_OPEN = 1;", "STATE_ON = 1;"], ["option allow_alias = true;", "STATE_OPEN = 1;", "STATE_LIVE = 1;"]], ["ENUM_VALUE_SAME_NAME"]),
    change("a value gets another name and the old one is an alias", "Harmless", [["STATE_OPEN = 1;"], ["option allow_alias = true;", "STATE_OPENED = 1;", "STATE_OPEN = 1;"]], []),
    change("a value and its alias are deleted", "Deleted", [["option allow_alias = true;", "STATE_OPEN = 1;", "STATE_ON = 1;"], []], [...DELETED_VALUE]),
    change("a value and its alias are deleted, one name reserved", "Deleted", [["option allow_alias = true;", "STATE_OPEN = 1;", "STATE_ON = 1;"], ["reserved 1;", 'reserved "STATE_ON";']], ["ENUM_VALUE_NO_DELETE", "ENUM_VALUE_NO_DELETE_UNLESS_NAME_RESERVED"]),

    change("a reserved number of an enum is removed", "Reserved", [["reserved 5;"], []], ["RESERVED_ENUM_NO_DELETE"]),
    change("a reserved range of an enum becomes shorter", "Reserved", [["reserved 5 to 9;"], ["reserved 5 to 8;"]], ["RESERVED_ENUM_NO_DELETE"]),
    change("a reserved name of an enum is removed", "Reserved", [['reserved "STATE_OLD";'], []], ["RESERVED_ENUM_NO_DELETE"]),
    change("reservations of an enum are added", "Harmless", [["STATE_OPEN = 1;"], ["STATE_OPEN = 1;", "reserved 5 to max;", 'reserved "STATE_OLD";']]),
    change("a new value", "Harmless", [["STATE_OPEN = 1;"], ["STATE_OPEN = 1;", "STATE_SHUT = 2;"]]),
    change("values in another order", "Harmless", [["STATE_OPEN = 1;", "STATE_SHUT = 2;"], ["STATE_SHUT = 2;", "STATE_OPEN = 1;"]]),
    change("a value is deprecated", "Harmless", [["STATE_OPEN = 1;"], ["STATE_OPEN = 1 [deprecated = true];"]]),
    change("a number in hexadecimal", "Harmless", [["STATE_OPEN = 16;"], ["STATE_OPEN = 0x10;"]]),

    pair("an enum is deleted", { flag: "Deleted", old: proto3(state(), order("string id = 1;")), new: proto3(order("string id = 1;")), rules: DELETED, buf: LAST }),
    pair("a nested enum is deleted", { flag: "Deleted", old: proto3(order(state(), "string id = 1;")), new: proto3(order("string id = 1;")), rules: DELETED, buf: LAST }),
    pair("an enum is deleted beside another", { flag: "Deleted", old: proto3(state(), "enum Kind {\n  KIND_UNSPECIFIED = 0;\n}"), new: proto3("enum Kind {\n  KIND_UNSPECIFIED = 0;\n}"), rules: DELETED }),
    pair("an enum gets another name", { flag: "Deleted", old: proto3(state()), new: proto3(state().replace("State", "Status")), rules: ["ENUM_NO_DELETE", "PACKAGE_ENUM_NO_DELETE"] }),
    pair("an enum moves into a message", { flag: "Deleted", old: proto3(state(), order()), new: proto3(order(state())), rules: ["ENUM_NO_DELETE", "PACKAGE_ENUM_NO_DELETE"] }),
    pair("a new enum", { flag: "Harmless", old: proto3(order()), new: proto3(order(), state()) }),
    pair("an open enum becomes closed", {
      flag: "Kind",
      old: edition2023(state("STATE_OPEN = 1;")),
      new: edition2023(state("option features.enum_type = CLOSED;", "STATE_OPEN = 1;")),
      rules: ["ENUM_SAME_TYPE"],
    }),
    pair("a closed enum becomes open", {
      flag: "Kind",
      old: edition2023("option features.enum_type = CLOSED;", state("STATE_OPEN = 1;")),
      new: edition2023(state("STATE_OPEN = 1;")),
      rules: ["ENUM_SAME_TYPE"],
    }),
    pair("an enum loses its form in JSON", {
      flag: "Kind",
      old: edition2023(state("STATE_OPEN = 1;")),
      new: edition2023(state("option features.json_format = LEGACY_BEST_EFFORT;", "STATE_OPEN = 1;")),
      rules: ["ENUM_SAME_JSON_FORMAT"],
    }),
    pair("the values of an enum of proto2 change their order, and so the default of a field", {
      flag: "Kind",
      old: proto2(block("enum State", "OPEN = 1;", "SHUT = 2;"), order("optional State state = 1;")),
      new: proto2(block("enum State", "SHUT = 2;", "OPEN = 1;"), order("optional State state = 1;")),
      rules: ["FIELD_SAME_DEFAULT"],
    }),
    pair("a value of a closed enum is added", { flag: "Harmless", old: proto2(block("enum State", "OPEN = 1;")), new: proto2(block("enum State", "OPEN = 1;", "SHUT = 2;")) }),
    pair("a value of a nested enum is deleted", { flag: "Deleted", old: proto3(order(state("STATE_OPEN = 1;"))), new: proto3(order(state())), rules: [...DELETED_VALUE] }),
    pair("a field gets a nested enum of the same name and values", {
      flag: "Kind",
      old: proto3(state("STATE_OPEN = 1;"), order("State state = 1;")),
      new: proto3(state("STATE_OPEN = 1;"), order(state("STATE_OPEN = 1;"), "State state = 1;")),
      rules: ["FIELD_SAME_TYPE"],
    }),
    pair("a field gets a nested enum of the same name and more values", {
      flag: "Kind",
      old: proto3(state("STATE_OPEN = 1;"), order("State state = 1;")),
      new: proto3(state("STATE_OPEN = 1;"), order(state("STATE_OPEN = 1;", "STATE_SHUT = 2;"), "State state = 1;")),
      rules: ["FIELD_SAME_TYPE"],
    }),
    pair("a field gets a nested enum of the same name and fewer values", {
      flag: "Kind",
      old: proto3(state("STATE_OPEN = 1;"), order("State state = 1;")),
      new: proto3(state("STATE_OPEN = 1;"), order(state(), "State state = 1;")),
      rules: ["FIELD_SAME_TYPE", "FIELD_WIRE_COMPATIBLE_TYPE", "FIELD_WIRE_JSON_COMPATIBLE_TYPE"],
    }),
    pair("a field gets a nested enum of the same name with other names of values", {
      flag: "Kind",
      old: proto3(state("STATE_OPEN = 1;"), order("State state = 1;")),
      new: proto3(state("STATE_OPEN = 1;"), order(state("STATE_LIVE = 1;"), "State state = 1;")),
      rules: ["FIELD_SAME_TYPE", "FIELD_WIRE_JSON_COMPATIBLE_TYPE"],
      buf: {
        rules: ["FIELD_SAME_TYPE", "FIELD_WIRE_COMPATIBLE_TYPE", "FIELD_WIRE_JSON_COMPATIBLE_TYPE"],
        why: "buf compares the names of the values too, which binary messages do not have",
      },
    }),
  ],
};
