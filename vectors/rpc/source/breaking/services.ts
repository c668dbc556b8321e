import { type BreakingDraft, type BreakingRule, type BreakingSource, block, order, pair, proto3 } from "./craft.ts";

const MESSAGES = "message GetRequest {}\nmessage GetResponse {}\nmessage OtherRequest {}\nmessage OtherResponse {}";
const shop = (...methods: string[]): string => block("service ShopService", ...methods);
const GET = "rpc Get(GetRequest) returns (GetResponse);";
const change = (note: string, flag: string, [old, changed]: readonly [string | readonly string[], string | readonly string[]], rules: readonly BreakingRule[] = []): BreakingDraft =>
  pair(note, { flag, old: proto3(MESSAGES, shop(...[old].flat())), new: proto3(MESSAGES, shop(...[changed].flat())), rules });
const idempotent = (level: string): string => block("rpc Get(GetRequest) returns (GetResponse)", `option idempotency_level = ${level};`);

export const source: BreakingSource = {
  about: "changes of services and their methods",
  spec: "rpc-contract#updating",
  flags: {
    Deleted: { why: "a method or a service is no longer there", bug: "MISSING_CHECK" },
    Type: { why: "a method takes or answers with another message", bug: "MISSING_CHECK" },
    Stream: { why: "a method streams that did not, or the reverse", bug: "MISSING_CHECK" },
    Idempotency: { why: "a method may be repeated that must not, or the reverse", bug: "MISSING_CHECK" },
    Harmless: { why: "a change that breaks nobody", bug: "TOO_STRICT" },
  },
  vectors: [
    change("a method is deleted", "Deleted", [[GET, "rpc Other(OtherRequest) returns (OtherResponse);"], GET], ["RPC_NO_DELETE"]),
    change("the last method is deleted", "Deleted", [GET, []], ["RPC_NO_DELETE"]),
    change("a method gets another name", "Deleted", [GET, "rpc Fetch(GetRequest) returns (GetResponse);"], ["RPC_NO_DELETE"]),
    change("a method gets a name in another case", "Deleted", [GET, "rpc get(GetRequest) returns (GetResponse);"], ["RPC_NO_DELETE"]),
    change("another type of requests", "Type", [GET, "rpc Get(OtherRequest) returns (GetResponse);"], ["RPC_SAME_REQUEST_TYPE"]),
    change("another type of responses", "Type", [GET, "rpc Get(GetRequest) returns (OtherResponse);"], ["RPC_SAME_RESPONSE_TYPE"]),
    change("other types of both", "Type", [GET, "rpc Get(OtherRequest) returns (OtherResponse);"], ["RPC_SAME_REQUEST_TYPE", "RPC_SAME_RESPONSE_TYPE"]),
    change("types written with their package", "Harmless", [GET, "rpc Get(shop.v1.GetRequest) returns (.shop.v1.GetResponse);"]),
    change("requests become a stream", "Stream", [GET, "rpc Get(stream GetRequest) returns (GetResponse);"], ["RPC_SAME_CLIENT_STREAMING"]),
    change("responses become a stream", "Stream", [GET, "rpc Get(GetRequest) returns (stream GetResponse);"], ["RPC_SAME_SERVER_STREAMING"]),
    change("both become streams", "Stream", [GET, "rpc Get(stream GetRequest) returns (stream GetResponse);"], ["RPC_SAME_CLIENT_STREAMING", "RPC_SAME_SERVER_STREAMING"]),
    change("a stream of requests becomes one request", "Stream", ["rpc Get(stream GetRequest) returns (GetResponse);", GET], ["RPC_SAME_CLIENT_STREAMING"]),
    change("a stream of responses becomes one response", "Stream", ["rpc Get(GetRequest) returns (stream GetResponse);", GET], ["RPC_SAME_SERVER_STREAMING"]),
    change("a stream changes its direction", "Stream", ["rpc Get(GetRequest) returns (stream GetResponse);", "rpc Get(stream GetRequest) returns (GetResponse);"], ["RPC_SAME_CLIENT_STREAMING", "RPC_SAME_SERVER_STREAMING"]),
    change("a method becomes idempotent", "Idempotency", [GET, idempotent("IDEMPOTENT")], ["RPC_SAME_IDEMPOTENCY_LEVEL"]),
    change("a method is no longer idempotent", "Idempotency", [idempotent("IDEMPOTENT"), GET], ["RPC_SAME_IDEMPOTENCY_LEVEL"]),
    change("a method gets side effects", "Idempotency", [idempotent("NO_SIDE_EFFECTS"), idempotent("IDEMPOTENT")], ["RPC_SAME_IDEMPOTENCY_LEVEL"]),
    change("the default level is written", "Harmless", [GET, idempotent("IDEMPOTENCY_UNKNOWN")]),
    change("a new method", "Harmless", [GET, [GET, "rpc Other(OtherRequest) returns (OtherResponse);"]]),
    change("methods in another order", "Harmless", [[GET, "rpc Other(OtherRequest) returns (OtherResponse);"], ["rpc Other(OtherRequest) returns (OtherResponse);", GET]]),
    change("a method is deprecated", "Harmless", [GET, block("rpc Get(GetRequest) returns (GetResponse)", "option deprecated = true;")]),
    change("a method with braces instead of a semicolon", "Harmless", [GET, "rpc Get(GetRequest) returns (GetResponse) {}"]),
    pair("a service is deleted", { flag: "Deleted", old: proto3(MESSAGES, shop(GET)), new: proto3(MESSAGES), rules: ["PACKAGE_SERVICE_NO_DELETE", "SERVICE_NO_DELETE"] }),
    pair("a service gets another name", { flag: "Deleted", old: proto3(MESSAGES, shop(GET)), new: proto3(MESSAGES, shop(GET).replace("ShopService", "StoreService")), rules: ["PACKAGE_SERVICE_NO_DELETE", "SERVICE_NO_DELETE"] }),
    pair("a new service", { flag: "Harmless", old: proto3(MESSAGES, shop(GET)), new: proto3(MESSAGES, shop(GET), block("service MoreService", GET)) }),
    pair("a method moves to another service", {
      flag: "Deleted",
      old: proto3(MESSAGES, shop(GET), "service MoreService {}"),
      new: proto3(MESSAGES, shop(), block("service MoreService", GET)),
      rules: ["RPC_NO_DELETE"],
    }),
    pair("services in another order", { flag: "Harmless", old: proto3(MESSAGES, shop(GET), "service MoreService {}"), new: proto3(MESSAGES, "service MoreService {}", shop(GET)) }),
    pair("the type of a method is deleted and replaced", {
      flag: "Type",
      old: proto3("message A {}", "message B {}", shop("rpc Get(A) returns (B);")),
      new: proto3("message C {}", "message B {}", shop("rpc Get(C) returns (B);")),
      rules: ["MESSAGE_NO_DELETE", "PACKAGE_MESSAGE_NO_DELETE", "RPC_SAME_REQUEST_TYPE"],
    }),
    pair("a method takes a nested message of the same name", {
      flag: "Type",
      old: proto3("message A {}", "message B {}", shop("rpc Get(A) returns (B);")),
      new: proto3("message A {}", "message B {}", order("message A {}"), shop("rpc Get(Order.A) returns (B);")),
      rules: ["RPC_SAME_REQUEST_TYPE"],
    }),
    pair("a message of requests gets a new field and one of responses loses one", {
      flag: "Type",
      old: proto3("message A {}", "message B {\n  int32 n = 1;\n}", shop("rpc Get(A) returns (B);")),
      new: proto3("message A {\n  int32 n = 1;\n}", "message B {\n  reserved 1;\n}", shop("rpc Get(A) returns (B);")),
      rules: ["FIELD_NO_DELETE", "FIELD_NO_DELETE_UNLESS_NAME_RESERVED"],
    }),
    pair("the last service of a package is deleted with its messages", {
      flag: "Deleted",
      old: proto3("message A {}", shop("rpc Get(A) returns (A);"), "enum State {\n  STATE_UNSPECIFIED = 0;\n}"),
      new: proto3("enum State {\n  STATE_UNSPECIFIED = 0;\n}"),
      rules: ["MESSAGE_NO_DELETE", "PACKAGE_MESSAGE_NO_DELETE", "PACKAGE_SERVICE_NO_DELETE", "SERVICE_NO_DELETE"],
      buf: { rules: ["MESSAGE_NO_DELETE", "PACKAGE_SERVICE_NO_DELETE", "SERVICE_NO_DELETE"], why: "buf compares the messages of a package only while the new one has any" },
    }),
  ],
};
