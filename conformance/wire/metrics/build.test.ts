import snappy from "snappyjs";
import { describe, expect, test } from "vitest";
import { histogramMessage, type WrittenHistogram } from "./histogram.ts";
import { openMetricsPage, remoteWrite, writeRequest } from "./build.ts";
import { toHex } from "../octets.ts";

describe("remote write: a request", () => {
  test("labels are sorted, values are 64 bits, times are milliseconds", () => {
    const request = writeRequest([{ labels: { b: "ü", __name__: "m" }, samples: [{ value: 1.5, time: 300 }] }]);
    // 0a: a series; in it 0a: labels of a name (0a) and a value (12), 12: a sample of a double (09) and a varint (10).
    expect(toHex(request)).toBe(
      ["0a26", "0a0d", "0a085f5f6e616d655f5f", "12016d", "0a07", "0a0162", "1202c3bc", "120c", "09000000000000f83f", "10ac02"].join(""),
    );
  });

  test("a staleness marker is its own NaN", () => {
    expect(toHex(writeRequest([{ labels: {}, samples: [{ value: "stale", time: 0 }] }]))).toBe("0a0d120b09020000000000f07f1000");
  });

  test("an integer histogram has spans and differences, a float one its counts, a custom one its bounds", () => {
    const plain = {
      schema: -1,
      zeroThreshold: 0,
      zeroCount: 1,
      positive: { [-1]: 3, 0: 2, 4: 2 },
      negative: {},
      count: 8,
      sum: 0,
      isGauge: false,
    };
    const message = (value: WrittenHistogram): string => toHex(histogramMessage(value, 1));
    const none = "0000000000000000";
    expect(message({ ...plain, isInteger: true })).toBe(
      ["0808", `19${none}`, "2001", `29${none}`, "3001", "5a0408011002", "5a0408061001", "6203060100", "7801"].join(""),
    );
    const floats = { ...plain, positive: { 1: 1 }, negative: { 0: 1 }, isInteger: false, isGauge: true };
    expect(message(floats)).toBe(
      [
        ["110000000000002040", `19${none}`, "2001", `29${none}`, "39000000000000f03f"],
        ["420408001001", "5208000000000000f03f", "5a0408021001", "6a08000000000000f03f", "7003", "7801"],
      ]
        .flat()
        .join(""),
    );
    expect(message({ ...plain, schema: -53, positive: {}, bounds: [1], isInteger: true })).toBe(
      ["0808", `19${none}`, "2069", `29${none}`, "3001", "7801", "820108000000000000f03f"].join(""),
    );
  });

  test("the end of a series of histograms is one with the staleness marker as its sum", () => {
    const series = [{ labels: {}, samples: [], histograms: [{ value: "stale", time: 2 } as const] }];
    expect(toHex(writeRequest(series))).toBe("0a0f220d0800190200000000 00f07f7802".replace(" ", ""));
  });

  test("it is sent as one Snappy block", () => {
    const series = [
      { labels: { __name__: "m" }, samples: Array.from({ length: 200 }, (_, at) => ({ value: at, time: 1_748_736_000_000 + at })) },
    ];
    expect(toHex(snappy.uncompress(remoteWrite(series)))).toBe(toHex(writeRequest(series)));
  });
});

describe("OpenMetrics: a page", () => {
  test("names are quoted if necessary, labels escaped, staleness markers left out", () => {
    const page = openMetricsPage([
      {
        labels: { __name__: "m", a: 'x"\\\n' },
        samples: [
          { value: -0, time: 1_500 },
          { value: "stale", time: 2_000 },
        ],
      },
      {
        labels: { __name__: "m.n", "b.c": "y" },
        samples: [
          { value: Number.NaN, time: 1 },
          { value: Number.NEGATIVE_INFINITY, time: 2_000 },
        ],
      },
    ]);
    expect(page).toBe('m{a="x\\"\\\\\\n"} -0 1.5\n{"m.n","b.c"="y"} NaN 0.001\n{"m.n","b.c"="y"} -Inf 2\n# EOF\n');
  });
});
