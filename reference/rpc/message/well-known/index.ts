/** Messages that many contracts share, generated from `contract/well-known/common.ts`. */
export { Any } from "./any.pb.ts";
export { Duration } from "./duration.pb.ts";
export { Empty } from "./empty.pb.ts";
export { FieldMask } from "./field-mask.pb.ts";
export { ListValue, NullValue, Struct, Value } from "./struct.pb.ts";
export { Timestamp } from "./timestamp.pb.ts";
export {
  BoolValue,
  BytesValue,
  DoubleValue,
  FloatValue,
  Int32Value,
  Int64Value,
  StringValue,
  UInt32Value,
  UInt64Value,
} from "./wrappers.pb.ts";
