import { describe, expect, test } from "vitest";
import { Page, readText, SCRAPE } from "../../../reference/metrics/exposition/index.ts";
import { Unpacker } from "../../../reference/metrics/tsdb/codec/snappy.ts";
import { Cursor } from "../../../reference/metrics/tsdb/codec/varint.ts";
import { Fleet } from "./fleet.ts";
import { Texts, timeOf } from "./texts.ts";

const fleet = new Fleet(1_000);
const texts = new Texts(fleet);

describe("the data of the metrics bench", () => {
  test("all series differ, and kinds have the shares that the queries assume", () => {
    const names = new Map<string, number>();
    const all = new Set<string>();
    let api = 0;
    for (let series = 0; series < fleet.count; series++) {
      const labels = Object.fromEntries(fleet.labels(series)) as Record<string, string>;
      all.add(JSON.stringify(labels));
      names.set(labels["__name__"] ?? "", (names.get(labels["__name__"] ?? "") ?? 0) + 1);
      if (labels["path"]?.startsWith("/api/") === true) api += 1;
    }
    expect(all.size).toBe(1_000);
    expect(names.get("http_server_requests_total")).toBe(100);
    expect(names.get("http_server_request_duration_seconds_bucket")).toBe(480);
    expect(names.get("process_resident_memory_bytes")).toBe(100);
    expect(names.get("service_build_info")).toBe(10);
    expect(api).toBe(300);
  });

  test("counters never decrease, and no bucket is smaller than the one before it", () => {
    const isBucketBehindOne = (series: number): boolean => series > 10 && series < 58 && (series - 10) % 12 !== 0;
    for (let series = 0; series < 89; series++) {
      for (let step = 1; step < 50; step++) {
        expect(fleet.value(series, step)).toBeGreaterThanOrEqual(fleet.value(series, step - 1));
        const bucketBefore = isBucketBehindOne(series) ? fleet.value(series - 1, step) : 0;
        expect(fleet.value(series, step)).toBeGreaterThanOrEqual(bucketBefore);
      }
    }
  });

  test("page(): parses to the samples of the fleet", () => {
    const page = new Page();
    expect(readText(page, texts.page(50, 60, 3, true), { lenient: SCRAPE })).toBeUndefined();
    expect(page.count).toBe(10);
    for (let at = 0; at < 10; at++) {
      expect(page.values[at]).toBe(fleet.value(50 + at, 3));
      expect(page.timestamps[at]).toBe(timeOf(3));
      expect([["__name__", page.name(at)], ...page.labels(at)].sort()).toEqual(fleet.labels(50 + at).sort());
    }
  });

  test("request(): contains each series with its labels and the samples of its steps", () => {
    const packed = texts.request(7, 9, 2, 5);
    const unpacker = new Unpacker();
    expect(unpacker.unpack(packed, 0, packed.length, 1 << 20)).toBe(true);
    const read = fieldsOf(unpacker.bytes.slice(0, unpacker.length)).map((one) => {
      const fields = fieldsOf(one.content);
      const labels = fields
        .filter(({ tag }) => tag === 0x0a)
        .map(({ content }) => fieldsOf(content).map((part) => part.content.toString()));
      const samples = fields.filter(({ tag }) => tag === 0x12).map(({ content }) => [content.readDoubleLE(1), varintAt(content, 10)]);
      return { tag: one.tag, labels, samples };
    });
    expect(read).toEqual(
      [7, 8].map((series) => ({
        tag: 0x0a,
        labels: fleet.labels(series),
        samples: [2, 3, 4].map((step) => [fleet.value(series, step), timeOf(step)]),
      })),
    );
  });
});

type ProtobufField = { readonly tag: number; readonly content: Buffer };

/** Length-delimited fields; the test reads no others. */
function fieldsOf(octets: Uint8Array): ProtobufField[] {
  const bytes = Buffer.from(octets);
  const fields: ProtobufField[] = [];
  for (let at = 0; at < bytes.length;) {
    const cursor = new Cursor(bytes, at + 1);
    const length = cursor.uvarint();
    fields.push({ tag: bytes[at] ?? 0, content: bytes.subarray(cursor.at, cursor.at + length) });
    at = cursor.at + length;
  }
  return fields;
}

const varintAt = (bytes: Uint8Array, at: number): number => new Cursor(bytes, at).uvarint();
