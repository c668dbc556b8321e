import type { WithoutId } from "../../write.ts";
import type { MessageName, MessageVector } from "./kinds.ts";

/** Builds handshake messages from their parts: the octets and what they mean come from the same line. */

/** A piece of a message: its octets in hexadecimal, and the members that it gives the message. */
export type Part = { readonly wire: string; readonly value: Readonly<Record<string, unknown>> };

const hexOf = (value: number, octets: number): string => value.toString(16).padStart(octets * 2, "0");
export const u8 = (value: number): string => hexOf(value, 1);
export const u16 = (value: number): string => hexOf(value, 2);
const u32 = (value: number): string => hexOf(value, 4);
export const text = (value: string): string => Buffer.from(value, "latin1").toString("hex");
const sized =
  (octets: number) =>
  (...content: readonly string[]): string => {
    const all = content.join("");
    return hexOf(all.length / 2, octets) + all;
  };
/** Octets after their length in 8, 16 or 24 bits. */
export const [v8, v16, v24] = [sized(1), sized(2), sized(3)] as const;

const TYPES: Readonly<Record<MessageName, number>> = {
  ClientHello: 1,
  ServerHello: 2,
  HelloRetryRequest: 2,
  NewSessionTicket: 4,
  EncryptedExtensions: 8,
  Certificate: 11,
  CertificateRequest: 13,
  CertificateVerify: 15,
};
const RETRY_RANDOM = "cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c";
const RANDOM = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/** An extension; `value` has its meaning, if it has one for us. */
export type Extension = Part & { readonly id: number };
export const ext = (id: number, content: string, value: Part["value"] = {}): Extension => ({ id, wire: u16(id) + v16(content), value });

const numbers = (values: readonly number[]): string => values.map(u16).join("");
type Share = readonly [group: number, key: string];
const shareOf = ([group, key]: Share): string => u16(group) + v16(key);
const shareValue = ([group, key]: Share): object => ({ group, key });

/** The extensions that are read, in the forms of their messages. */
export const serverName = (name: string): Extension => ext(0, v16(u8(0), v16(text(name))), { serverName: name.toLowerCase() });
export const groups = (...values: readonly number[]): Extension => ext(10, v16(numbers(values)), { groups: values });
export const schemes = (...values: readonly number[]): Extension => ext(13, v16(numbers(values)), { schemes: values });
export const alpn = (...names: readonly string[]): Extension => ext(16, v16(...names.map((name) => v8(text(name)))), { alpn: names });
export const early: Extension = ext(42, "", { early: true });
export const earlyOctets = (count: number): Extension => ext(42, u32(count), { earlyOctets: count });
export const versions = (...values: readonly number[]): Extension => ext(43, v8(numbers(values)), { versions: values });
export const version = (value: number): Extension => ext(43, u16(value), { version: value });
export const cookie = (octets: string): Extension => ext(44, v16(octets), { cookie: octets });
export const pskModes = (...values: readonly number[]): Extension => ext(45, v8(...values.map(u8)), { pskModes: values });
export const shares = (...values: readonly Share[]): Extension => ext(51, v16(...values.map(shareOf)), { shares: values.map(shareValue) });
export const share = (group: number, key: string): Extension => ext(51, shareOf([group, key]), { share: { group, key } });
export const retryGroup = (group: number): Extension => ext(51, u16(group), { retryGroup: group });
export const parameters = (octets: string): Extension => ext(57, octets, { parameters: octets });
export const identity = (index: number): Extension => ext(41, u16(index), { identity: index });
type Offer = readonly [ticket: string, obfuscatedAge: number, binder: string];
export const psk = (...offers: readonly Offer[]): Extension =>
  ext(41, v16(...offers.map(([ticket, age]) => v16(ticket) + u32(age))) + v16(...offers.map(([, , binder]) => v8(binder))), {
    identities: offers.map(([ticket, obfuscatedAge]) => ({ ticket, obfuscatedAge })),
    binders: offers.map(([, , binder]) => binder),
  });

const block = (list: readonly Extension[]): string => v16(...list.map(({ wire }) => wire));
const meaning = (list: readonly Extension[]): Part["value"] => ({ extensions: Object.assign({}, ...list.map(({ value }) => value)) as object });

const body = (wire: string, value: Part["value"]): Part => ({ wire, value });
type Hello = { readonly version?: number; readonly sessionId?: string; readonly suites?: readonly number[]; readonly compressions?: string; readonly random?: string };
export const clientHello = (list: readonly Extension[], { version = 0x0303, sessionId = "", suites = [0x1301], compressions = "00", random = RANDOM }: Hello = {}): Part =>
  body(u16(version) + random + v8(sessionId) + v16(numbers(suites)) + v8(compressions) + block(list), {
    version,
    random,
    sessionId,
    suites,
    compressions,
    ...meaning(list),
  });
export const serverHello = (list: readonly Extension[], { version = 0x0303, sessionId = "", suites: [suite = 0x1301] = [], random = RANDOM }: Hello = {}): Part =>
  body(`${u16(version)}${random}${v8(sessionId)}${u16(suite)}00${block(list)}`, { version, random, sessionId, suite, compression: 0, ...meaning(list) });
export const retryRequest = (list: readonly Extension[]): Part => serverHello(list, { random: RETRY_RANDOM });
export const encryptedExtensions = (list: readonly Extension[]): Part => body(block(list), meaning(list));
export const certificateRequest = (list: readonly Extension[], context = ""): Part => body(v8(context) + block(list), { context, ...meaning(list) });
export const certificate = (chain: readonly string[], list: readonly Extension[] = [], context = ""): Part =>
  body(v8(context) + v24(...chain.map((one) => v24(one) + block(list))), { context, chain });
export const certificateVerify = (scheme: number, signature: string): Part => body(u16(scheme) + v16(signature), { scheme, signature });
type Ticket = { readonly lifetime?: number; readonly ageAdd?: number; readonly nonce?: string; readonly ticket?: string };
export const newSessionTicket = (list: readonly Extension[], { lifetime = 7200, ageAdd = 0x01020304, nonce = "00", ticket = "7469636b6574" }: Ticket = {}): Part =>
  body(u32(lifetime) + u32(ageAdd) + v8(nonce) + v16(ticket) + block(list), { lifetimeSeconds: lifetime, ageAdd, nonce, ticket, ...meaning(list) });

type Draft = WithoutId<MessageVector>;
type About = { readonly note: string; readonly spec: MessageVector["spec"]; readonly flag: string; readonly offered?: readonly number[] };
const wireOf = (name: MessageName, { wire }: Part): string => u8(TYPES[name]) + v24(wire);

/** A message that must be read, with all of its members. */
export const good = (message: MessageName, part: Part, { note, spec, flag, offered }: About): Draft => ({
  note,
  ...(spec && { spec }),
  flags: [flag],
  message,
  ...(offered && { offered }),
  wire: wireOf(message, part),
  value: part.value,
  result: "valid",
});
/** A message that must be refused; `code` is the error of the connection (rfc9001#4.8). */
export const bad = (message: MessageName, part: Part, about: About & { readonly fault: string; readonly code: number }): Draft => ({
  note: about.note,
  ...(about.spec && { spec: about.spec }),
  flags: [about.flag],
  message,
  ...(about.offered && { offered: about.offered }),
  wire: wireOf(message, part),
  fault: about.fault,
  code: about.code,
  result: "invalid",
});
/** A message that may be refused, because only who knows the value has to look at it; whoever accepts it reads these members. */
export const either = (message: MessageName, part: Part, about: Parameters<typeof bad>[2]): Draft => ({
  ...bad(message, part, about),
  value: part.value,
  result: "acceptable",
});
export const raw = (wire: string): Part => ({ wire, value: {} });
