import { DEFAULT_LIMITS } from "../../reference/tls/limits.ts";
import {
  isFault,
  readCertificate,
  readCertificateRequest,
  readCertificateVerify,
  readClientHello,
  readEncryptedExtensions,
  readNewSessionTicket,
  readServerHello,
} from "../../reference/tls/messages.ts";
import { EXTENSIONS } from "../../reference/tls/extensions.ts";
import { inputs, shown } from "../lib/script.ts";
import type { Target } from "../lib/target.ts";

const EVERY = new Set<number>(Object.values(EXTENSIONS).map(({ id }) => id));
const SOME = new Set<number>([0, 16, 43, 51]);
const LIMITS = { ...DEFAULT_LIMITS, extensions: 12, chain: 3 };

/** The first octet chooses the message and what was offered before it. */
function read(kind: number, body: Uint8Array): object {
  const offered = (kind & 8) === 0 ? EVERY : SOME;
  switch (kind & 7) {
    case 0:
    case 1:
      return readClientHello(body, LIMITS);
    case 2:
      return readServerHello(body, LIMITS, offered);
    case 3:
      return readEncryptedExtensions(body, LIMITS, offered);
    case 4:
      return readCertificateRequest(body, LIMITS);
    case 5:
      return readCertificate(body, LIMITS, offered);
    case 6:
      return readCertificateVerify(body);
    default:
      return readNewSessionTicket(body, LIMITS);
  }
}

/** A message without its end, or with octets after it, is another message or none. */
export const target: Target = {
  name: "tls/messages",
  about: "any body of a handshake message is read without throwing, within its limits, and is refused if its end is missing",
  run(input) {
    const kind = input[0] ?? 0;
    const body = input.slice(1);
    const message = read(kind, body);
    if (isFault(message)) {
      if (!(message.error >= 0)) throw new Error(`${message.name} has no error code`);
      return;
    }
    if ("chain" in message && (message as { chain: unknown[] }).chain.length > LIMITS.chain) throw new Error("a chain that is too long");
    for (let end = 0; end < body.length; end++) {
      const cut = read(kind, body.slice(0, end));
      if (!isFault(cut)) throw new Error(`cut after ${end} octets it reads as ${shown(cut)}`);
    }
    const longer = read(kind, Uint8Array.from([...body, 0]));
    if (!isFault(longer)) throw new Error(`with one more octet it reads as ${shown(longer)}`);
  },
  seeds: inputs(
    `00 0303 ${"11".repeat(32)} 00 0004 1301 1303 01 00 0048 002b 0003 02 0304 000a 0006 0004 001d 0017 000d 0004 0002 0403 0033 000a 0008 001d 0004 01020304 0010 0005 0003 02 6833 0000 000a 0008 00 0005 612e636f6d 002d 0002 01 01`,
    `00 0303 ${"11".repeat(32)} 00 0002 1301 01 00 0045 0029 0041 000a 0004 aabbccdd 00000001 0033 20 ${"22".repeat(32)} 0000`,
    `02 0303 ${"22".repeat(32)} 00 1301 00 0014 002b 0002 0304 0033 0008 001d 0004 01020304 0000`,
    "02 0303 cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c 00 1301 00 000c 002b 0002 0304 0033 0002 0017",
    "03 000d 0010 0005 0003 02 6833 0039 0000",
    "04 00 0008 000d 0004 0002 0403",
    "05 00 00000a 000003 010203 0000 000000",
    "05 00 000010 000001 01 0000 000002 0202 0005 0005 00",
    "06 0403 0004 01020304",
    "07 00000e10 01020304 01 00 0003 aabbcc 0008 002a 0004 ffffffff",
  ),
  dictionary: inputs("002b0003020304", "0029", "002a0000", "00390000", "0000", "ffff", "0033", "1301", "0304", "001d", "11ec"),
  maxLength: 400,
};
