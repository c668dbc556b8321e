import { field, Misuse } from "../../reference/core/index.ts";
import { Fields } from "../../reference/http/index.ts";
import { messageCompressors } from "../../reference/io/index.ts";
import {
  chooseEncoding,
  type Dialect,
  DIALECTS,
  messageFormat,
  MessageReader,
  type MetadataEntry,
  parsePushBack,
  parseTimeout,
  percentDecode,
  percentEncode,
  readCallStatus,
  readMetadata,
  Status,
  type StatusName,
  statusOfReset,
  writeCallStatus,
  writeEnvelope,
  writeMetadata,
  writeTimeout,
} from "../../reference/rpc/index.ts";
import type { Asked } from "./question.ts";
import type { Told } from "./source/craft.ts";

/** Our own functions as a codec: their results in the format of the vectors. */
export type Reading = { readonly messages: readonly Told[]; readonly error?: string; readonly code?: number };

const compressors = messageCompressors();
const hex = (octets: Uint8Array): string => Buffer.from(octets).toString("hex");

export function answerTo(asked: Asked): Reading {
  if (asked.op === "rpc-messages") return readMessages(asked);
  const dialect = DIALECTS[asked.dialect];
  return asked.op === "rpc-read" ? READ[asked.of](asked.given, dialect) : WRITE[asked.of](asked.given, dialect);
}

function readMessages({ side, cuts, ended, encoding, limit }: Asked & { op: "rpc-messages" }): Reading {
  const reader = new MessageReader({ side, encoding, compressors, ...(limit === undefined ? {} : { limit }) });
  const messages: Told[] = [];
  for (const cut of cuts) {
    const out: Uint8Array[] = [];
    const fault = reader.receive(Buffer.from(cut, "hex"), out);
    for (const octets of out) messages.push({ octets: hex(octets) });
    if (fault !== undefined) return { messages, error: fault.name, code: fault.status };
  }
  const fault = ended ? reader.end() : undefined;
  return fault === undefined ? { messages } : { messages, error: fault.name, code: fault.status };
}

type Answer = (given: unknown, dialect: Dialect) => Reading;
const one = (told: Told): Reading => ({ messages: [told] });
const refused = (error: string): Reading => ({ messages: [], error });
type Trailers = { readonly http: number; readonly fields: readonly (readonly [string, string])[] };

const READ: Readonly<Record<(Asked & { op: "rpc-read" })["of"], Answer>> = {
  timeout(given) {
    const nanoseconds = parseTimeout(String(given));
    return nanoseconds === undefined ? refused("timeoutInvalid") : one({ nanoseconds: String(BigInt(nanoseconds)) });
  },
  message: (given) => one({ text: percentDecode(String(given)) }),
  "content-type"(given, dialect) {
    const format = messageFormat(String(given), dialect);
    return format === undefined ? refused("contentTypeForeign") : one({ format });
  },
  metadata(given, dialect) {
    const entries = readMetadata(
      (given as Trailers["fields"]).map(([name, value]) => field(name, value)),
      dialect,
    );
    if ("is" in entries) return { ...refused(entries.name), code: entries.status };
    return {
      messages: entries.map(({ name, value }) => (typeof value === "string" ? { name, text: value } : { name, octets: hex(value) })),
    };
  },
  status(given, dialect) {
    const { http, fields } = given as Trailers;
    const { code, message } = readCallStatus(Fields.from(fields), http, dialect);
    return one({ code, text: message });
  },
  reset: (given) => one({ code: statusOfReset(Number(given)) }),
  "push-back"(given) {
    const ms = parsePushBack(String(given));
    return one({ ms: ms === "stop" ? null : ms });
  },
};

const WRITE: Readonly<Record<(Asked & { op: "rpc-write" })["of"], Answer>> = {
  timeout: (given) => one({ text: writeTimeout(Number(given)) }),
  message: (given) => one({ text: percentEncode(String(given)) }),
  metadata(given, dialect) {
    const entries = (given as readonly { name: string; text?: string; octets?: string }[]).map(({ name, text, octets }): MetadataEntry => ({
      name,
      value: text ?? new Uint8Array(Buffer.from(octets ?? "", "hex")),
    }));
    try {
      return { messages: writeMetadata(entries, dialect).map(({ name, value }) => ({ name, value })) };
    } catch (error) {
      if (error instanceof Misuse) return refused("misuse");
      throw error;
    }
  },
  encoding(given) {
    const { wanted, accepts } = given as { wanted: string; accepts: string | null };
    return one({ encoding: chooseEncoding(wanted, accepts ?? undefined) });
  },
  status(given, dialect) {
    const { status, text } = given as { status: StatusName; text: string };
    return { messages: writeCallStatus({ code: Status[status], message: text }, dialect).map(({ name, value }) => ({ name, value })) };
  },
  stream(given) {
    const envelopes = (given as readonly string[]).map((octets) =>
      hex(writeEnvelope({ isCompressed: false, octets: Buffer.from(octets, "hex") })),
    );
    return one({ octets: envelopes.join("") });
  },
};
