import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import snappy from "snappyjs";
import { afterEach, describe, expect, test } from "vitest";
import { MARK, MARK_VALUE } from "../data/data-set.ts";
import type { OneSight } from "../vocabulary.ts";
import { versionIn } from "./server.ts";
import { type Answer, QueryClient } from "./server-client.ts";
import { ensureData } from "./server-data.ts";
import { isLike, unlike } from "./server-judge.ts";

const answer = (json: unknown, status = 200): Answer => ({ status, json, fields: {}, text: JSON.stringify(json) });
const success = (data: unknown, more: object = {}): Answer => answer({ status: "success", data, ...more });
const vector = (...result: unknown[]): Answer => success({ resultType: "vector", result });
const A = { metric: { a: "1" }, value: [10, "2"] };
const B = { metric: { a: "2" }, value: [10, "3"] };
const rows: OneSight = {
  see: "vector",
  rows: [
    [{ a: "1" }, [10, "2"]],
    [{ a: "2" }, [10, "3"]],
  ],
};

test.each([
  [{ status: "success", data: { version: "2.42.0" } }, "2.42.0"],
  [{ status: "success", data: { version: "3.16.0", touchstoneVersion: "0.1.0" } }, "0.1.0"],
  [{ status: "success", data: { version: "" } }, undefined],
  [{ status: "error" }, undefined],
  [undefined, undefined],
])("the version in buildinfo: %j", (json, version) => {
  expect(versionIn(json)).toBe(version);
});

describe("judge: how an answer differs from the expected one", () => {
  test.each<[string, OneSight, Answer, string | undefined]>([
    ["the same", rows, vector(A, B), undefined],
    ["another order", rows, vector(B, A), undefined],
    ["another order where it counts", { ...rows, ordered: true }, vector(B, A), "is where"],
    ["one missing", rows, vector(A), '{"a":"2"} is missing'],
    ["one more", rows, vector(A, B, { metric: {}, value: [10, "1"] }), "is not expected"],
    ["one twice", rows, vector(A, A, B), "one series twice"],
    ["a label more", rows, vector({ ...A, metric: { a: "1", b: "1" } }, B), "is missing"],
    ["another value", rows, vector({ ...A, value: [10, "2.001"] }, B), "it has 2.001 at 10, not 2"],
    ["a value within the tolerance", rows, vector({ ...A, value: [10, "2.0000000000001"] }, B), undefined],
    ["infinity for a number", rows, vector({ ...A, value: [10, "+Inf"] }, B), "it has +Inf"],
    ["NaN for a number", rows, vector({ ...A, value: [10, "NaN"] }, B), "it has NaN"],
    ["another time", rows, vector({ ...A, value: [11, "2"] }, B), "a sample at 11"],
    ["a number for a text", rows, vector({ ...A, value: [10, 2] }, B), "not a string"],
    ["a word for a number", rows, vector({ ...A, value: [10, "0x2"] }, B), "it has 0x2"],
    ["no value", rows, vector({ metric: { a: "1" } }, B), "it has nothing"],
    ["another type", rows, success({ resultType: "matrix", result: [] }), "its result is a matrix"],
    ["an error", rows, answer({ status: "error", errorType: "execution", error: "no" }, 422), "it answered with 422: execution, no"],
    ["no JSON", rows, { ...answer(undefined), text: "<p>" }, "it answered with 200"],
    ["NaN as expected", { see: "scalar", sample: [1, "NaN"] }, success({ resultType: "scalar", result: [1, "NaN"] }), undefined],
    [
      "a number for infinity",
      { see: "scalar", sample: [1, "+Inf"] },
      success({ resultType: "scalar", result: [1, "5"] }),
      "it has 5 at 1, not +Inf",
    ],
    ["another text", { see: "string", sample: [1, "2"] }, success({ resultType: "string", result: [1, "2.0"] }), "it has 2.0"],
    ["no infos", { ...rows, notes: "infos" }, vector(A, B), 'it has no "infos"'],
    ["infos", { ...rows, notes: "infos" }, success({ resultType: "vector", result: [A, B] }, { infos: ["x"] }), undefined],
    [
      "a sample too many",
      { see: "matrix", rows: [[{}, [[1, "1"]]]] },
      success({
        resultType: "matrix",
        result: [
          {
            metric: {},
            values: [
              [1, "1"],
              [2, "1"],
            ],
          },
        ],
      }),
      "where nothing is expected",
    ],
    [
      "a sample too few",
      {
        see: "matrix",
        rows: [
          [
            {},
            [
              [1, "1"],
              [2, "1"],
            ],
          ],
        ],
      },
      success({ resultType: "matrix", result: [{ metric: {}, values: [[1, "1"]] }] }),
      "it has nothing, not 1 at 2",
    ],
    [
      "a refusal",
      { see: "refused", status: [400], type: ["bad_data"] },
      answer({ status: "error", errorType: "bad_data", error: "x" }, 400),
      undefined,
    ],
    [
      "a refusal of another type",
      { see: "refused", status: [400], type: ["bad_data"] },
      answer({ status: "error", errorType: "execution", error: "x" }, 400),
      "its errorType is execution",
    ],
    [
      "a refusal without words",
      { see: "refused", status: [400] },
      answer({ status: "error", errorType: "bad_data" }, 400),
      "no error message",
    ],
    [
      "a refusal in another envelope",
      { see: "refused", status: [400] },
      { ...answer(undefined, 400), text: "no" },
      "not the JSON envelope",
    ],
    ["no refusal", { see: "refused", status: [400] }, success(1), "its status is 200, not 400"],
    ["a bare refusal", { see: "refused", status: [404], bare: true }, { ...answer(undefined, 404), text: "no" }, undefined],
    ["one of two", { see: "any", of: [{ see: "refused", status: [503] }, rows] }, vector(A, B), undefined],
    ["none of two", { see: "any", of: [{ see: "refused", status: [503] }, rows] }, vector(A), "its status is 200, not 503"],
    ["data in any order", { see: "data", data: ["a", "b"], unordered: true }, success(["b", "a"]), undefined],
    ["data in another order", { see: "data", data: ["a", "b"] }, success(["b", "a"]), "its data is"],
    ["too many data", { see: "data", data: { is: "array" }, most: 1 }, success(["b", "a"]), "more than 1 items"],
    [
      "a field that is not as it should be",
      { see: "data", data: 1, fields: [{ name: "content-type", pattern: "json" }] },
      success(1),
      "its field content-type",
    ],
  ])("%s", (_words, sight, given, why) => {
    const found = unlike(sight, given);
    expect([found === undefined, found?.includes(why ?? "")]).toEqual([why === undefined, why === undefined ? undefined : true]);
  });

  test.each([
    [{ is: "string" }, "x", true],
    [{ is: "string" }, 1, false],
    [{ like: "^a" }, "ab", true],
    [{ like: "^a" }, "ba", false],
    [{ each: { is: "number" } }, [1, 2], true],
    [{ each: { is: "number" } }, [], false],
    [{ each: { is: "number" } }, [1, "2"], false],
    [{ a: { b: 1 } }, { a: { b: 1, c: 2 }, d: 3 }, true],
    [{ a: { b: 1 } }, { a: {} }, false],
    [[1], [1, 2], false],
    [null, undefined, false],
  ] as const)("%j and %j: %s", (template, value, fits) => {
    expect(isLike(template, value)).toBe(fits);
  });
});

describe("data set: how it reaches a server", () => {
  let running: Server | undefined;
  afterEach(() => {
    running?.closeAllConnections();
    running?.close();
  });
  type Said = readonly [status: number, json?: unknown];
  async function fake(tell: (path: string, request: IncomingMessage, content: Buffer) => Said): Promise<QueryClient> {
    running = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        const [status, json] = tell(decodeURIComponent(request.url ?? ""), request, Buffer.concat(parts));
        response.writeHead(status, { "content-type": "application/json" }).end(json === undefined ? "" : JSON.stringify(json));
      });
    });
    await new Promise<void>((resolve) => running?.listen(0, "127.0.0.1", resolve));
    return new QueryClient(`http://127.0.0.1:${(running.address() as AddressInfo).port}`, { timeout: 20_000, verify: false });
  }
  const empty = { status: "success", data: { resultType: "vector", result: [] } };
  const marked = { status: "success", data: { resultType: "vector", result: [{ metric: {}, value: [1, String(MARK_VALUE)] }] } };

  test("it is pushed by remote write, and then found", async () => {
    const sizes: number[] = [];
    const client = await fake((path, request, content) => {
      if (!path.endsWith("/write"))
        return [200, path.includes(MARK) && sizes.length >= (path.includes("native") ? 17 : 12) ? marked : empty];
      expect(request.headers).toMatchObject({ "content-encoding": "snappy", "x-prometheus-remote-write-version": "0.1.0" });
      sizes.push(snappy.uncompress(content).length);
      return [204];
    });
    expect(await ensureData(client)).toBe("pushed");
    // Two hours in slices of ten minutes; native histograms by their kinds, those mixed with floats in two parts.
    expect(sizes.length).toBe(12 + 5);
    expect(Math.min(...sizes.slice(0, 12))).toBeGreaterThan(10_000);
    client.close();
  });

  test("refused names are left out", async () => {
    const found: boolean[] = [];
    const client = await fake((path, _request, content) => {
      if (!path.endsWith("/write")) return [200, path.includes(MARK) && found.length >= 24 ? marked : empty];
      const isNew = Buffer.from(snappy.uncompress(content)).includes("http.requests");
      found.push(isNew);
      return isNew ? [400] : [204];
    });
    expect(await ensureData(client)).toBe("pushed");
    expect(found.filter((isNew) => isNew).length).toBe(12);
    client.close();
  });

  test("it is found if it is there already", async () => {
    const client = await fake(() => [200, marked]);
    expect(await ensureData(client)).toBe("found");
    client.close();
  });

  test("a server that is not ready is polled", async () => {
    let asked = 0;
    const client = await fake(() => (++asked < 4 ? [503] : [200, marked]));
    expect(await ensureData(client)).toBe("found");
    client.close();
  });

  test("a server without it and without remote write: the error says how to load it", async () => {
    const client = await fake((path) => (path.endsWith("/write") ? [404, {}] : [200, empty]));
    await expect(ensureData(client)).rejects.toThrow(/refuses it by remote write \(404.*touchstone check metrics --data data\.om/);
    client.close();
  });

  test("an address that is not a metrics server is reported", async () => {
    const client = await fake(() => [200, "hello"]);
    await expect(ensureData(client)).rejects.toThrow(/does not answer api\/v1\/query as a metrics server does/);
    client.close();
  });

  test("an invalid address is refused as a wrong call", () => {
    expect(() => new QueryClient("ftp://x/", { timeout: 1, verify: false })).toThrow(/is not the address of a metrics server/);
  });
});
