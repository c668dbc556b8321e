import { MAX_VARINT, Reader, readVarint, Writer, writeVarint } from "../core/index.ts";
import { fault, type Fault } from "./faults.ts";
import { MAX_ID_LENGTH, RESET_TOKEN_LENGTH } from "./frame/index.ts";
import { MAX_STREAMS, type Side } from "./stream-id.ts";

/** Another address of the server, to which the client may move after the handshake (rfc9000#9.6). Zeros mark a family as absent. */
export type PreferredAddress = {
  readonly ipv4: { readonly address: Uint8Array; readonly port: number };
  readonly ipv6: { readonly address: Uint8Array; readonly port: number };
  readonly id: Uint8Array;
  readonly resetToken: Uint8Array;
};

/** The version in use, and those that its sender would use; a client lists those to which its first flight may be converted (rfc9368#3). */
export type VersionInformation = { readonly chosen: number; readonly available: readonly number[] };

type Row = { readonly id: number; readonly by?: "server" } & (
  | { readonly form: "integer"; readonly default: number; readonly min?: number; readonly max?: number }
  | { readonly form: "flag" }
  | { readonly form: "id" }
  | { readonly form: "token" }
  | { readonly form: "address" }
  | { readonly form: "versions" }
);

/** Every transport parameter with its number, its sender if that is the server alone, its form, bounds and default (rfc9000#18.2, rfc9221#3, rfc9368#3). */
export const PARAMETERS = {
  original_destination_connection_id: { id: 0x00, by: "server", form: "id" },
  /** Milliseconds; 0 disables it. */
  max_idle_timeout: { id: 0x01, form: "integer", default: 0 },
  stateless_reset_token: { id: 0x02, by: "server", form: "token" },
  max_udp_payload_size: { id: 0x03, form: "integer", default: 65_527, min: 1_200 },
  initial_max_data: { id: 0x04, form: "integer", default: 0 },
  initial_max_stream_data_bidi_local: { id: 0x05, form: "integer", default: 0 },
  initial_max_stream_data_bidi_remote: { id: 0x06, form: "integer", default: 0 },
  initial_max_stream_data_uni: { id: 0x07, form: "integer", default: 0 },
  initial_max_streams_bidi: { id: 0x08, form: "integer", default: 0, max: MAX_STREAMS },
  initial_max_streams_uni: { id: 0x09, form: "integer", default: 0, max: MAX_STREAMS },
  ack_delay_exponent: { id: 0x0a, form: "integer", default: 3, max: 20 },
  /** Milliseconds. */
  max_ack_delay: { id: 0x0b, form: "integer", default: 25, max: 2 ** 14 - 1 },
  disable_active_migration: { id: 0x0c, form: "flag" },
  preferred_address: { id: 0x0d, by: "server", form: "address" },
  active_connection_id_limit: { id: 0x0e, form: "integer", default: 2, min: 2 },
  initial_source_connection_id: { id: 0x0f, form: "id" },
  retry_source_connection_id: { id: 0x10, by: "server", form: "id" },
  version_information: { id: 0x11, form: "versions" },
  max_datagram_frame_size: { id: 0x20, form: "integer", default: 0 },
} as const satisfies Record<string, Row>;
export type ParameterName = keyof typeof PARAMETERS;

type Table = typeof PARAMETERS;
type Named<Form extends Row["form"]> = { [Name in ParameterName]: Table[Name]["form"] extends Form ? Name : never }[ParameterName];
/** The values of one side: integers and flags with their defaults, the others if they were sent. */
export type Parameters = { readonly [Name in Named<"integer">]: number } & { readonly [Name in Named<"flag">]: boolean } & {
  readonly [Name in Named<"id" | "token">]?: Uint8Array;
} & { readonly preferred_address?: PreferredAddress; readonly version_information?: VersionInformation };
type Value = number | boolean | Uint8Array | PreferredAddress | VersionInformation;

const NAMES: readonly ParameterName[] = Object.keys(PARAMETERS) as ParameterName[];
const BY_ID: ReadonlyMap<number, ParameterName> = new Map(NAMES.map((name) => [PARAMETERS[name].id, name]));

/** What holds of a side that sends nothing. */
export const DEFAULT_PARAMETERS: Parameters = Object.freeze(
  Object.fromEntries(
    NAMES.flatMap((name): (readonly [ParameterName, Value])[] => {
      const row: Row = PARAMETERS[name];
      if (row.form === "integer") return [[name, row.default]];
      return row.form === "flag" ? [[name, false]] : [];
    }),
  ) as Parameters,
);

/** Reads what the TLS extension of `by` carries. Octets are copied: they live as long as the connection. */
export function readParameters(octets: Uint8Array, by: Side): Parameters | Fault {
  const reader = new Reader(octets);
  const values: Partial<Record<ParameterName, Value>> = {};
  const seen = new Set<number>();
  while (reader.left > 0) {
    const id = readVarint(reader);
    const value = reader.view(readVarint(reader));
    if (reader.short) return fault("parametersTruncated");
    // Greater ids are rounded, so two different ones may look alike.
    if (seen.has(id) && id <= Number.MAX_SAFE_INTEGER) return fault("parameterTwice");
    seen.add(id);
    const name = BY_ID.get(id);
    if (name === undefined) continue;
    const row: Row = PARAMETERS[name];
    if (row.by === "server" && by === "client") return fault("parameterOfServerByClient");
    const got = readValue(row, value);
    if (typeof got === "object" && "is" in got) return got;
    values[name] = got;
  }
  return { ...DEFAULT_PARAMETERS, ...values } as Parameters;
}

function readValue(row: Row, octets: Uint8Array): Value | Fault {
  switch (row.form) {
    case "integer": {
      const reader = new Reader(octets);
      const value = readVarint(reader);
      if (reader.short || reader.left > 0) return fault("parameterMalformed");
      return value < (row.min ?? 0) || value > (row.max ?? MAX_VARINT) ? fault("parameterOutOfRange") : value;
    }
    case "flag":
      return octets.length === 0 ? true : fault("parameterMalformed");
    case "id":
      return octets.length <= MAX_ID_LENGTH ? octets.slice() : fault("parameterMalformed");
    case "token":
      return octets.length === RESET_TOKEN_LENGTH ? octets.slice() : fault("parameterMalformed");
    case "address":
      return readAddress(octets.slice());
    case "versions":
      return readVersions(octets);
  }
}

const VERSION_LENGTH = 4;

/** Versions of 4 octets each, none of which is 0 (rfc9368#4). */
function readVersions(octets: Uint8Array): VersionInformation | Fault {
  const reader = new Reader(octets);
  const versions = Array.from({ length: Math.floor(octets.length / VERSION_LENGTH) }, () => reader.u32());
  const [chosen, ...available] = versions;
  if (chosen === undefined || reader.left > 0 || versions.includes(0)) return fault("versionInformationMalformed");
  return { chosen, available };
}

function readAddress(octets: Uint8Array): PreferredAddress | Fault {
  const reader = new Reader(octets);
  const family = (length: number): PreferredAddress["ipv4"] => {
    const address = reader.view(length);
    return { address, port: (reader.u8() << 8) | reader.u8() };
  };
  const ipv4 = family(4);
  const ipv6 = family(16);
  const length = reader.u8();
  const id = reader.view(length);
  const resetToken = reader.view(RESET_TOKEN_LENGTH);
  if (reader.short || reader.left > 0 || length > MAX_ID_LENGTH) return fault("parameterMalformed");
  return length === 0 ? fault("preferredAddressZeroLengthId") : { ipv4, ipv6, id, resetToken };
}

/** Writes parameters in the order of the table, without those that have their default. */
export function writeParameters(parameters: Partial<Parameters>): Uint8Array {
  const writer = new Writer();
  for (const name of NAMES) {
    const value: Value | undefined = parameters[name];
    if (value === undefined || value === DEFAULT_PARAMETERS[name]) continue;
    const body = new Writer();
    if (typeof value === "number") writeVarint(body, value);
    else if (value instanceof Uint8Array) body.bytes(value);
    else if (typeof value === "object" && "chosen" in value) for (const version of [value.chosen, ...value.available]) body.u32(version);
    else if (typeof value === "object") writeAddress(body, value);
    const octets = body.take();
    writeVarint(writer, PARAMETERS[name].id);
    writeVarint(writer, octets.length);
    writer.bytes(octets);
  }
  return writer.take();
}

function writeAddress(writer: Writer, { ipv4, ipv6, id, resetToken }: PreferredAddress): void {
  for (const { address, port } of [ipv4, ipv6]) writer.bytes(address).u16(port);
  writer.u8(id.length).bytes(id).bytes(resetToken);
}
