import type { Target } from "../lib/target.ts";
import { cutsDoNotMatter } from "./either.ts";

const SETTINGS = "000000040000000000";

/** Octets from a server to a client that has sent its first request. */
export const target: Target = {
  name: "http2/client",
  about: "a client accepts any octets without throwing, wherever they are cut",
  run: (input) => cutsDoNotMatter("client", input),
  seeds: [
    SETTINGS,
    `${SETTINGS}00000001050000000188`,
    `${SETTINGS}00000101040000000188000005000100000001${"68656c6c6f"}`,
    `${SETTINGS}00000101050000000188`,
    `${SETTINGS}000005010400000001080331303300000101050000000188`,
    `${SETTINGS}0000080700000000000000000100000000`,
    `${SETTINGS}00000403000000000100000008`,
    `${SETTINGS}000006050400000001000000028284`,
  ].map((hex) => new Uint8Array(Buffer.from(hex, "hex"))),
  dictionary: ["000000040100000000", "00000101050000000188", "0000040800000000017fffffff", "000008060000000000", "000000000100000001"].map(
    (hex) => new Uint8Array(Buffer.from(hex, "hex")),
  ),
  maxLength: 1_500,
};
