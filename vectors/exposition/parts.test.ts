import { describe, expect, test } from "vitest";
import { Misuse } from "../../reference/core/index.ts";
import {
  acceptOf,
  contentTypeOf,
  escapeName,
  type FamilyToWrite,
  type Format,
  KnownSeries,
  negotiate,
  Page,
  parseContentType,
  type ProtobufFamily,
  readOpenMetrics,
  readProtobuf,
  readText,
  type SampleToWrite,
  unescapeName,
  writeOpenMetrics,
  writeText,
} from "../../reference/metrics/exposition/index.ts";
import { kindOf, loadVectors, type Vector, vectorFiles } from "../load.ts";
import { samplesOf, valueText } from "./read.ts";
import type { Exemplar, Sample } from "./source/craft.ts";
import type {
  EscapingVector,
  MessageFamily,
  MessageVector,
  NegotiationVector,
  ReadingVector,
  Repeated,
  ScrapesVector,
  WrittenFamily,
  WrittenVector,
} from "./source/kinds.ts";

/** Names, negotiation, messages, writers, limits, leniencies and consecutive pages: everything besides strict readers of one page. */

const ofKind = <V extends Vector>(kind: string): { title: string; vector: V }[] =>
  vectorFiles()
    .filter((name) => name.startsWith("exposition/"))
    .flatMap((name) => {
      const file = loadVectors<V>(name);
      return kindOf(file) === kind ? file.vectors.map((vector) => ({ title: `${vector.id}: ${vector.note}`, vector })) : [];
    });
const octetsOf = (page: string): Uint8Array => Uint8Array.from(page, (sign) => sign.charCodeAt(0));
const READERS = { "exposition-text": readText, "exposition-openmetrics": readOpenMetrics } as const;
const numberOf = (value: string): number => Number(value.replace("Inf", "Infinity"));
const isolated = <T>(members: T): T => JSON.parse(JSON.stringify(members)) as T;

describe("escaped names", () => {
  test.each(ofKind<EscapingVector>("exposition-escaping"))("$title", ({ vector: { name, of, scheme, escaped, restored } }) => {
    expect({
      escaped: name === undefined ? escaped : escapeName(name, scheme, of),
      restored: restored === undefined ? undefined : unescapeName(escaped, scheme),
    }).toEqual({ escaped, restored });
  });
});

describe("negotiation", () => {
  const formatOf = (contentType: string): Format => {
    const format = parseContentType(contentType);
    if (format === undefined || contentTypeOf(format) !== contentType) throw new Error(`${contentType} is not read as it is written.`);
    return format;
  };
  const answerOf = ({ accept, formats, fallback, contentType, preference = [] }: NegotiationVector): string | undefined => {
    if (accept !== undefined) {
      const offer = { ...(formats === undefined ? {} : { formats }), ...(fallback === undefined ? {} : { fallback: formatOf(fallback) }) };
      return contentTypeOf(negotiate(accept ?? undefined, offer));
    }
    if (contentType === undefined) return acceptOf(preference.map(formatOf));
    const format = parseContentType(contentType);
    return format === undefined ? undefined : contentTypeOf(format);
  };
  test.each(ofKind<NegotiationVector>("exposition-negotiation"))("$title", ({ vector }) => {
    expect(answerOf(vector)).toBe(vector.selected ?? vector.field);
  });
  test("a page without Content-Type has no format", () => {
    expect(parseContentType(undefined)).toBeUndefined();
  });
});

describe("messages", () => {
  const told = (samples: readonly SampleToWrite[]): Sample[] =>
    samples.map(({ name, labels = [], value, timestamp, exemplar }) => ({
      name,
      labels,
      value: valueText(value),
      ...(timestamp === undefined ? {} : { timestamp }),
      ...(exemplar === undefined ? {} : { exemplar: exemplarOf(exemplar) }),
    }));
  const exemplarOf = ({ value, ...rest }: NonNullable<SampleToWrite["exemplar"]>): Exemplar => ({ ...rest, value: valueText(value) });

  const familyOf = ({ samples, histograms, created, ...family }: ProtobufFamily): MessageFamily => ({
    ...family,
    samples: told(samples),
    ...(histograms.length === 0
      ? {}
      : {
          histograms: histograms.map(({ exemplars, histogram, ...rest }) => ({
            ...rest,
            exemplars: exemplars.map(exemplarOf),
            histogram: { ...histogram, sum: valueText(histogram.sum) },
          })),
        }),
    ...(created.length === 0 ? {} : { created }),
  });

  test.each(ofKind<MessageVector>("exposition-protobuf"))("$title", ({ vector: { wire, limits = {}, families, fault, offset } }) => {
    const bytes = new Uint8Array(Buffer.from(wire, "hex"));
    // In a larger array, as from a socket.
    const found = readProtobuf(new Uint8Array([7, ...bytes, 7]).subarray(1, 1 + bytes.length), limits);
    const got = "is" in found ? { fault: found.name, offset: found.offset } : { families: isolated(found.map(familyOf)) };
    expect(got).toEqual(families === undefined ? { fault, offset } : { families });
  });
});

describe("written pages", () => {
  const WRITERS = { text: writeText, openmetrics: writeOpenMetrics } as const;
  const writtenBy = (write: () => string): string | undefined => {
    try {
      return Buffer.from(write()).toString("latin1");
    } catch (error) {
      if (error instanceof Misuse) return undefined;
      throw error;
    }
  };
  const given = ({ samples, ...family }: WrittenFamily): FamilyToWrite => ({
    ...(family as Omit<FamilyToWrite, "samples">),
    samples: samples.map(({ value, exemplar, ...sample }): SampleToWrite => ({
      ...sample,
      value: numberOf(value),
      ...(exemplar === undefined ? {} : { exemplar: { ...exemplar, value: numberOf(exemplar.value) } }),
    })),
  });
  test.each(ofKind<WrittenVector>("exposition-written"))("$title", ({ vector: { format, escaping, families, page } }) => {
    expect(writtenBy(() => WRITERS[format](families.map(given), escaping === undefined ? {} : { escaping }))).toBe(page);
  });
});

/** Replaces each % by the number of the repetition: in values and times too. */
function repeated({ sample, times }: { readonly sample: Sample; readonly times: number }): Sample[] {
  return Array.from({ length: times }, (_, n) => {
    const one = JSON.parse(JSON.stringify(sample).replaceAll("%", String(n))) as Sample;
    return one.timestamp === undefined ? one : { ...one, timestamp: Number(one.timestamp) };
  });
}
const linesOf = ({ line, times }: Repeated): string => Array.from({ length: times }, (_, n) => line.replaceAll("%", String(n))).join("");

describe("pages with limits, leniencies, and many lines", () => {
  const page = new Page();
  test.each(ofKind<ReadingVector>("exposition-reading"))("$title", ({ vector }) => {
    const octets = octetsOf(vector.parts.map((part) => (typeof part === "string" ? part : linesOf(part))).join(""));
    const lenient = Object.fromEntries((vector.lenient ?? []).map((name) => [name, true]));
    const fault = READERS[vector.op](page, octets, { lenient, limits: vector.limits ?? {} });
    expect([fault?.name, fault?.line, fault?.column]).toEqual([vector.fault, vector.line, vector.column]);
    const due = (vector.samples ?? []).flatMap((one) => ("sample" in one ? repeated(one) : [one]));
    expect(fault === undefined ? samplesOf(page).map(inOrder) : []).toEqual(due.map(inOrder));
  });
  /** With values in one notation. */
  const inOrder = (sample: Sample): Sample => ({
    ...sample,
    value: valueText(numberOf(sample.value)),
    labels: [...sample.labels].sort(([a], [b]) => (a < b ? -1 : 1)),
  });
});

describe("consecutive pages of a target", () => {
  test.each(ofKind<ScrapesVector>("exposition-scrapes"))("$title", ({ vector: { op, pages } }) => {
    const [known, page, plain] = [new KnownSeries(), new Page(), new Page()];
    const lenient = { families: true };
    const numbers = new Map<string, number>();
    for (const { page: text, fresh, fault } of pages) {
      const octets = octetsOf(text);
      const found = READERS[op](page, octets, { lenient, known });
      expect(found?.name).toBe(fault);
      if (found !== undefined) continue;
      READERS[op](plain, octets, { lenient });
      expect(samplesOf(page)).toEqual(samplesOf(plain));
      const asked: number[] = [];
      for (let n = 0; n < page.count; n++) {
        const series = JSON.stringify([page.name(n), page.labels(n)]);
        if (known.numberOf(n) < 0) {
          asked.push(n);
          const number = numbers.get(series) ?? numbers.size;
          numbers.set(series, number);
          known.put(n, number);
        }
        expect(known.numberOf(n), series).toBe(numbers.get(series));
      }
      expect(asked).toEqual(fresh);
      known.keep(page);
    }
  });
});
