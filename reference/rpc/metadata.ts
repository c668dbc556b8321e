import { field, type Field, Misuse } from "../core/index.ts";
import { trimSpace } from "../http/index.ts";
import type { Dialect } from "./dialect.ts";
import { type Fault, fault } from "./faults.ts";

/** One entry of metadata: text, or octets if its name ends in `-bin` (rpc-http2#requests). */
export type MetadataEntry = { readonly name: string; readonly value: string | Uint8Array };

const NAME = /^[0-9a-z_.-]+$/;
/** Spaces and visible ASCII characters, without a space at either end (rpc-http2#requests). Empty values occur, although the grammar has none. */
const VALUE = /^(?:[!-~](?:[ -~]*[!-~])?)?$/;
const BASE64 = /^[0-9A-Za-z+/]*={0,2}$/;
/** Fields of the call and of HTTP, which are not metadata. */
const OWN: ReadonlySet<string> = new Set([
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
]);

const isBinary = (name: string): boolean => name.endsWith("-bin");
const isOwn = (name: string, { prefix }: Dialect): boolean => name.startsWith(":") || name.startsWith(prefix) || OWN.has(name);

/** The fields of metadata in its order; octets in Base64 without padding (rpc-http2#requests). Throws `Misuse` for an entry that cannot be sent. */
export function writeMetadata(entries: Iterable<MetadataEntry>, dialect: Dialect): Field[] {
  const fields: Field[] = [];
  for (const { name, value } of entries) {
    if (!NAME.test(name)) throw new Misuse(`Metadata cannot have the name ${JSON.stringify(name)}: use 0-9, a-z, "_", "-" and ".".`);
    if (isOwn(name, dialect)) throw new Misuse(`Metadata cannot have the name ${name}: it belongs to the protocol.`);
    if (isBinary(name) === (typeof value === "string"))
      throw new Misuse(`The metadata ${name} must be ${isBinary(name) ? "octets" : "text"}: only names that end in -bin hold octets.`);
    if (typeof value === "string" && !VALUE.test(value))
      throw new Misuse(
        `The metadata ${name} must be visible ASCII characters, with spaces between them only: use a name that ends in -bin.`,
      );
    fields.push(field(name, typeof value === "string" ? value : value.toBase64({ omitPadding: true })));
  }
  return fields;
}

/**
 * The metadata in the fields of a peer, in their order. White space around text is removed. Text that could not be sent back is left out: it is
 * no fault, and an application may return what it got (rpc-http2#requests). A binary field may have several values, joined by commas.
 */
export function readMetadata(fields: Iterable<Field>, dialect: Dialect): MetadataEntry[] | Fault {
  const entries: MetadataEntry[] = [];
  for (const { name, value } of fields) {
    if (!NAME.test(name) || isOwn(name, dialect)) continue;
    if (!isBinary(name)) {
      const text = trimSpace(value);
      if (VALUE.test(text)) entries.push({ name, value: text });
      continue;
    }
    for (const part of value.split(",")) {
      const octets = readBinary(part);
      if (octets === undefined) return fault("binaryInvalid", `The metadata ${name} is not valid Base64.`);
      entries.push({ name, value: octets });
    }
  }
  return entries;
}

/** The octets of one binary value, padded or not (rpc-http2#requests); undefined for anything else than Base64. */
export function readBinary(value: string): Uint8Array | undefined {
  const text = trimSpace(value);
  if (!BASE64.test(text)) return undefined;
  try {
    return Uint8Array.fromBase64(text);
  } catch {
    return undefined;
  }
}
