import { inputs } from "../lib/script.ts";
import type { Target } from "../lib/target.ts";
import { cutsDoNotMatter } from "./either.ts";

const SETTINGS = "00 03 00 0400";

/** The first octet has options; then what arrives at a client with four requests: a stream, a length and octets, a reset, a datagram, time. */
export const target: Target = {
  name: "http3/client",
  about: "a client accepts anything on any streams without throwing, and neither cuts nor their order within a stream change anything",
  run: (input) => cutsDoNotMatter("client", input),
  seeds: inputs(
    `00 ${SETTINGS} 84 05 01 03 0000 d9`,
    `04 ${SETTINGS} 04 05 01 03 0000 d8 04 0a 01 06 0000 d9 54 01 33 84 05 00 03 616263`,
    `00 ${SETTINGS} 8c 05 01 03 0000 d9 94 05 01 03 0000 d9 9c 08 01 06 0000 d9 54 01 33`,
    `00 ${SETTINGS} 00 03 07 01 04 00 03 07 01 00 84 00`,
    `04 ${SETTINGS} 04 05 05 03 00 0000`,
    `00 ${SETTINGS} 01 06 02 3fbd01 41 61 01 31 84 05 01 03 0281 80`,
    `08 ${SETTINGS} 14 05 01 03 0000 d9 14 05 00 03 010203 14 02 01 00`,
    `05 ${SETTINGS} 06 03 00 6162 85 08 0d 00 03 07 64`,
    `00 ${SETTINGS} 0b 02 01 00 03 02 02 00 1b 03 21 01 02`,
  ),
  dictionary: inputs("0103 0000d9", "0000d8", "0000d9", "000400", "3fbd01", "540131", "0281", "0701", "2100", "8401", "5f09"),
  maxLength: 300,
};
