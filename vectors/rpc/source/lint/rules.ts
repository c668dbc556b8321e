import { linted, type Group, type LintDraft, type LintSource } from "./craft.ts";

const file = (...lines: string[]): string => ['syntax = "proto3";', "package shop.v1;", ...lines, ""].join("\n");
const old = (...lines: string[]): string => file(...lines).replace("proto3", "proto2");
const MESSAGES = "message GetRequest {}\nmessage GetResponse {}";
const GET = "  rpc Get(GetRequest) returns (GetResponse);";
const service = (...methods: string[]): string => `service ShopService {\n${methods.join("\n")}\n}`;
const one = (note: string, flag: string, text: string): LintDraft => linted(note, text, { flag });
const chosen = (note: string, group: Group, text: string): LintDraft => linted(note, text, { flag: group === "comments" ? "Comments" : "Chosen", groups: [group] });
/** Files of several packages, each with the folder of its package. */
const other = (name: string, ...lines: string[]): string => ['syntax = "proto3";', `package ${name};`, ...lines, ""].join("\n");

export const source: LintSource = {
  about: "contracts and the rules of style that they break",
  spec: "rpc-contract#style",
  flags: {
    Names: { why: "names in another style", bug: "MISSING_CHECK" },
    Enums: { why: "values whose names or numbers mislead", bug: "MISSING_CHECK" },
    Files: { why: "files, folders and packages that disagree", bug: "MISSING_CHECK" },
    Imports: { why: "imports that nobody needs or nobody sees", bug: "MISSING_CHECK" },
    Methods: { why: "messages that cannot grow with their method", bug: "MISSING_CHECK" },
    Comments: { why: "elements without an explanation", bug: "MISSING_CHECK" },
    Chosen: { why: "rules that only some projects want", bug: "MISSING_CHECK" },
    Ignored: { why: "comments that switch rules off", bug: "TOO_STRICT" },
    Clean: { why: "a contract in good style", bug: "TOO_STRICT" },
  },
  vectors: [
    one("a whole contract in good style", "Clean", file("// An order.", "message Order {", "  string id = 1;", "  optional int32 line_count = 2;", "  oneof payment {", "    string card = 3;", "  }", "  enum Kind {", "    KIND_UNSPECIFIED = 0;", "    KIND_GIFT = 1;", "  }", "}", MESSAGES, service(GET))),
    one("an empty contract", "Clean", file()),

    one("a message with underscores", "Names", file("message ‹MESSAGE_PASCAL_CASE›shop_order {}")),
    one("a message that begins with a small letter", "Names", file("message ‹MESSAGE_PASCAL_CASE›order {}")),
    one("a message with an underscore between capitals", "Names", file("message ‹MESSAGE_PASCAL_CASE›Shop_Order {}")),
    one("messages with abbreviations and digits", "Clean", file("message HTTPOrder {}", "message Order2Go {}", "message V2 {}")),
    one("a nested message", "Names", file("message Order {", "  message ‹MESSAGE_PASCAL_CASE›line_item {}", "}")),
    one("a field in camel case", "Names", file("message Order {", "  string ‹FIELD_LOWER_SNAKE_CASE›lineCount = 1;", "}")),
    one("a field in capitals", "Names", file("message Order {", "  string ‹FIELD_LOWER_SNAKE_CASE›ID = 1;", "}")),
    one("fields with digits", "Clean", file("message Order {", "  string line2 = 1;", "  string line_3 = 2;", "  string a1b = 3;", "}")),
    one("a field with two underscores together", "Names", file("message Order {", "  string ‹FIELD_LOWER_SNAKE_CASE›line__count = 1;", "}")),
    one("a field with an underscore at the end", "Names", file("message Order {", "  string ‹FIELD_LOWER_SNAKE_CASE›line_ = 1;", "}")),
    one("a field with an underscore at the beginning", "Names", file("message Order {", "  string ‹FIELD_LOWER_SNAKE_CASE›_line = 1;", "}")),
    one("a field of a map and of a oneof", "Names", file("message Order {", "  map<string, string> ‹FIELD_LOWER_SNAKE_CASE›lineItems = 1;", "  oneof pay {", "    string ‹FIELD_LOWER_SNAKE_CASE›cardNumber = 2;", "  }", "}")),
    one("a oneof in camel case", "Names", file("message Order {", "  oneof ‹ONEOF_LOWER_SNAKE_CASE›payBy {", "    string card = 1;", "  }", "}")),
    one("an enum with underscores", "Names", file("enum ‹ENUM_PASCAL_CASE›order_state {", "  ORDER_STATE_UNSPECIFIED = 0;", "}")),
    one("a value in small letters", "Names", file("enum State {", "  STATE_UNSPECIFIED = 0;", "  ‹ENUM_VALUE_PREFIX, ENUM_VALUE_UPPER_SNAKE_CASE›state_open = 1;", "}")),
    one("a value in camel case", "Names", file("enum State {", "  STATE_UNSPECIFIED = 0;", "  ‹ENUM_VALUE_PREFIX, ENUM_VALUE_UPPER_SNAKE_CASE›StateOpen = 1;", "}")),
    one("a service that begins with a small letter", "Names", file(MESSAGES, `service ‹SERVICE_PASCAL_CASE›shopService {\n${GET}\n}`)),
    one("a service with another suffix", "Names", file(MESSAGES, `service ‹SERVICE_SUFFIX›Shop {\n${GET}\n}`)),
    one("a method in camel case", "Names", file(MESSAGES, service("  rpc ‹RPC_PASCAL_CASE›get(GetRequest) returns (GetResponse);"))),

    one("values without the name of their enum", "Enums", file("enum State {", "  STATE_UNSPECIFIED = 0;", "  ‹ENUM_VALUE_PREFIX›OPEN = 1;", "}")),
    one("the prefix of an enum with two words", "Enums", file("enum OrderState {", "  ORDER_STATE_UNSPECIFIED = 0;", "  ‹ENUM_VALUE_PREFIX›ORDERSTATE_OPEN = 1;", "}")),
    one("the prefix of an enum with an abbreviation", "Enums", file("enum HTTPState {", "  HTTP_STATE_UNSPECIFIED = 0;", "  ‹ENUM_VALUE_PREFIX›H_T_T_P_STATE_OPEN = 1;", "}")),
    one("a value that has only the letters of the prefix", "Enums", file("enum State {", "  STATE_UNSPECIFIED = 0;", "  ‹ENUM_VALUE_PREFIX›STATEMENT = 1;", "}")),
    one("another suffix of zero", "Enums", file("enum State {", "  ‹ENUM_ZERO_VALUE_SUFFIX›STATE_UNKNOWN = 0;", "}")),
    one("a first value that is not zero", "Enums", old("enum State {", "  ‹ENUM_FIRST_VALUE_ZERO›STATE_OPEN = 1;", "}")),
    one("a zero that is not first", "Enums", old("enum State {", "  ‹ENUM_FIRST_VALUE_ZERO›STATE_OPEN = 1;", "  STATE_UNSPECIFIED = 0;", "}")),
    one("an enum with aliases", "Enums", file("enum State {", "  option ‹ENUM_NO_ALLOW_ALIAS›allow_alias = true;", "  STATE_UNSPECIFIED = 0;", "  STATE_OPEN = 1;", "  STATE_ON = 1;", "}")),
    one("a nested enum", "Enums", file("message Order {", "  enum State {", "    ‹ENUM_VALUE_PREFIX, ENUM_ZERO_VALUE_SUFFIX›NONE = 0;", "  }", "}")),
    one("a required field", "Names", old("message Order {", "  required string ‹FIELD_NOT_REQUIRED›id = 1;", "}")),

    one("no package", "Files", '‹PACKAGE_DEFINED›syntax = "proto3";\n'),
    one("no syntax", "Files", "‹SYNTAX_SPECIFIED›package shop.v1;\n"),
    linted("a package without a version in its folder", { "shop/shop.proto": 'syntax = "proto3";\n‹PACKAGE_VERSION_SUFFIX›package shop;\n' }, { flag: "Files" }),
    linted("a package that is only a version", { "v1/shop.proto": 'syntax = "proto3";\n‹PACKAGE_VERSION_SUFFIX›package v1;\n' }, { flag: "Files" }),
    ...["v0", "version1", "v1x", "V1", "v1gamma1", "v1p"].map((version) =>
      linted(`the version ${version}`, { [`shop/${version}/shop.proto`]: `syntax = "proto3";\n‹PACKAGE_VERSION_SUFFIX${/[A-Z]/.test(version) ? ", PACKAGE_LOWER_SNAKE_CASE" : ""}›package shop.${version};\n` }, { flag: "Files" }),
    ),
    ...["v1", "v01", "v12", "v1beta1", "v2alpha3", "v1p1beta1", "v1p2alpha3", "v1test", "v1testing", "v1alpha", "v1beta"].map((version) =>
      linted(`the good version ${version}`, { [`shop/${version}/shop.proto`]: `syntax = "proto3";\npackage shop.${version};\n` }, { flag: "Clean" }),
    ),
    linted("a package with capitals", { "Shop/v1/shop.proto": 'syntax = "proto3";\n‹PACKAGE_LOWER_SNAKE_CASE›package Shop.v1;\n' }, { flag: "Files" }),
    linted("a file with capitals", { "shop/v1/ShopOrders.proto": '‹FILE_LOWER_SNAKE_CASE›syntax = "proto3";\npackage shop.v1;\n' }, { flag: "Files" }),
    linted("a file with a hyphen", { "shop/v1/shop-orders.proto": '‹FILE_LOWER_SNAKE_CASE›syntax = "proto3";\npackage shop.v1;\n' }, { flag: "Files" }),
    linted("a file in another folder", { "store/v1/shop.proto": 'syntax = "proto3";\n‹PACKAGE_DIRECTORY_MATCH›package shop.v1;\n' }, { flag: "Files" }),
    linted("a file in no folder", { "shop.proto": 'syntax = "proto3";\n‹PACKAGE_DIRECTORY_MATCH›package shop.v1;\n' }, { flag: "Files" }),
    linted("two packages in one folder", { "shop/v1/a.proto": 'syntax = "proto3";\n‹DIRECTORY_SAME_PACKAGE›package shop.v1;\n', "shop/v1/b.proto": 'syntax = "proto3";\n‹DIRECTORY_SAME_PACKAGE, PACKAGE_DIRECTORY_MATCH›package shop.v2;\n' }, { flag: "Files" }),
    linted("one package in two folders", { "shop/v1/a.proto": 'syntax = "proto3";\n‹PACKAGE_SAME_DIRECTORY›package shop.v1;\n', "more/v1/b.proto": 'syntax = "proto3";\n‹PACKAGE_DIRECTORY_MATCH, PACKAGE_SAME_DIRECTORY›package shop.v1;\n' }, { flag: "Files" }),
    ...["csharp_namespace", "go_package", "java_package", "php_namespace", "ruby_package", "swift_prefix"].map((option) =>
      linted(`two values of ${option} in one package`, { "shop/v1/a.proto": file(`option ‹PACKAGE_SAME_${option.toUpperCase()}›${option} = "a";`), "shop/v1/b.proto": file(`option ‹PACKAGE_SAME_${option.toUpperCase()}›${option} = "b";`) }, { flag: "Files" }),
    ),
    linted("one file of a package without java_multiple_files", { "shop/v1/a.proto": file("option ‹PACKAGE_SAME_JAVA_MULTIPLE_FILES›java_multiple_files = true;"), "shop/v1/b.proto": file().replace("syntax", "‹PACKAGE_SAME_JAVA_MULTIPLE_FILES›syntax") }, { flag: "Files" }),
    linted("packages that import each other", {
      "a/v1/a.proto": other("a.v1", 'import ‹PACKAGE_NO_IMPORT_CYCLE›"b/v1/b.proto";', "message A {", "  b.v1.B b = 1;", "}"),
      "a/v1/more.proto": other("a.v1", "message More {}"),
      "b/v1/b.proto": other("b.v1", 'import ‹PACKAGE_NO_IMPORT_CYCLE›"a/v1/more.proto";', "message B {", "  a.v1.More more = 1;", "}"),
    }, { flag: "Imports" }),

    linted("an import that is not used", { "shop/v1/a.proto": file("message A {}"), "shop/v1/b.proto": file('import ‹IMPORT_USED›"shop/v1/a.proto";', "message B {}") }, { flag: "Imports" }),
    linted("an import that is used", { "shop/v1/a.proto": file("message A {}"), "shop/v1/b.proto": file('import "shop/v1/a.proto";', "message B {", "  A a = 1;", "}") }, { flag: "Clean" }),
    linted("an import that only an option uses", {
      "shop/v1/a.proto": old('import "google/protobuf/descriptor.proto";', "extend google.protobuf.FieldOptions {", "  optional bool secret = 50000;", "}"),
      "shop/v1/b.proto": file('import "shop/v1/a.proto";', "message B {", "  string a = 1 [(shop.v1.secret) = true];", "}"),
    }, { flag: "Clean" }),
    linted("an import that is used through a public one", {
      "shop/v1/a.proto": file("message A {}"),
      "shop/v1/b.proto": file('import public ‹IMPORT_NO_PUBLIC›"shop/v1/a.proto";'),
      "shop/v1/c.proto": file('import "shop/v1/b.proto";', "message C {", "  A a = 1;", "}"),
    }, { flag: "Imports" }),
    one("a well-known type that is not used", "Imports", file('import ‹IMPORT_USED›"google/protobuf/empty.proto";', "message A {}")),

    one("a request with another name", "Methods", file("message Ask {}\nmessage GetResponse {}", service("  rpc ‹RPC_REQUEST_STANDARD_NAME›Get(Ask) returns (GetResponse);"))),
    one("a response with another name", "Methods", file("message GetRequest {}\nmessage Answer {}", service("  rpc ‹RPC_RESPONSE_STANDARD_NAME›Get(GetRequest) returns (Answer);"))),
    one("names with the service", "Clean", file("message ShopServiceGetRequest {}\nmessage ShopServiceGetResponse {}", service("  rpc Get(ShopServiceGetRequest) returns (ShopServiceGetResponse);"))),
    one("one message on both sides", "Methods", file("message GetRequest {}", service("  rpc ‹RPC_REQUEST_RESPONSE_UNIQUE, RPC_RESPONSE_STANDARD_NAME›Get(GetRequest) returns (GetRequest);"))),
    one("one request of two methods", "Methods", file(MESSAGES, "message TakeResponse {}", service("  rpc ‹RPC_REQUEST_RESPONSE_UNIQUE›Get(GetRequest) returns (GetResponse);", "  rpc ‹RPC_REQUEST_RESPONSE_UNIQUE, RPC_REQUEST_STANDARD_NAME›Take(GetRequest) returns (TakeResponse);"))),
    one("an empty message for a response", "Methods", file('import "google/protobuf/empty.proto";', "message GetRequest {}", service("  rpc ‹RPC_RESPONSE_STANDARD_NAME›Get(GetRequest) returns (google.protobuf.Empty);"))),
    one("a nested message for a request", "Clean", file("message Order {\n  message GetRequest {}\n}\nmessage GetResponse {}", service("  rpc Get(Order.GetRequest) returns (GetResponse);"))),

    chosen("a method with streams", "unary", file(MESSAGES, service("  rpc ‹RPC_NO_CLIENT_STREAMING, RPC_NO_SERVER_STREAMING›Get(stream GetRequest) returns (stream GetResponse);"))),
    chosen("a method without streams", "unary", file(MESSAGES, service(GET))),
    linted("a stable package that imports an unstable one", { "b/v1beta1/b.proto": other("b.v1beta1", "message B {}"), "a/v1/a.proto": other("a.v1", 'import ‹STABLE_PACKAGE_NO_IMPORT_UNSTABLE›"b/v1beta1/b.proto";', "message A {", "  b.v1beta1.B b = 1;", "}") }, { flag: "Chosen", groups: ["stable"] }),
    linted("an unstable package that imports a stable one", { "b/v1/b.proto": other("b.v1", "message B {}"), "a/v1alpha/a.proto": other("a.v1alpha", 'import "b/v1/b.proto";', "message A {", "  b.v1.B b = 1;", "}") }, { flag: "Clean", groups: ["stable"] }),

    chosen("nothing has a comment", "comments", file("message ‹COMMENT_MESSAGE›A {", "  string ‹COMMENT_FIELD›id = 1;", "  oneof ‹COMMENT_ONEOF›pay {", "    string ‹COMMENT_FIELD›card = 2;", "  }", "}", "enum ‹COMMENT_ENUM›State {", "  ‹COMMENT_ENUM_VALUE›STATE_UNSPECIFIED = 0;", "}", "service ‹COMMENT_SERVICE›ShopService {", "  rpc ‹COMMENT_RPC›Get(A) returns (A);", "}")),
    chosen("everything has a comment", "comments", file("// An order.", "message A {", "  // Its key.", "  string id = 1;", "  /* How to pay. */", "  oneof pay {", "    // By card.", "    string card = 2;", "  }", "}", "// A state.", "enum State {", "  // None.", "  STATE_UNSPECIFIED = 0;", "}", "// A shop.", "service ShopService {", "  // Gets it.", "  rpc Get(A) returns (A);", "}")),
    linted("a comment after the element", file("// An order.", "message A {", "  string id = 1; // Its key.", "}"), { flag: "Comments", groups: ["comments"], buf: { rules: ["shop/v1/shop.proto COMMENT_FIELD"], why: "buf reads only comments before an element" } }),
    chosen("an empty comment", "comments", file("//", "message ‹COMMENT_MESSAGE›A {}")),
    chosen("a comment with an empty line after it", "comments", file("// Something else.", "", "message ‹COMMENT_MESSAGE›A {}")),
    chosen("only an instruction for the linter", "comments", file("// touchstone-lint-ignore MESSAGE_PASCAL_CASE", "message ‹COMMENT_MESSAGE›a {}")),

    one("a comment switches a rule off", "Ignored", file("// touchstone-lint-ignore MESSAGE_PASCAL_CASE", "message shop_order {}")),
    one("a comment with a reason", "Ignored", file("// An order.", "// touchstone-lint-ignore MESSAGE_PASCAL_CASE: an old name", "message shop_order {}")),
    one("a comment for another rule", "Ignored", file("// touchstone-lint-ignore FIELD_LOWER_SNAKE_CASE", "message ‹MESSAGE_PASCAL_CASE›shop_order {}")),
    linted("a comment for two rules", file("enum State {", "  // touchstone-lint-ignore ENUM_ZERO_VALUE_SUFFIX, ENUM_VALUE_PREFIX", "  NONE = 0;", "}"), { flag: "Ignored", buf: { rules: ["shop/v1/shop.proto ENUM_VALUE_PREFIX"], why: "buf has a comment for each rule" } }),
    one("a comment of buf", "Ignored", file("// buf:lint:ignore MESSAGE_PASCAL_CASE", "message shop_order {}")),
    one("a comment on the element around it", "Ignored", file("// touchstone-lint-ignore FIELD_LOWER_SNAKE_CASE", "message Order {", "  string lineCount = 1;", "}", "message Other {", "  string ‹FIELD_LOWER_SNAKE_CASE›lineCount = 1;", "}")),
    linted("a comment on the package", ['syntax = "proto3";', "// touchstone-lint-ignore FIELD_LOWER_SNAKE_CASE PACKAGE_DIRECTORY_MATCH", "package store.v1;", "message Order {", "  string lineCount = 1;", "}", ""].join("\n"), { flag: "Ignored", buf: { rules: ["shop/v1/shop.proto FIELD_LOWER_SNAKE_CASE", "shop/v1/shop.proto PACKAGE_DIRECTORY_MATCH"], why: "buf reads only comments of the element and those around it" } }),
    linted("a comment after the element switches it off", file("message Order {", "  string lineCount = 1; // touchstone-lint-ignore FIELD_LOWER_SNAKE_CASE", "}"), { flag: "Ignored", buf: { rules: ["shop/v1/shop.proto FIELD_LOWER_SNAKE_CASE"], why: "buf reads only comments before an element" } }),
    linted("an import that only a value with braces uses", {
      "shop/v1/a.proto": old("message A {", "  extensions 100;", "}", "extend A {", "  optional bool deep = 100;", "}"),
      "shop/v1/b.proto": old('import "google/protobuf/descriptor.proto";', 'import "shop/v1/a.proto";', "extend google.protobuf.FieldOptions {", "  optional A rule = 50000;", "}"),
      "shop/v1/c.proto": old('import "shop/v1/a.proto";', 'import "shop/v1/b.proto";', "message C {", "  optional string a = 1 [(rule) = { [shop.v1.deep]: true }];", "}"),
    }, { flag: "Clean" }),
  ],
};
