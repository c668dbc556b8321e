import protobuf from "protobufjs";

/** A message in JSON with every field, to be filled in. Recursive messages end after one turn. */
export function templateOf(type: protobuf.Type, above: readonly protobuf.Type[] = []): unknown {
  const known = WELL_KNOWN[type.fullName];
  if (known !== undefined) return known;
  if (above.includes(type)) return {};
  const inside = [...above, type];
  const value = (field: protobuf.Field): unknown => {
    const { resolvedType } = field.resolve();
    if (resolvedType instanceof protobuf.Type) return templateOf(resolvedType, inside);
    if (resolvedType instanceof protobuf.Enum) return Object.keys(resolvedType.values)[0];
    return SCALARS[field.type] ?? 0;
  };
  const whole = (field: protobuf.Field): unknown => {
    if (field instanceof protobuf.MapField)
      return { [field.keyType === "string" ? "key" : String(SCALARS[field.keyType] ?? 0)]: value(field) };
    return field.repeated ? [value(field)] : value(field);
  };
  return Object.fromEntries(
    type.fieldsArray.map((field) => [(field.resolve() as { readonly jsonName?: string }).jsonName ?? field.name, whole(field)]),
  );
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
  ".google.protobuf.Timestamp": "2000-01-01T00:00:00Z",
  ".google.protobuf.Duration": "0s",
  ".google.protobuf.FieldMask": "",
  ".google.protobuf.Struct": {},
  ".google.protobuf.Value": null,
  ".google.protobuf.ListValue": [],
  ".google.protobuf.Any": { "@type": "type.googleapis.com/google.protobuf.Empty" },
  ".google.protobuf.StringValue": "",
  ".google.protobuf.BytesValue": "",
  ".google.protobuf.BoolValue": false,
  ".google.protobuf.Int64Value": "0",
  ".google.protobuf.UInt64Value": "0",
  ".google.protobuf.Int32Value": 0,
  ".google.protobuf.UInt32Value": 0,
  ".google.protobuf.FloatValue": 0,
  ".google.protobuf.DoubleValue": 0,
};
