/** Messages that many contracts share, with their comments: generated code has them, too. */
export const COMMON: Readonly<Record<string, string>> = {
  "google/protobuf/any.proto": `syntax = "proto3";
package google.protobuf;
// A message of any type.
message Any {
  // The full name of the type after the last slash, for example "type.example.com/package.Message".
  string type_url = 1;
  // The message as octets.
  bytes value = 2;
}
`,
  "google/protobuf/duration.proto": `syntax = "proto3";
package google.protobuf;
// A length of time, up to about 10,000 years. In JSON a string such as "1.5s".
message Duration {
  // Whole seconds, from -315,576,000,000 to 315,576,000,000.
  int64 seconds = 1;
  // Nanoseconds, with the sign of the seconds, less than a second.
  int32 nanos = 2;
}
`,
  "google/protobuf/empty.proto": `syntax = "proto3";
package google.protobuf;
// A message without content.
message Empty {}
`,
  "google/protobuf/field_mask.proto": `syntax = "proto3";
package google.protobuf;
// Names of fields, as paths. In JSON one string with commas.
message FieldMask {
  // Paths of names with points between them.
  repeated string paths = 1;
}
`,
  "google/protobuf/struct.proto": `syntax = "proto3";
package google.protobuf;
// A JSON object.
message Struct {
  // The members by name.
  map<string, Value> fields = 1;
}
// Any JSON value.
message Value {
  // Which kind of value it is; one has to be set.
  oneof kind {
    // The value null.
    NullValue null_value = 1;
    // A number; NaN and infinities have no JSON.
    double number_value = 2;
    // A string.
    string string_value = 3;
    // True or false.
    bool bool_value = 4;
    // An object.
    Struct struct_value = 5;
    // An array.
    ListValue list_value = 6;
  }
}
// The JSON value null.
enum NullValue {
  // The only value.
  NULL_VALUE = 0;
}
// A JSON array.
message ListValue {
  // The elements in their order.
  repeated Value values = 1;
}
`,
  "google/protobuf/timestamp.proto": `syntax = "proto3";
package google.protobuf;
// A point in time, from year 1 to year 9999. In JSON a string such as "2026-01-02T03:04:05.5Z".
message Timestamp {
  // Seconds since 1970-01-01T00:00:00Z.
  int64 seconds = 1;
  // Nanoseconds after that, from 0 to 999,999,999.
  int32 nanos = 2;
}
`,
  "google/protobuf/wrappers.proto": `syntax = "proto3";
package google.protobuf;
${(["double", "float", "int64", "uint64", "int32", "uint32", "bool", "string", "bytes"] as const)
  .map(
    (scalar) => `// A ${scalar} that may be absent.
message ${{ int64: "Int64", uint64: "UInt64", int32: "Int32", uint32: "UInt32", double: "Double", float: "Float", bool: "Bool", string: "String", bytes: "Bytes" }[scalar]}Value {
  // The value.
  ${scalar} value = 1;
}
`,
  )
  .join("")}`,
};
