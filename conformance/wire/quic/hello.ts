import { fromHex, join } from "../octets.ts";

/** Extensions of a ClientHello (rfc8446#4.2). */
const EXTENSIONS = {
  server_name: 0x00,
  supported_groups: 0x0a,
  signature_algorithms: 0x0d,
  application_layer_protocol_negotiation: 0x10,
  supported_versions: 0x2b,
  early_data: 0x2a,
  psk_key_exchange_modes: 0x2d,
  key_share: 0x33,
  quic_transport_parameters: 0x39,
} as const;
export type ExtensionName = keyof typeof EXTENSIONS;

/** What to change in a ClientHello. */
export type HelloSpec = {
  readonly without?: readonly ExtensionName[];
  /** The octets of an extension, in place of its own. */
  readonly replace?: Readonly<Partial<Record<ExtensionName, string>>>;
  /** An extension twice. */
  readonly twice?: ExtensionName;
  /** An extension by its number, at the end. */
  readonly add?: { readonly type: number; readonly hex: string };
  /** The legacy session ID, the cipher suites and the compression methods in hex. */
  readonly session?: string;
  readonly suites?: string;
  readonly compression?: string;
  /** The type of the message, if it is another than ClientHello. */
  readonly message?: number;
  /** Octets after the last extension, within the message. */
  readonly trailing?: string;
};

/** What to change in the extensions of a message. */
export type ExtensionsSpec = Pick<HelloSpec, "without" | "replace" | "twice" | "add" | "trailing">;

const u16 = (value: number): Uint8Array => Uint8Array.of(value >> 8, value & 0xff);
export const prefixed = (octets: Uint8Array, width: 1 | 2): Uint8Array =>
  join([width === 1 ? Uint8Array.of(octets.length) : u16(octets.length), octets]);

/** A ClientHello with these changes (rfc8446#4.1.2). */
export function editHello(octets: Uint8Array, spec: HelloSpec): Uint8Array {
  let at = 4;
  const take = (length: number): Uint8Array => octets.subarray(at, (at += length));
  const list = (width: 1 | 2): Uint8Array => take(width === 1 ? (take(1)[0] ?? 0) : number(take(2)));
  const head = take(34);
  const session = list(1);
  const suites = list(2);
  const compression = list(1);
  const body = join([
    head,
    prefixed(spec.session === undefined ? session : fromHex(spec.session), 1),
    prefixed(spec.suites === undefined ? suites : fromHex(spec.suites), 2),
    prefixed(spec.compression === undefined ? compression : fromHex(spec.compression), 1),
    editExtensions(list(2), spec),
  ]);
  return message(spec.message ?? 1, body);
}

/** A handshake message (rfc8446#4). */
export const message = (type: number, body: Uint8Array): Uint8Array =>
  join([Uint8Array.of(type, body.length >> 16), u16(body.length & 0xffff), body]);

/** A block of extensions with these changes, its length before it. */
export function editExtensions(octets: Uint8Array, spec: ExtensionsSpec): Uint8Array {
  const extensions = extensionsOf(octets).flatMap(([type, value]) => changed(type, value, spec));
  const added = spec.add === undefined ? [] : [join([u16(spec.add.type), prefixed(fromHex(spec.add.hex), 2)])];
  return join([prefixed(join([new Uint8Array(0), ...extensions, ...added]), 2), fromHex(spec.trailing ?? "")]);
}

const number = (octets: Uint8Array): number => ((octets[0] ?? 0) << 8) | (octets[1] ?? 0);

function extensionsOf(octets: Uint8Array): [number, Uint8Array][] {
  const found: [number, Uint8Array][] = [];
  for (let at = 0; at + 4 <= octets.length;) {
    const length = number(octets.subarray(at + 2));
    found.push([number(octets.subarray(at)), octets.subarray(at + 4, at + 4 + length)]);
    at += 4 + length;
  }
  return found;
}

function changed(type: number, value: Uint8Array, { without = [], replace = {}, twice }: ExtensionsSpec): Uint8Array[] {
  const name = (Object.keys(EXTENSIONS) as ExtensionName[]).find((one) => EXTENSIONS[one] === type);
  if (name !== undefined && without.includes(name)) return [];
  const hex = name === undefined ? undefined : replace[name];
  const one = join([u16(type), prefixed(hex === undefined ? value : fromHex(hex), 2)]);
  return name !== undefined && name === twice ? [one, one] : [one];
}
