import { joined, lengthDelimited, readMessage, type ReadMessage, varint, varintField } from "../protobuf.ts";
import { fromHex, toHex } from "../octets.ts";

/** The messages of `vectors/rpc/conformance.proto`. */

export const SERVICE = "touchstone.conformance.v1.Conformance";
export const METHODS = ["Unary", "ClientStream", "ServerStream", "BidiStream", "Fate", "Missing"] as const;
export type Method = (typeof METHODS)[number];

/** One entry of metadata; a value of a name in -bin is hex. */
export type Entry = readonly [name: string, value: string];

/** What a handler does. */
export type Plan = {
  readonly call?: string;
  readonly headers?: readonly Entry[];
  readonly trailers?: readonly Entry[];
  readonly headersFirst?: true;
  readonly delayMs?: number;
  readonly compression?: "on" | "off";
  readonly responses?: number;
  readonly responseOctets?: number;
  readonly early?: true;
  readonly status?: number;
  readonly message?: string;
  /** In hex. */
  readonly details?: string;
  readonly throws?: true;
};

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (field: number, value: string | undefined): Uint8Array =>
  value === undefined || value === "" ? new Uint8Array() : lengthDelimited(field, utf8(value));
const octets = (field: number, value: Uint8Array | undefined): Uint8Array =>
  value === undefined || value.length === 0 ? new Uint8Array() : lengthDelimited(field, value);
const flag = (field: number, value: true | undefined): Uint8Array => varintField(field, value === true ? 1 : 0);

const isBinary = (name: string): boolean => name.endsWith("-bin");
const entry = ([name, value]: Entry): Uint8Array => joined([text(1, name), isBinary(name) ? octets(3, fromHex(value)) : text(2, value)]);
const entries = (field: number, all: readonly Entry[] = []): Uint8Array => joined(all.map((one) => lengthDelimited(field, entry(one))));

const COMPRESSION = ["", "on", "off"];

const planOctets = (plan: Plan): Uint8Array =>
  joined([
    text(1, plan.call),
    entries(2, plan.headers),
    entries(3, plan.trailers),
    flag(4, plan.headersFirst),
    varintField(5, plan.delayMs ?? 0),
    varintField(6, COMPRESSION.indexOf(plan.compression ?? "")),
    varintField(7, plan.responses ?? 0),
    varintField(8, plan.responseOctets ?? 0),
    flag(9, plan.early),
    varintField(10, plan.status ?? 0),
    text(11, plan.message),
    octets(12, plan.details === undefined ? undefined : fromHex(plan.details)),
    flag(13, plan.throws),
  ]);

/** A Request. */
export const request = (payload: Uint8Array, plan?: Plan): Uint8Array =>
  joined([octets(1, payload), ...(plan === undefined ? [] : [lengthDelimited(2, planOctets(plan))])]);
/** A FateRequest. */
export const fateRequest = (call: string): Uint8Array => text(1, call);

/** A Response as it came. */
export type ReadResponse = { readonly payload: Uint8Array; readonly number: number; readonly seen?: Seen };
export type Seen = { readonly metadata: readonly Entry[]; readonly leftMs?: number };

const readEntry = (one: Uint8Array): Entry => {
  const field = readMessage(one);
  const name = field?.text(1) ?? "";
  return [name, isBinary(name) ? toHex(field?.octets(3) ?? new Uint8Array()) : (field?.text(2) ?? "")];
};

/** Reads a Response. Returns undefined if the octets are not one. */
export function readResponse(message: Uint8Array): ReadResponse | undefined {
  const read = readMessage(message);
  if (read === undefined) return undefined;
  const seen = read.all(3).map(readMessage).at(-1);
  return {
    payload: read.octets(1),
    number: read.number(2),
    ...(seen === undefined
      ? {}
      : { seen: { metadata: seen.all(1).map(readEntry), ...(seen.number(2) === 1 ? { leftMs: seen.number(3) } : {}) } }),
  };
}

export const STATES = ["unknown", "running", "ended", "cancelled"] as const;
export type State = (typeof STATES)[number];
/** A FateReport as it came. */
export type Fate = { readonly state: State; readonly requests: number };
export function readFate(message: Uint8Array): Fate | undefined {
  const read = readMessage(message);
  return read === undefined ? undefined : { state: STATES[read.number(1)] ?? "unknown", requests: read.number(2) };
}

// For impostors, which serve.

/** A Request as a server reads it. */
export type ReadRequest = { readonly payload: Uint8Array; readonly plan: Plan };
export function readRequest(message: Uint8Array): ReadRequest | undefined {
  const read = readMessage(message);
  if (read === undefined) return undefined;
  return { payload: read.octets(1), plan: readPlan(readMessage(read.octets(2))) };
}
function readPlan(read: ReadMessage | undefined): Plan {
  if (read === undefined) return {};
  const compression = read.number(6);
  return {
    call: read.text(1),
    headers: read.all(2).map(readEntry),
    trailers: read.all(3).map(readEntry),
    ...(read.number(4) === 1 ? { headersFirst: true } : {}),
    delayMs: read.number(5),
    ...(compression === 0 ? {} : { compression: compression === 1 ? "on" : "off" }),
    responses: read.number(7),
    responseOctets: read.number(8),
    ...(read.number(9) === 1 ? { early: true } : {}),
    status: read.number(10),
    message: read.text(11),
    details: toHex(read.octets(12)),
    ...(read.number(13) === 1 ? { throws: true } : {}),
  };
}
/** A Response. */
export const response = ({ payload, number, seen }: ReadResponse): Uint8Array =>
  joined([
    octets(1, payload),
    varintField(2, number),
    ...(seen === undefined
      ? []
      : [
          lengthDelimited(
            3,
            joined([
              entries(1, seen.metadata),
              flag(2, seen.leftMs === undefined ? undefined : true),
              seen.leftMs === undefined ? new Uint8Array() : joined([varint(3 << 3), varint(Math.max(0, Math.round(seen.leftMs)))]),
            ]),
          ),
        ]),
  ]);
/** A FateReport. */
export const fateReport = ({ state, requests }: Fate): Uint8Array =>
  joined([varintField(1, STATES.indexOf(state)), varintField(2, requests)]);
export const readFateRequest = (message: Uint8Array): string => readMessage(message)?.text(1) ?? "";
