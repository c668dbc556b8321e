import { field } from "../../reference/core/index.ts";
import { Fields } from "../../reference/http/index.ts";
import { type CallStatus, writeCallStatus } from "../../reference/rpc/call-status.ts";
import { parseEncodings } from "../../reference/rpc/compression.ts";
import {
  chooseEncoding,
  DIALECTS,
  messageFormat,
  type MetadataEntry,
  parsePushBack,
  parseTimeout,
  percentDecode,
  percentEncode,
  readCallStatus,
  readMetadata,
  statusOfReset,
  writeMetadata,
  writeTimeout,
} from "../../reference/rpc/index.ts";
import type { StatusCode } from "../../reference/rpc/status.ts";
import type { Target } from "../lib/target.ts";

const ROUNDING = 1.01;

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}
const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** What a peer sends in a field: nothing throws, and what is read can be written and is read again. */
function readers(text: string): void {
  const nanoseconds = parseTimeout(text);
  if (nanoseconds !== undefined) {
    const back = parseTimeout(writeTimeout(nanoseconds)) ?? 0;
    must(back >= nanoseconds && back <= Math.max(nanoseconds * ROUNDING, 1), `the timeout ${text} becomes ${back} ns`);
  }
  const message = percentDecode(text);
  must(percentDecode(percentEncode(message)) === message, `the message ${JSON.stringify(message)} changes`);
  const ms = parsePushBack(text);
  must(ms === "stop" || (Number.isInteger(ms) && ms >= 0 && ms < 2 ** 31), `the push-back ${text} is ${ms}`);
  must(messageFormat(text, DIALECTS.rpc) !== "", "an empty format");
  const chosen = chooseEncoding("gzip", text);
  must(chosen === "identity" || parseEncodings(text).includes(chosen), `${chosen} is not accepted`);

  for (const dialect of [DIALECTS.rpc, DIALECTS.grpc]) {
    const entries = readMetadata([field("a", text), field("b-bin", text), field("a", "x"), field(text, "y")], dialect);
    if (!("is" in entries)) {
      const again = readMetadata(writeMetadata(entries, dialect), dialect);
      must(same(entries, again), "metadata that was read changes when it is sent back");
    }
    const status = readCallStatus(
      new Fields([field(dialect.status, text), field(dialect.message, text), field(dialect.details, text)]),
      200,
      dialect,
    );
    must(same(readCallStatus(new Fields(writeCallStatus(status, dialect)), 500, dialect), status), "a status that was read changes");
  }
}

/** What a program sends: the peer reads the same. */
function writers(octets: Uint8Array, text: string): void {
  must(percentDecode(percentEncode(text)) === text.toWellFormed(), "the message changes");
  must(/^[ -$&-~%]*$/.test(percentEncode(text)), "an octet that must be encoded");
  const [a = 0, b = 0] = octets;
  const nanoseconds = (a + 1) * 10 ** (b % 24);
  const timeout = writeTimeout(nanoseconds);
  must(/^[1-9][0-9]{0,7}[numSMH]$/.test(timeout), `the timeout ${timeout}`);
  const back = parseTimeout(timeout) ?? 0;
  must(back >= Math.min(nanoseconds, 99_999_999 * 3_600e9) && back <= nanoseconds * ROUNDING, `${nanoseconds} ns become ${timeout}`);
  const entries: MetadataEntry[] = [
    { name: "a-bin", value: octets },
    { name: "b", value: "x y" },
    { name: "a-bin", value: octets.subarray(1) },
  ];
  const got = readMetadata(writeMetadata(entries, DIALECTS.rpc), DIALECTS.rpc);
  must(!("is" in got) && same(got, entries), "metadata changes");
  const status: CallStatus = { code: statusOfReset(a) satisfies StatusCode, message: text.toWellFormed(), details: octets };
  must(same(readCallStatus(new Fields(writeCallStatus(status, DIALECTS.grpc)), 200, DIALECTS.grpc), status), "the status changes");
}

/** Readers take any text without a throw, and what is read or written means the same afterwards. */
export const target: Target = {
  name: "rpc/values",
  about: "timeouts, messages, metadata, statuses and lists: readers are total, and what is written is read back the same",
  run(input) {
    const latin1 = Buffer.from(input).toString("latin1");
    readers(latin1);
    writers(input, latin1);
    writers(input, Buffer.from(input).toString("utf16le"));
  },
  seeds: [
    "1S",
    "99999999H",
    "100%",
    "%E2%98%BA",
    "%C3%28",
    "AQID,BA==",
    "A",
    "5",
    "017",
    "-1",
    "2147483648",
    "application/rpc+json",
    "identity, gzip",
    " x ",
    "caf\u00e9",
  ].map((text) => new Uint8Array(Buffer.from(text, "latin1"))),
  dictionary: ["%", "%EF%BB%BF", "00000000", "H", ",", "=", "+json", "application/rpc", "gzip"].map(
    (text) => new Uint8Array(Buffer.from(text)),
  ),
  maxLength: 128,
};
