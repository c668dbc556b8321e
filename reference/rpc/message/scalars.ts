import { MessageReader, Wire } from "./reader.ts";
import type { ScalarName } from "./types.ts";
import type { MessageWriter } from "./writer.ts";

/** How values of one type are checked and written. */
export type Scalar = {
  readonly wire: number;
  /** What a field without presence has when nothing was sent. */
  readonly zero: unknown;
  readonly isZero: (value: unknown) => boolean;
  /** Writes a value; false if it is not of the type. */
  readonly write: (writer: MessageWriter, value: unknown) => boolean;
  readonly read: (reader: MessageReader, isLenient: boolean) => unknown;
  /** What the value has to be, for messages. */
  readonly expected: string;
};

type NumberType = {
  readonly wire: number;
  readonly expected: string;
  readonly fits: (value: number) => boolean;
  readonly put: (writer: MessageWriter, value: number) => void;
  readonly read: (reader: MessageReader) => number;
};
const number = ({ wire, expected, fits, put, read }: NumberType): Scalar => ({
  wire,
  expected,
  zero: 0,
  // -0 of a fraction is not zero: its octets differ.
  isZero: (value) => value === 0 && !Object.is(value, -0),
  write: (writer, value) => {
    if (typeof value !== "number" || !fits(value)) return false;
    put(writer, value);
    return true;
  },
  read,
});

type LongType = Pick<NumberType, "wire"> & {
  readonly isSigned: boolean;
  readonly put: (writer: MessageWriter, value: bigint) => void;
  readonly read: (reader: MessageReader) => bigint;
};
const long = ({ wire, isSigned, put, read }: LongType): Scalar => {
  const [least, most] = isSigned ? [-(1n << 63n), (1n << 63n) - 1n] : [0n, (1n << 64n) - 1n];
  return {
    wire,
    expected: isSigned ? "a bigint of 64 bits" : "a bigint of 64 bits without a sign",
    zero: 0n,
    isZero: (value) => value === 0n,
    write: (writer, value) => {
      if (typeof value !== "bigint" || value < least || value > most) return false;
      put(writer, value);
      return true;
    },
    read,
  };
};

const isInt32 = (value: number): boolean => (value | 0) === value;
const isUint32 = (value: number): boolean => value >>> 0 === value;
const isFloat = (value: number): boolean => !Number.isFinite(value) || Math.abs(value) <= 3.402_823_567_797_336_6e38;
const INT32 = "an integer from -2147483648 to 2147483647";
const UINT32 = "an integer from 0 to 4294967295";

export const SCALARS: Readonly<Record<ScalarName, Scalar>> = {
  double: number({
    wire: Wire.FIXED64,
    expected: "a number",
    fits: () => true,
    put: (writer, value) => writer.double(value),
    read: (reader) => reader.double(),
  }),
  float: number({
    wire: Wire.FIXED32,
    expected: "a number that fits into 32 bits",
    fits: isFloat,
    put: (writer, value) => writer.float(value),
    read: (reader) => reader.float(),
  }),
  int32: number({
    wire: Wire.VARINT,
    expected: INT32,
    fits: isInt32,
    put: (writer, value) => writer.signed(value),
    read: (reader) => reader.uint32() | 0,
  }),
  uint32: number({
    wire: Wire.VARINT,
    expected: UINT32,
    fits: isUint32,
    put: (writer, value) => writer.varint(value),
    read: (reader) => reader.uint32(),
  }),
  sint32: number({
    wire: Wire.VARINT,
    expected: INT32,
    fits: isInt32,
    put: (writer, value) => writer.varint((value << 1) ^ (value >> 31)),
    read: (reader) => {
      const value = reader.uint32();
      return (value >>> 1) ^ -(value & 1);
    },
  }),
  fixed32: number({
    wire: Wire.FIXED32,
    expected: UINT32,
    fits: isUint32,
    put: (writer, value) => writer.fixed32(value),
    read: (reader) => reader.fixed32(),
  }),
  sfixed32: number({
    wire: Wire.FIXED32,
    expected: INT32,
    fits: isInt32,
    put: (writer, value) => writer.fixed32(value),
    read: (reader) => reader.sfixed32(),
  }),
  int64: long({
    wire: Wire.VARINT,
    isSigned: true,
    put: (writer, value) => writer.long(value),
    read: (reader) => BigInt.asIntN(64, reader.uint64()),
  }),
  uint64: long({
    wire: Wire.VARINT,
    isSigned: false,
    put: (writer, value) => writer.long(value),
    read: (reader) => reader.uint64(),
  }),
  sint64: long({
    wire: Wire.VARINT,
    isSigned: true,
    put: (writer, value) => writer.long(BigInt.asUintN(64, (value << 1n) ^ (value >> 63n))),
    read: (reader) => {
      const value = reader.uint64();
      return (value >> 1n) ^ -(value & 1n);
    },
  }),
  fixed64: long({
    wire: Wire.FIXED64,
    isSigned: false,
    put: (writer, value) => writer.fixed64(value),
    read: (reader) => reader.fixed64(),
  }),
  sfixed64: long({
    wire: Wire.FIXED64,
    isSigned: true,
    put: (writer, value) => writer.fixed64(BigInt.asUintN(64, value)),
    read: (reader) => reader.sfixed64(),
  }),
  bool: {
    wire: Wire.VARINT,
    expected: "true or false",
    zero: false,
    isZero: (value) => value === false,
    write: (writer, value) => {
      if (typeof value !== "boolean") return false;
      writer.varint(value ? 1 : 0);
      return true;
    },
    read: (reader) => reader.bool(),
  },
  string: {
    wire: Wire.BYTES,
    expected: "a string",
    zero: "",
    isZero: (value) => value === "",
    write: (writer, value) => {
      if (typeof value !== "string") return false;
      writer.string(value);
      return true;
    },
    read: (reader, isLenient) => reader.string(isLenient),
  },
  bytes: {
    wire: Wire.BYTES,
    expected: "a Uint8Array",
    zero: undefined,
    isZero: (value) => value instanceof Uint8Array && value.length === 0,
    write: (writer, value) => {
      if (!(value instanceof Uint8Array)) return false;
      writer.bytes(value);
      return true;
    },
    read: (reader) => reader.bytes(),
  },
};
