import { field, type Field } from "../../../reference/core/index.ts";
import { Fields } from "../../../reference/http/index.ts";
import { writeCallStatus } from "../../../reference/rpc/call-status.ts";
import { chooseEncoding, parseEncodings, writeEncodings } from "../../../reference/rpc/compression.ts";
import { type Dialect, DIALECTS, messageFormat } from "../../../reference/rpc/dialect.ts";
import { FAULTS } from "../../../reference/rpc/faults.ts";
import {
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
} from "../../../reference/rpc/index.ts";
import { parseStatusCode, Status, type StatusCode, statusName, statusOfHttp } from "../../../reference/rpc/status.ts";
import type { Chance } from "./chance.ts";
import { fieldsText, octetsText, outcome } from "./text.ts";

/** The values in the fields of a call: texts that a peer could send, and values that a program gives. */

type Scene = (chance: Chance, dialect: Dialect) => string;

const SIGNS = [
  " ",
  "!",
  "$",
  "%",
  "&",
  "~",
  "\x7f",
  "\x80",
  "\x1f",
  "\t",
  "\0",
  "\r\n",
  "é",
  "ÿ",
  ",",
  ";",
  "=",
  "+",
  "-",
  "_",
  "/",
  ".",
  ":",
  "A",
  "Z",
  "a",
  "f",
  "F",
  "g",
  "z",
  "0",
  "9",
] as const;
const WORDS = [
  "%41",
  "%e2%98%ba",
  "%E2%98%BA",
  "%C3%28",
  "%ff",
  "%4",
  "%",
  "%zz",
  "%20",
  "%7e",
  "%7f",
  "%EF%BB%BF",
  "identity",
  "gzip",
  "deflate",
  ", ",
  "AQID",
  "AQ==",
  "AQ",
  "AA=",
  "application/",
] as const;

const sample = (chance: Chance): string =>
  Array.from({ length: chance.below(chance.one([2, 4, 9])) }, () => (chance.once(2) ? chance.one(SIGNS) : chance.one(WORDS))).join("");
/** One character of a text changed, left out or added. */
function near(chance: Chance, text: string): string {
  if (chance.once(2)) return text;
  const at = chance.below(text.length + 1);
  return text.slice(0, at) + (chance.once(3) ? "" : chance.one(SIGNS)) + text.slice(at + (chance.once(2) ? 1 : 0));
}
const number = (chance: Chance): string =>
  near(
    chance,
    String(
      chance.once(3)
        ? chance.below(20)
        : chance.near(chance.one([9, 10, 16, 17, 99, 999, 2_147_483_647, 4_294_967_295, 99_999_999, 999_999_999, 1e10])),
    ),
  );

const timeouts: Scene = (chance) => {
  const text = near(chance, `${number(chance)}${chance.one(["n", "u", "m", "S", "M", "H", "s", "h", "N", ""])}`);
  const unit = chance.one([1, 1e3, 1e6, 1e9, 60e9, 3_600e9]);
  const nanoseconds = chance.one([
    chance.below(1e9),
    (99_999_999 + chance.between(-1, 1)) * unit + chance.between(-1, 1),
    chance.below(200) * unit + chance.between(-1, 1),
    -chance.below(5),
    1e30,
  ]);
  return `timeout ${JSON.stringify(text)} ${parseTimeout(text)}; ${nanoseconds} ${writeTimeout(nanoseconds)}`;
};

const messages: Scene = (chance) => {
  const text = sample(chance) + (chance.once(5) ? chance.one(["\ud800", "😀", "\ufeff", "☺"]) : "");
  const latin1 = Buffer.from(sample(chance), "utf8").toString("latin1");
  return `message ${JSON.stringify(text)} ${percentEncode(text)}; ${JSON.stringify(latin1)} ${JSON.stringify(percentDecode(latin1))} ${JSON.stringify(percentDecode(percentEncode(text)))}`;
};

const types: Scene = (chance, dialect) => {
  const text = near(
    chance,
    `${chance.one([dialect.contentType, DIALECTS.rpc.contentType, dialect.contentType.toUpperCase()])}${chance.one(["", "+proto", "+json", "+", "+PROTO", "-web", ";", "; charset=utf-8", " ;a=b", "+json;x=y", "+json ; x", " ", "x"])}`,
  );
  return `type ${JSON.stringify(text)} ${messageFormat(text, dialect)}`;
};

const encodings: Scene = (chance) => {
  const list = near(
    chance,
    Array.from({ length: chance.below(4) }, () => chance.one(["gzip", " deflate ", "identity", "", "zstd", "x"])).join(
      chance.one([",", ", ", " ,"]),
    ),
  );
  const wanted = chance.one(["gzip", "deflate", "identity", "zstd", "x", ""]);
  const known = new Map(
    ["gzip", "zstd"]
      .slice(chance.below(3))
      .map((name) => [name, { compress: () => new Uint8Array(), decompress: () => "corrupt" as const }]),
  );
  return `encodings ${JSON.stringify(list)} ${JSON.stringify(parseEncodings(list))} ${wanted} ${chooseEncoding(wanted, list)} ${chooseEncoding(wanted, undefined)} ${writeEncodings(known)}`;
};

const statuses: Scene = (chance) => {
  const text = number(chance);
  const http = chance.once(3) ? chance.below(600) : chance.near(chance.one([200, 400, 401, 403, 404, 429, 431, 502, 503, 504]));
  const reset = chance.below(16);
  const name = chance.below(19);
  return `status ${JSON.stringify(text)} ${parseStatusCode(text)}; ${http} ${statusOfHttp(http)}; ${reset} ${statusOfReset(reset)}; ${name} ${statusName(name as StatusCode)}`;
};

const pushBacks: Scene = (chance) => {
  const text = number(chance);
  return `push-back ${JSON.stringify(text)} ${parsePushBack(text)}`;
};

const OWN = [
  "te",
  "content-type",
  "content-length",
  "user-agent",
  "host",
  "connection",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
  "trailer",
  "accept-encoding",
  ":path",
  ":status",
  "rpc-timeout",
  "grpc-timeout",
  "rpc-x",
  "grpc-status",
] as const;
const NAMES = [
  "a",
  "b",
  "z",
  "0",
  "9",
  "a-b",
  "a_b",
  "a.b",
  "a-bin",
  "b-bin",
  "-bin",
  "bin",
  "a-binx",
  "abin",
  "A",
  "A-bin",
  "a b",
  "",
  "a@",
  "a[",
  "a{",
  "a`",
  "a/",
  "a:",
  "é",
  "x-te",
  "hosts",
] as const;
const nameOf = (chance: Chance): string =>
  chance.once(4) ? chance.one(OWN) : chance.once(9) ? near(chance, chance.one(NAMES)) : chance.one(NAMES);
const binary = (chance: Chance): string => {
  const text = Buffer.from(chance.octets(chance.below(6))).toString("base64");
  return near(chance, chance.once(2) ? text : text.replaceAll("=", ""));
};
const entriesText = (entries: readonly MetadataEntry[]): string =>
  entries.map(({ name, value }) => `${name}: ${typeof value === "string" ? JSON.stringify(value) : octetsText(value)}`).join("; ");

const metadata: Scene = (chance, dialect) => {
  const fields: Field[] = Array.from({ length: chance.below(5) }, () => {
    const name = nameOf(chance);
    const isBinary = name.endsWith("-bin") ? !chance.once(8) : chance.once(8);
    const value = isBinary
      ? Array.from({ length: chance.between(1, 3) }, () => binary(chance)).join(chance.one([",", ", ", " ,"]))
      : chance.one([" ", "", "", ""]) + sample(chance) + chance.one(["", "", "\t"]);
    return field(name, value);
  });
  const read = readMetadata(fields, dialect);
  const given: MetadataEntry[] = Array.from({ length: chance.below(3) }, () => {
    const name = nameOf(chance);
    const isBinary = name.endsWith("-bin") !== chance.once(12);
    return {
      name,
      value: isBinary ? chance.octets(chance.below(5)) : chance.once(2) ? chance.one(["x", "x y", "~", "!", "!~ a", ""]) : sample(chance),
    };
  });
  const written = outcome(() => fieldsText(writeMetadata(given, dialect)));
  return `metadata ${fieldsText(fields)} ${"is" in read ? JSON.stringify(read) : entriesText(read)}; ${entriesText(given)} ${written}`;
};

const calls: Scene = (chance, dialect) => {
  const some = (name: string, value: () => string): Field[] =>
    Array.from({ length: chance.once(6) ? 2 : chance.below(2) + (chance.once(2) ? 1 : 0) }, () =>
      field(chance.once(12) ? DIALECTS.rpc.status : name, value()),
    );
  const fields = [
    ...some(dialect.status, () => (chance.once(2) ? String(chance.below(18)) : number(chance))),
    ...some(dialect.message, () => sample(chance)),
    ...some(dialect.details, () => binary(chance)),
  ];
  const http = chance.one([200, 404, 503, 500]);
  const { code, message, details } = readCallStatus(new Fields(fields), http, dialect);
  const status = {
    code: chance.below(17) as StatusCode,
    message: sample(chance),
    ...(chance.once(2) ? {} : { details: chance.octets(chance.below(5)) }),
  };
  const shown = details === undefined ? "none" : octetsText(details);
  return `call ${http} ${fieldsText(fields)} ${code} ${JSON.stringify(message)} ${shown}; ${fieldsText(writeCallStatus(status, dialect))}`;
};

const tables: Scene = () => JSON.stringify([FAULTS, DIALECTS, Status]);

const SCENES: readonly [Scene, ...Scene[]] = [
  timeouts,
  messages,
  types,
  encodings,
  statuses,
  statuses,
  pushBacks,
  metadata,
  metadata,
  metadata,
  calls,
  calls,
];

/** One value of a call, read and written. */
export function valueScene(chance: Chance): string {
  const dialect = chance.one([DIALECTS.rpc, DIALECTS.grpc]);
  return chance.once(60) ? tables(chance, dialect) : chance.one(SCENES)(chance, dialect);
}
