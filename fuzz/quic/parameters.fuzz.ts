import { PARAMETERS, readParameters, writeParameters, type Parameters } from "../../reference/quic/params.ts";
import { inputs, shown } from "../lib/script.ts";
import type { Target } from "../lib/target.ts";

const ROWS = Object.entries(PARAMETERS) as readonly (readonly [keyof typeof PARAMETERS, (typeof PARAMETERS)[keyof typeof PARAMETERS]])[];

/** What is read is within the bounds of its row. */
function checkBounds(values: Parameters, by: "client" | "server"): void {
  for (const [name, row] of ROWS) {
    const value = values[name];
    if ("by" in row && by === "client" && value !== undefined) throw new Error(`a client has sent ${name}`);
    if (row.form !== "integer") continue;
    const [min, max] = ["min" in row ? row.min : 0, "max" in row ? row.max : 2 ** 62];
    if (typeof value !== "number" || value < min || value > max) throw new Error(`${name} is ${shown(value)}`);
  }
}

/** Values in the order of the table. */
const words = (values: Parameters): string => shown(ROWS.map(([name]) => values[name] ?? "absent"));

/** The first octet chooses the sender; the content of the TLS extension follows. */
export const target: Target = {
  name: "quic/parameters",
  about: "any transport parameters are read without throwing, within their bounds, and read the same after they are written",
  run(input) {
    const by = ((input[0] ?? 0) & 1) === 0 ? "client" : "server";
    const values = readParameters(input.slice(1), by);
    if ("is" in values) return;
    checkBounds(values, by);
    const octets = writeParameters(values);
    const again = readParameters(octets, by);
    if ("is" in again || words(again) !== words(values)) throw new Error(`${shown(values)} reads as ${shown(again)} after writing`);
    for (let end = 0; end < octets.length; end++) {
      const cut = readParameters(octets.subarray(0, end), by);
      if (!("is" in cut) && words(cut) === words(values)) throw new Error(`cut after ${end} octets nothing is missing`);
    }
  },
  seeds: inputs(
    "00 01 01 1e 03 02 44b0 04 04 80100000 08 01 10 09 01 03 0b 01 19 0c 00 0e 01 04 0f 02 0102 20 02 4400",
    "01 00 08 0102030405060708 02 10 00112233445566778899aabbccddeeff 0f 00 10 01 aa",
    "01 0d 2d 7f000001 01bb 00000000000000000000000000000001 01bb 04 01020304 00112233445566778899aabbccddeeff",
    "00 0a 01 03 05 04 80100000 06 04 80100000 07 04 80100000 401f 02 6162",
    "00 d17761 00 0c 00",
  ),
  dictionary: inputs("0302", "44b0", "0a0114", "0b0240ff", "0808d000000000000000", "0e0101", "ffffffffffffffff"),
  maxLength: 200,
};
