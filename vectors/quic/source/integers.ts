import type { IntegerVector } from "./craft.ts";
import type { VectorSource } from "../../write.ts";

/** Integers of variable length. */
export const source: VectorSource<IntegerVector> = {
  about: "Integers of 1, 2, 4 or 8 octets",
  spec: "rfc9000#16",
  flags: { Example: { why: "an example of the specification", bug: "BASICS" }, Boundary: { why: "around a value at which an integer needs more octets, or a number type ends", bug: "OFF_BY_ONE" }, Long: { why: "a longer form than needed has the same value", bug: "MISSING_CHECK" }, Truncated: { why: "the input ends within the integer", bug: "OVERREAD" } },
  vectors: [
    {"note": "eight octets", "spec": "rfc9000#A.1", "wire": "c2197c5eff14e88c", "result": "valid", "value": "151288809941952652", "flags": ["Example"]},
    {"note": "four octets", "spec": "rfc9000#A.1", "wire": "9d7f3e7d", "result": "valid", "value": "494878333", "flags": ["Example"]},
    {"note": "two octets", "spec": "rfc9000#A.1", "wire": "7bbd", "result": "valid", "value": "15293", "flags": ["Example"]},
    {"note": "one octet", "spec": "rfc9000#A.1", "wire": "25", "result": "valid", "value": "37", "flags": ["Example"]},
    {"note": "37 in two octets", "spec": "rfc9000#A.1", "wire": "4025", "result": "valid", "value": "37", "flags": ["Example"], "shortest": false},
    {"note": "0", "spec": "rfc9000#16", "wire": "00", "result": "valid", "value": "0", "flags": ["Boundary"]},
    {"note": "the last of one octet", "spec": "rfc9000#16", "wire": "3f", "result": "valid", "value": "63", "flags": ["Boundary"]},
    {"note": "the first of two", "spec": "rfc9000#16", "wire": "4040", "result": "valid", "value": "64", "flags": ["Boundary"]},
    {"note": "the last of two", "spec": "rfc9000#16", "wire": "7fff", "result": "valid", "value": "16383", "flags": ["Boundary"]},
    {"note": "the first of four", "spec": "rfc9000#16", "wire": "80004000", "result": "valid", "value": "16384", "flags": ["Boundary"]},
    {"note": "the last of four", "spec": "rfc9000#16", "wire": "bfffffff", "result": "valid", "value": "1073741823", "flags": ["Boundary"]},
    {"note": "the first of eight", "spec": "rfc9000#16", "wire": "c000000040000000", "result": "valid", "value": "1073741824", "flags": ["Boundary"]},
    {"note": "2^53-1", "spec": "rfc9000#16", "wire": "c01fffffffffffff", "result": "valid", "value": "9007199254740991", "flags": ["Boundary"]},
    {"note": "2^53", "spec": "rfc9000#16", "wire": "c020000000000000", "result": "valid", "value": "9007199254740992", "flags": ["Boundary"]},
    {"note": "2^53+1", "spec": "rfc9000#16", "wire": "c020000000000001", "result": "valid", "value": "9007199254740993", "flags": ["Boundary"]},
    {"note": "2^60+1", "spec": "rfc9000#16", "wire": "d000000000000001", "result": "valid", "value": "1152921504606846977", "flags": ["Boundary"]},
    {"note": "2^62-1", "spec": "rfc9000#16", "wire": "ffffffffffffffff", "result": "valid", "value": "4611686018427387903", "flags": ["Boundary"]},
    {"note": "0 in two octets", "spec": "rfc9000#16", "wire": "4000", "result": "valid", "value": "0", "flags": ["Long"], "shortest": false},
    {"note": "0 in four octets", "spec": "rfc9000#16", "wire": "80000000", "result": "valid", "value": "0", "flags": ["Long"], "shortest": false},
    {"note": "0 in eight octets", "spec": "rfc9000#16", "wire": "c000000000000000", "result": "valid", "value": "0", "flags": ["Long"], "shortest": false},
    {"note": "nothing", "spec": "rfc9000#16", "wire": "", "result": "invalid", "fault": "integerTruncated", "flags": ["Truncated"]},
    {"note": "one octet of two", "spec": "rfc9000#16", "wire": "40", "result": "invalid", "fault": "integerTruncated", "flags": ["Truncated"]},
    {"note": "three octets of four", "spec": "rfc9000#16", "wire": "800000", "result": "invalid", "fault": "integerTruncated", "flags": ["Truncated"]},
    {"note": "seven octets of eight", "spec": "rfc9000#16", "wire": "c0000000000000", "result": "invalid", "fault": "integerTruncated", "flags": ["Truncated"]},
  ],
};
