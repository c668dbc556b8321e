import { type BreakingDraft, type BreakingRule, type BreakingSource, block, DELETED_FIELD, edition2023, order, pair, proto3 } from "./craft.ts";

const ONE = "oneof pay {\n  string card = 1;\n  string cash = 2;\n}";
const change = (note: string, flag: string, [old, changed]: readonly [readonly string[], readonly string[]], rules: readonly BreakingRule[] = []): BreakingDraft =>
  pair(note, { flag, old: proto3(order(...old)), new: proto3(order(...changed)), rules });

export const source: BreakingSource = {
  about: "changes of oneofs and of reserved numbers and names",
  spec: "rpc-contract#updating",
  flags: {
    Oneof: { why: "a field moves into, out of, or between oneofs, or a oneof disappears", bug: "MISSING_CHECK" },
    Reserved: { why: "a reservation that protected old messages is gone", bug: "MISSING_CHECK" },
    Harmless: { why: "a change that breaks nobody", bug: "TOO_STRICT" },
  },
  vectors: [
    change("a field moves into a new oneof", "Oneof", [["string card = 1;"], ["oneof pay {\n  string card = 1;\n}"]], ["FIELD_SAME_CARDINALITY", "FIELD_SAME_ONEOF"]),
    change("two fields move into a new oneof", "Oneof", [["string card = 1;", "string cash = 2;"], [ONE]], ["FIELD_SAME_CARDINALITY", "FIELD_SAME_ONEOF"]),
    change("a field moves into an existing oneof", "Oneof", [[ONE, "string note = 3;"], [ONE.replace("}", "  string note = 3;\n}")]], ["FIELD_SAME_CARDINALITY", "FIELD_SAME_ONEOF"]),
    change("a field moves out of a oneof", "Oneof", [[ONE], ["oneof pay {\n  string card = 1;\n}", "string cash = 2;"]], ["FIELD_SAME_CARDINALITY", "FIELD_SAME_ONEOF"]),
    change("a oneof is dissolved", "Oneof", [[ONE], ["string card = 1;", "string cash = 2;"]], ["FIELD_SAME_CARDINALITY", "FIELD_SAME_ONEOF", "ONEOF_NO_DELETE"]),
    change("a oneof is deleted with its fields", "Oneof", [[ONE, "string id = 3;"], ["string id = 3;"]], [...DELETED_FIELD, "ONEOF_NO_DELETE"]),
    change("a oneof is deleted, its numbers and names reserved", "Oneof", [[ONE, "string id = 3;"], ["string id = 3;", "reserved 1, 2;", 'reserved "card", "cash";']], ["FIELD_NO_DELETE", "ONEOF_NO_DELETE"]),
    change("a oneof gets another name", "Oneof", [[ONE], [ONE.replace("pay", "payment")]], ["FIELD_SAME_ONEOF", "ONEOF_NO_DELETE"]),
    change("a field moves from one oneof to another", "Oneof", [[ONE, "oneof other {\n  string x = 3;\n}"], ["oneof pay {\n  string card = 1;\n}", "oneof other {\n  string cash = 2;\n  string x = 3;\n}"]], ["FIELD_SAME_ONEOF"]),
    change("an optional field moves into a oneof", "Oneof", [["optional string card = 1;"], ["oneof pay {\n  string card = 1;\n}"]], ["FIELD_SAME_ONEOF"]),
    change("a new field in a oneof", "Harmless", [[ONE], [ONE.replace("}", "  string note = 3;\n}")]]),
    change("a new oneof with new fields", "Harmless", [["string id = 3;"], ["string id = 3;", ONE]]),
    change("a oneof in another place of its message", "Harmless", [["string id = 3;", ONE], [ONE, "string id = 3;"]]),
    change("a field of a oneof is deleted", "Oneof", [[ONE], ["oneof pay {\n  string card = 1;\n}"]], [...DELETED_FIELD]),

    change("a reserved number is no longer reserved", "Reserved", [["reserved 5;"], []], ["RESERVED_MESSAGE_NO_DELETE"]),
    change("a reserved range is cut in two", "Reserved", [["reserved 5 to 9;"], ["reserved 5 to 6, 8 to 9;"]], ["RESERVED_MESSAGE_NO_DELETE"]),
    change("a reserved range becomes shorter", "Reserved", [["reserved 5 to 9;"], ["reserved 5 to 8;"]], ["RESERVED_MESSAGE_NO_DELETE"]),
    change("a reserved range becomes longer", "Harmless", [["reserved 5 to 9;"], ["reserved 4 to 10;"]]),
    change("a reserved range is written as two", "Reserved", [["reserved 5 to 9;"], ["reserved 5 to 6, 7 to 9;"]]),
    change("a reserved range without an end gets one", "Reserved", [["reserved 5 to max;"], ["reserved 5 to 1000;"]], ["RESERVED_MESSAGE_NO_DELETE"]),
    change("a reserved name is no longer reserved", "Reserved", [['reserved "note";'], []], ["RESERVED_MESSAGE_NO_DELETE"]),
    change("a reserved number is used again", "Reserved", [["reserved 5;"], ["string note = 5;"]], ["RESERVED_MESSAGE_NO_DELETE"]),
    change("a reserved name is used again", "Reserved", [['reserved "note";'], ["string note = 5;"]], ["RESERVED_MESSAGE_NO_DELETE"]),
    change("reservations are added", "Harmless", [["string id = 1;"], ["string id = 1;", "reserved 5, 7 to 9;", 'reserved "note";']]),
    change("reservations in another order", "Harmless", [["reserved 5, 9;", 'reserved "a", "b";'], ["reserved 9, 5;", 'reserved "b";', 'reserved "a";']]),
    pair("a reserved name as an identifier is removed", { flag: "Reserved", old: edition2023(order("reserved note;")), new: edition2023(order()), rules: ["RESERVED_MESSAGE_NO_DELETE"] }),
    pair("a reserved number of a nested message is removed", {
      flag: "Reserved",
      old: proto3(order(block("message Line", "reserved 5;"))),
      new: proto3(order(block("message Line"))),
      rules: ["RESERVED_MESSAGE_NO_DELETE"],
    }),
  ],
};
