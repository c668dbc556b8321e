import { inputs } from "../lib/script.ts";
import type { Target } from "../lib/target.ts";
import { cutsDoNotMatter } from "./either.ts";

const SETTINGS = "00 03 00 0400";
const GET = "0000 d1 d7 c1 50 01 61";

/** The first octet has options; then what arrives: a stream, a length and octets, a reset, a datagram, time. */
export const target: Target = {
  name: "http3/server",
  about: "a server accepts anything on any streams without throwing, and neither cuts nor their order within a stream change anything",
  run: (input) => cutsDoNotMatter("server", input),
  seeds: inputs(
    `00 ${SETTINGS} 84 0b 01 08 ${GET}`,
    `08 ${SETTINGS} 04 0d 01 0b 0000 d4 d7 c1 50 01 61 54 01 33 84 05 00 03 616263`,
    `04 ${SETTINGS} 84 0b 01 08 ${GET} 00 03 07 01 00 00 03 0d 01 08 00 03 03 01 00`,
    `00 ${SETTINGS} 01 0f 02 3fbd01 4a 637573746f6d2d6b6579 01 31 84 05 01 03 0281 80`,
    `00 ${SETTINGS} 84 05 01 03 0281 80 01 06 02 3fbd01 41 61 01 31`,
    `03 00 07 00 04 04 33 01 08 01 84 0b 01 08 ${GET} 06 03 00 6162`,
    `04 ${SETTINGS} 03 02 21 aa 0b 02 01 00 13 02 03 00 1b 03 4041 01`,
    `00 ${SETTINGS} 00 09 800f0700 04 00 753d 31 8c 00 85 0c 05 08 07 64`,
    `02 ${SETTINGS} 04 18 01 16 0000 cf 50 01 61 d7 c1 27 02 3a70726f746f636f6c 02 7773 04 04 00 02 6869`,
    `00 02 02 03 80 ${SETTINGS} 04 02 21 00 04 02 00 00`,
  ),
  dictionary: inputs(
    "0108 0000d1d7c1500161",
    "000400",
    "3fbd01",
    "800f0700",
    "2100",
    "0000d4d7c1",
    "540131",
    "5f4d",
    "2374720131",
    "0281",
    "c0",
    "8401",
  ),
  maxLength: 300,
};
