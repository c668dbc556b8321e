import { gzipSync } from "node:zlib";
import { joined, lengthDelimited as field, varint, varintField } from "../../wire/protobuf.ts";
import type { Answer } from "../vocabulary.ts";

/** The content of an answer. */

const TEXT = "text/plain; version=0.0.4; charset=utf-8";
const PROTOBUF = "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited";

/** What names in braces stand for. */
export type Places = { readonly target: string; readonly elsewhere?: string; readonly dir?: string };

/** A text with the places and times in it. */
export const filled = (text: string, places: Places, now = Date.now()): string =>
  text.replaceAll(/\{(target|elsewhere|dir|ms|s)(?:-(\d+))?\}/g, (_, name: string, earlier = "0") => {
    const ms = now - Number(earlier);
    return name === "ms" ? String(ms) : name === "s" ? String(ms / 1_000) : (places[name as keyof Places] ?? "");
  });

function double(number: number, value: number): Uint8Array {
  const octets = Buffer.alloc(8);
  octets.writeDoubleLE(value);
  return joined([varint(number * 8 + 1), octets]);
}
const GAUGE = 1;
const HISTOGRAM = 4;
const family = (name: string, type: number, metric: Uint8Array): Uint8Array => {
  const message = joined([field(1, Buffer.from(name)), varintField(3, type), field(4, metric)]);
  return joined([varint(message.length), message]);
};
/** A native histogram of schema 0 with three observations in two buckets. */
const native = (name: string): Uint8Array => {
  const span = field(12, joined([varintField(1, 0), varintField(2, 2)]));
  const deltas = [1, 1].map((delta) => joined([varint(13 * 8), varint(delta * 2)]));
  const histogram = joined([varintField(1, 3), double(2, 4.5), double(6, 0.5), span, ...deltas]);
  return family(name, HISTOGRAM, field(7, histogram));
};

/** `{octet}` is one that UTF-8 does not have. */
const octetsOf = (text: string): Uint8Array =>
  joined(text.split("{octet}").flatMap((part, at) => (at === 0 ? [Buffer.from(part)] : [Buffer.of(255), Buffer.from(part)])));

/** The octets and the fields of an answer. */
export function contentOf(
  answer: Answer,
  places: Places,
): { readonly octets: Uint8Array; readonly fields: Readonly<Record<string, string>> } {
  const { page, gauges, native: histogram, coding, fields = {}, type = gauges === undefined ? TEXT : PROTOBUF } = answer;
  const messages = Object.entries(gauges ?? {}).map(([name, value]) => family(name, GAUGE, field(2, double(1, value))));
  const plain =
    gauges === undefined
      ? octetsOf(filled(page ?? "", places))
      : joined(histogram === undefined ? messages : [...messages, native(histogram)]);
  const octets = coding === undefined || coding.is === "plain" ? plain : gzipSync(plain);
  return {
    octets: coding?.is === "cut" ? octets.subarray(0, -6) : octets,
    fields: {
      ...(type !== null && { "content-type": type }),
      ...(coding !== undefined && { "content-encoding": coding.states }),
      ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, filled(value, places)])),
    },
  };
}
