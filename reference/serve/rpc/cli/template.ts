import type { Contract, Field, Message, ValueType } from "../../../rpc/contract/index.ts";

/** A message in JSON with every field, to be filled in. Recursive messages end after one turn. */
export function templateOf(contract: Contract, message: Message, above: readonly Message[] = []): unknown {
  const known = WELL_KNOWN[message.fullName];
  if (known !== undefined) return known;
  if (above.includes(message)) return {};
  const inside = [...above, message];
  const value = (type: ValueType): unknown => {
    if (type.is === "scalar") return SCALARS[type.scalar] ?? 0;
    if (type.is === "enum") return contract.enums.get(type.name)?.values[0]?.name;
    return templateOf(contract, contract.messages.get(type.name)!, inside);
  };
  const whole = ({ type, presence }: Field): unknown => {
    if (type.is === "map") return { [type.key === "string" ? "key" : String(SCALARS[type.key] ?? 0)]: value(type.value) };
    return presence === "repeated" ? [value(type)] : value(type);
  };
  return Object.fromEntries(message.fields.map((field) => [field.jsonName, whole(field)]));
}

/** Scalars whose JSON is not a number. */
const SCALARS: Readonly<Record<string, unknown>> = {
  string: "",
  bytes: "",
  bool: false,
  int64: "0",
  uint64: "0",
  sint64: "0",
  fixed64: "0",
  sfixed64: "0",
};
/** Messages with a JSON of their own. */
const WELL_KNOWN: Readonly<Record<string, unknown>> = {
  "google.protobuf.Timestamp": "2000-01-01T00:00:00Z",
  "google.protobuf.Duration": "0s",
  "google.protobuf.FieldMask": "",
  "google.protobuf.Struct": {},
  "google.protobuf.Value": null,
  "google.protobuf.ListValue": [],
  "google.protobuf.Any": { "@type": "type.googleapis.com/google.protobuf.Empty" },
  "google.protobuf.StringValue": "",
  "google.protobuf.BytesValue": "",
  "google.protobuf.BoolValue": false,
  "google.protobuf.Int64Value": "0",
  "google.protobuf.UInt64Value": "0",
  "google.protobuf.Int32Value": 0,
  "google.protobuf.UInt32Value": 0,
  "google.protobuf.FloatValue": 0,
  "google.protobuf.DoubleValue": 0,
};
