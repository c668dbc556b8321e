import { Reader, type Writer } from "../core/index.ts";
import { numbers16, sized16, u16, vector16, vector8 } from "./codec.ts";
import { fault, type Fault, type FaultName } from "./faults.ts";

/** Where a block of extensions stands (rfc8446#4.2). */
export type Block =
  | "ClientHello"
  | "ServerHello"
  | "HelloRetryRequest"
  | "EncryptedExtensions"
  | "CertificateRequest"
  | "Certificate"
  | "NewSessionTicket";

export type Share = { readonly group: number; readonly key: Uint8Array };
export type Identity = { readonly ticket: Uint8Array; readonly obfuscatedAge: number };

/** The extensions of one block that mean something to us, each in the form that its block has. */
export type Extensions = {
  serverName?: string;
  groups?: readonly number[];
  schemes?: readonly number[];
  /** The protocols of a client, or the one that the server has chosen. */
  alpn?: readonly string[];
  shares?: readonly Share[];
  share?: Share;
  retryGroup?: number;
  identities?: readonly Identity[];
  binders?: readonly Uint8Array[];
  /** Octets of the extension that the binders take up, their length included. */
  bindersLength?: number;
  identity?: number;
  pskModes?: readonly number[];
  early?: true;
  earlyOctets?: number;
  cookie?: Uint8Array;
  versions?: readonly number[];
  version?: number;
  parameters?: Uint8Array;
  /** Every extension of the block by its number, in order, with its content. */
  all: ReadonlyMap<number, Uint8Array>;
};

type Read = (r: Reader, into: Extensions) => FaultName | void;
type Row = { readonly id: number; readonly in: Partial<Record<Block, Read>> };

const empty: Read = () => {};
const anything: Read = (r) => void r.rest();
const early: Read = (_, into) => void (into.early = true);

const numbers =
  (into: "groups" | "schemes"): Read =>
  (r, extensions) => {
    const found = numbers16(vector16(r));
    if (found === undefined) return "extensionMalformed";
    extensions[into] = found;
  };

/** A host name in ASCII, in lower case. */
export const HOST_NAME = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;

/** One name of a host, in ASCII (rfc6066#3). */
const serverName: Read = (r, into) => {
  const list = new Reader(vector16(r));
  const type = list.u8();
  const name = vector16(list);
  if (list.short || name.length === 0) return "extensionMalformed";
  if (list.left > 0 || type !== 0) return "nameInvalid";
  const text = Buffer.from(name).toString("latin1").toLowerCase();
  if (!HOST_NAME.test(text)) return "nameInvalid";
  into.serverName = text;
};

const protocols: Read = (r, into) => {
  const list = new Reader(vector16(r));
  const names: string[] = [];
  while (list.left > 0) {
    const name = vector8(list);
    if (name.length === 0) return "extensionMalformed";
    names.push(Buffer.from(name).toString("latin1"));
  }
  if (list.short || names.length === 0) return "extensionMalformed";
  into.alpn = names;
};
/** A server answers with exactly one protocol (rfc7301#3.1). */
const protocol: Read = (r, into) => protocols(r, into) ?? (into.alpn?.length === 1 ? undefined : "extensionMalformed");

const readShare = (r: Reader): Share => ({ group: u16(r), key: vector16(r) });
const shares: Read = (r, into) => {
  const list = new Reader(vector16(r));
  const found: Share[] = [];
  while (list.left > 0) {
    const share = readShare(list);
    if (list.short || share.key.length === 0) return "extensionMalformed";
    found.push(share);
  }
  if (new Set(found.map(({ group }) => group)).size !== found.length) return "valueTwice";
  into.shares = found;
};
const share: Read = (r, into) => {
  into.share = readShare(r);
  if (into.share.key.length === 0) return "extensionMalformed";
};

const pskOffer: Read = (r, into) => {
  const list = new Reader(vector16(r));
  const identities: Identity[] = [];
  while (list.left > 0) {
    const ticket = vector16(list);
    identities.push({ ticket, obfuscatedAge: list.u32() });
    if (list.short || ticket.length === 0) return "extensionMalformed";
  }
  into.bindersLength = r.left;
  const rest = new Reader(vector16(r));
  const binders: Uint8Array[] = [];
  while (rest.left > 0) {
    const binder = vector8(rest);
    if (rest.short || binder.length < 32) return "extensionMalformed";
    binders.push(binder);
  }
  if (identities.length === 0 || binders.length === 0) return "extensionMalformed";
  if (identities.length !== binders.length) return "bindersUneven";
  into.identities = identities;
  into.binders = binders;
};

const pskModes: Read = (r, into) => {
  into.pskModes = [...vector8(r)];
  if (into.pskModes.length === 0) return "extensionMalformed";
};
const cookie: Read = (r, into) => {
  into.cookie = vector16(r);
  if (into.cookie.length === 0) return "extensionMalformed";
};
const versions: Read = (r, into) => {
  const found = numbers16(vector8(r));
  if (found === undefined) return "extensionMalformed";
  into.versions = found;
};
const version: Read = (r, into) => void (into.version = u16(r));
const parameters: Read = (r, into) => void (into.parameters = r.rest());

/** The extensions that we know, and the blocks that may have them (rfc8446#4.2). Of some we know only their place. */
export const EXTENSIONS = {
  server_name: { id: 0, in: { ClientHello: serverName, EncryptedExtensions: empty } },
  max_fragment_length: { id: 1, in: { ClientHello: anything, EncryptedExtensions: anything } },
  status_request: { id: 5, in: { ClientHello: anything, CertificateRequest: anything, Certificate: anything } },
  supported_groups: { id: 10, in: { ClientHello: numbers("groups"), EncryptedExtensions: numbers("groups") } },
  signature_algorithms: { id: 13, in: { ClientHello: numbers("schemes"), CertificateRequest: numbers("schemes") } },
  use_srtp: { id: 14, in: { ClientHello: anything, EncryptedExtensions: anything } },
  heartbeat: { id: 15, in: { ClientHello: anything, EncryptedExtensions: anything } },
  application_layer_protocol_negotiation: { id: 16, in: { ClientHello: protocols, EncryptedExtensions: protocol } },
  signed_certificate_timestamp: { id: 18, in: { ClientHello: anything, CertificateRequest: anything, Certificate: anything } },
  client_certificate_type: { id: 19, in: { ClientHello: anything, EncryptedExtensions: anything } },
  server_certificate_type: { id: 20, in: { ClientHello: anything, EncryptedExtensions: anything } },
  padding: { id: 21, in: { ClientHello: anything } },
  pre_shared_key: { id: 41, in: { ClientHello: pskOffer, ServerHello: (r, into) => void (into.identity = u16(r)) } },
  early_data: {
    id: 42,
    in: { ClientHello: early, EncryptedExtensions: early, NewSessionTicket: (r, into) => void (into.earlyOctets = r.u32()) },
  },
  supported_versions: { id: 43, in: { ClientHello: versions, ServerHello: version, HelloRetryRequest: version } },
  cookie: { id: 44, in: { ClientHello: cookie, HelloRetryRequest: cookie } },
  psk_key_exchange_modes: { id: 45, in: { ClientHello: pskModes } },
  certificate_authorities: { id: 47, in: { ClientHello: anything, CertificateRequest: anything } },
  oid_filters: { id: 48, in: { CertificateRequest: anything } },
  post_handshake_auth: { id: 49, in: { ClientHello: empty } },
  signature_algorithms_cert: { id: 50, in: { ClientHello: anything, CertificateRequest: anything } },
  key_share: { id: 51, in: { ClientHello: shares, ServerHello: share, HelloRetryRequest: (r, into) => void (into.retryGroup = u16(r)) } },
  quic_transport_parameters: { id: 57, in: { ClientHello: parameters, EncryptedExtensions: parameters } },
} as const satisfies Record<string, Row>;
export type ExtensionName = keyof typeof EXTENSIONS;

const byId: ReadonlyMap<number, Row> = new Map(Object.values(EXTENSIONS).map((row: Row) => [row.id, row]));

type Rules = {
  readonly most: number;
  /** The extensions that the block may answer; in a block that is no answer, others are ignored (rfc8446#4.2). */
  readonly offered?: ReadonlySet<number>;
};

/** Reads a whole block; the values are views of it. */
export function readExtensions(r: Reader, block: Block, { most, offered }: Rules): Extensions | Fault {
  const list = new Reader(vector16(r));
  const all = new Map<number, Uint8Array>();
  const into: Extensions = { all };
  let last = -1;
  while (list.left > 0) {
    const id = u16(list);
    const content = vector16(list);
    if (list.short) return fault("messageMalformed");
    if (all.has(id)) return fault("extensionTwice");
    if (all.size === most) return fault("tooManyExtensions");
    all.set(id, content);
    last = id;
    const refused = readOne(id, content, { block, into, offered });
    if (refused !== undefined) return fault(refused);
  }
  if (r.short) return fault("messageMalformed");
  // The binders cover everything before them (rfc8446#4.2.11).
  const { id: psk } = EXTENSIONS.pre_shared_key;
  return block === "ClientHello" && all.has(psk) && last !== psk ? fault("pskNotLast") : into;
}

type Place = { readonly block: Block; readonly into: Extensions; readonly offered: ReadonlySet<number> | undefined };

function readOne(id: number, content: Uint8Array, { block, into, offered }: Place): FaultName | undefined {
  const row = byId.get(id);
  const read = row?.in[block];
  if (row !== undefined && read === undefined) return "extensionMisplaced";
  if (offered !== undefined && !offered.has(id)) return "extensionUnsolicited";
  if (read === undefined) return undefined;
  const r = new Reader(content);
  const refused = read(r, into);
  if (refused !== undefined) return refused;
  return r.short || r.left > 0 ? "extensionMalformed" : undefined;
}

/** Writes one extension with the content that `body` writes. */
export function extension(w: Writer, name: ExtensionName, body?: () => void): void {
  w.u16(EXTENSIONS[name].id);
  sized16(w, () => body?.());
}
