import { fromHex, toHex } from "../octets.ts";
import type { Entry, Plan, ReadRequest, ReadResponse } from "./contract.ts";

/** The messages of `vectors/rpc/conformance.proto` in JSON. Written apart from `reference/`. */

const base64 = (octets: Uint8Array): string => Buffer.from(octets).toString("base64");
const octetsIn = (value: unknown): Uint8Array =>
  typeof value === "string" ? new Uint8Array(Buffer.from(value, "base64")) : new Uint8Array();
const isBinary = (name: string): boolean => name.endsWith("-bin");
const fieldOf = ([name, value]: Entry): object => (isBinary(name) ? { name, octets: base64(fromHex(value)) } : { name, text: value });

/** A Request. */
export function requestJson(payload: Uint8Array, plan?: Plan): string {
  if (plan === undefined) return JSON.stringify({ payload: base64(payload) });
  const { headers, trailers, compression, details, ...others } = plan;
  const given = {
    ...others,
    ...(headers === undefined ? {} : { headers: headers.map(fieldOf) }),
    ...(trailers === undefined ? {} : { trailers: trailers.map(fieldOf) }),
    ...(compression === undefined ? {} : { compression: compression.toUpperCase() }),
    ...(details === undefined ? {} : { details: base64(fromHex(details)) }),
  };
  return JSON.stringify({ payload: base64(payload), plan: given });
}

/** An object of JSON; undefined for anything else. */
export function objectIn(octets: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const json: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(octets));
    return isObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const listIn = (value: unknown): readonly Readonly<Record<string, unknown>>[] => (Array.isArray(value) ? value.filter(isObject) : []);
const entryIn = ({ name = "", text = "", octets }: Readonly<Record<string, unknown>>): Entry => [
  String(name),
  isBinary(String(name)) ? toHex(octetsIn(octets)) : String(text),
];

/** A Response as it came; undefined if the octets are malformed. */
export function readResponseJson(octets: Uint8Array): ReadResponse | undefined {
  const json = objectIn(octets);
  if (json === undefined) return undefined;
  const { payload, number = 0, seen } = json;
  return {
    payload: octetsIn(payload),
    number: Number(number),
    ...(isObject(seen)
      ? {
          seen: {
            metadata: listIn(seen["metadata"]).map(entryIn),
            ...(seen["hasDeadline"] === true ? { leftMs: Number(seen["leftMs"] ?? 0) } : {}),
          },
        }
      : {}),
  };
}

// For impostors, which serve.

/** A Request as a server reads it. */
export function readRequestJson(octets: Uint8Array): ReadRequest | undefined {
  const json = objectIn(octets);
  if (json === undefined) return undefined;
  const plan = isObject(json["plan"]) ? json["plan"] : {};
  const { headers, trailers, compression, details, ...others } = plan;
  return {
    payload: octetsIn(json["payload"]),
    plan: {
      ...(others as Plan),
      headers: listIn(headers).map(entryIn),
      trailers: listIn(trailers).map(entryIn),
      ...(compression === undefined ? {} : { compression: compression === "ON" ? "on" : "off" }),
      ...(details === undefined ? {} : { details: toHex(octetsIn(details)) }),
    },
  };
}
/** A Response. */
export const responseJson = ({ payload, number, seen }: ReadResponse): Uint8Array =>
  Buffer.from(
    JSON.stringify({
      payload: base64(payload),
      number,
      ...(seen === undefined
        ? {}
        : {
            seen: {
              metadata: seen.metadata.map(fieldOf),
              ...(seen.leftMs === undefined ? {} : { hasDeadline: true, leftMs: String(Math.max(0, Math.round(seen.leftMs))) }),
            },
          }),
    }),
  );
