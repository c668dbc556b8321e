import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serve, type Server } from "../../../reference/serve/index.ts";
import { Unreachable, WrongUse } from "../../harness/driver.ts";
import type { Understanding } from "../entry.ts";
import type { Row } from "../row.ts";
import { CORPUS } from "./corpus.ts";
import { entriesOfSuites } from "./from-suites.ts";
import { inHttp1 } from "./http1-text.ts";
import { confirmed, loadDiff } from "./index.ts";
import { type Field, requestOf } from "./request.ts";

/** Echoes content, in every version. */
let server: Server;
beforeAll(async () => {
  server = await serve(async (request) => ({ status: 200, body: await request.body.bytes() }), {
    tls: true,
    alpn: ["h3", "h2", "http/1.1"],
  });
});
afterAll(() => server.close());

const rowsOf = async (targets: readonly string[], ids: readonly string[]): Promise<Map<string, Row["groups"]>> => {
  const { run } = await loadDiff();
  const subjects = targets.map((url) => ({ name: "ours", url }));
  const { rows } = await run({ protocol: "http", subjects, only: (id) => ids.includes(id) });
  return new Map(rows.map(({ id, groups }) => [id, groups]));
};
const words = (groups: Row["groups"] | undefined): (readonly [string, readonly number[]])[] =>
  (groups ?? []).map((group) => [group.words, group.members]);

describe("an address alone is every version of it", () => {
  const url = (): string => `https://127.0.0.1:${server.port}/`;

  test("a plain request is taken in each, with its content", async () => {
    const rows = await rowsOf([url()], ["get", "post"]);
    expect(words(rows.get("get"))).toEqual([["taken (0 octets)", [0, 1, 2]]]);
    expect(words(rows.get("post"))).toEqual([["taken (5 octets)", [0, 1, 2]]]);
  });

  test("what only HTTP/1.1 permits is refused by stream errors elsewhere", async () => {
    const rows = await rowsOf([url()], ["name-upper-case", "connection-close"]);
    for (const groups of rows.values()) {
      expect(words(groups)).toEqual([
        ["refused by a stream error", [1, 2]],
        ["taken (0 octets)", [0]],
      ]);
    }
    expect(rows.size).toBe(2);
  });

  test("content beyond its length is the next message in HTTP/1.1, and refused elsewhere", async () => {
    const groups = (await rowsOf([url()], ["length-short"])).get("length-short");
    expect(groups?.[0]).toMatchObject({ words: "refused by a stream error", members: [1, 2] });
    expect(groups?.[1]?.words).toMatch(/^taken \(3 octets\)/);
  });

  test("what a version has no words for is in none of its groups", async () => {
    const groups = (await rowsOf([url()], ["scheme-missing"])).get("scheme-missing");
    expect(words(groups)).toEqual([["refused by a stream error", [1, 2]]]);
  });
});

test("a target names its version, and the result each subject", async () => {
  const { run } = await loadDiff();
  const at = `https://127.0.0.1:${server.port}/`;
  const subjects = [
    { name: "a", url: `http3=${at}` },
    { name: "b", url: `http1=${at}` },
  ];
  const { subjects: met } = await run({ protocol: "http", subjects, only: (id) => id === "get" });
  expect(met).toEqual([
    { name: "a, HTTP/3", target: at, echoes: true },
    { name: "b, HTTP/1.1", target: at, echoes: true },
  ]);
});

test("an unknown version, one version alone and an address where nothing listens are refused, each with its reason", async () => {
  await expect(rowsOf(["http4=https://127.0.0.1/"], ["get"])).rejects.toThrow(/no version "http4": write http1=URL, http2=URL, http3=URL/);
  await expect(rowsOf([`http2=https://127.0.0.1:${server.port}/`], ["get"])).rejects.toThrow(WrongUse);
  await expect(rowsOf(["http://127.0.0.1:9/"], ["get"])).rejects.toThrow(Unreachable);
});

describe("a request in HTTP/1.1", () => {
  const get = (...more: Field[]): string | undefined => inHttp1({ fields: requestOf("GET", ...more) });
  const without = (name: string): Field[] => requestOf("GET").filter(([one]) => one !== name);

  test("has its authority in Host, and its fields as they are", () => {
    expect(get(["x-a", "b\r\nx-b: c"])).toBe("GET {path} HTTP/1.1\r\nhost: {authority}\r\nx-a: b\r\nx-b: c\r\n\r\n");
  });
  test("has Content-Length or chunks, unless its fields say how it is framed", () => {
    const posted = (fields: Field[], more = {}): string =>
      (inHttp1({ fields: requestOf("POST", ...fields), content: "hello", ...more }) ?? "").slice(41);
    expect(posted([])).toBe("content-length: 5\r\n\r\nhello");
    expect(posted([["content-length", "3"]])).toBe("content-length: 3\r\n\r\nhello");
    expect(posted([["transfer-encoding", "chunked"]])).toBe("transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n");
    expect(posted([], { trailers: [["x-a", "b"]] })).toBe("transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nx-a: b\r\n\r\n");
  });
  test("has another scheme in the absolute form, and CONNECT in its own", () => {
    expect(inHttp1({ fields: [[":method", "GET"], [":scheme", "ftp"], [":authority", "a"], [":path", "/b"]] })).toContain("GET ftp://a/b HTTP/1.1\r\n"); // prettier-ignore
    expect(inHttp1({ fields: [[":method", "CONNECT"], [":authority", "a:1"]] })).toBe("CONNECT a:1 HTTP/1.1\r\nhost: a:1\r\n\r\n"); // prettier-ignore
  });
  test("does not exist without control data, with it twice, late, or with :protocol", () => {
    for (const name of [":method", ":scheme", ":path"]) expect(inHttp1({ fields: without(name) })).toBeUndefined();
    expect(inHttp1({ fields: [...requestOf("GET"), [":path", "/"]] })).toBeUndefined();
    expect(inHttp1({ fields: [["x-a", "b"], ...requestOf("GET")] })).toBeUndefined();
    expect(inHttp1({ fields: [...requestOf("CONNECT"), [":protocol", "websocket"]] })).toBeUndefined();
  });
});

test("the corpus has every request once, those of the suites of all three versions among them", async () => {
  const all = [...CORPUS, ...(await entriesOfSuites(CORPUS))];
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  expect(new Set(all.map(({ request }) => JSON.stringify(request))).size).toBe(all.length);
  expect(all.length).toBe(592);
  const names = new Set(all.map(({ id }) => id));
  for (const id of ["host-differs-from-authority", "content-length-less-than-data", "content-length-of-a-get", "target-with-grave-accent"])
    expect(names, id).toContain(id);
  expect(all.filter(({ request }) => JSON.stringify(request).includes("{post}"))).toEqual([]);
});

test("an entry for which there is no connection is asked again, and ends no run", async () => {
  const answered: Understanding = { answers: [{ status: 200, isTaken: true }], isFenceSeen: false, end: "answered" };
  let failures = 0;
  const afterOne = async (): Promise<Understanding> => {
    if (failures++ === 0) throw new Unreachable("for a moment");
    return answered;
  };
  expect(await confirmed(afterOne)).toEqual(answered);
  expect(await confirmed(() => Promise.reject(new Unreachable("for good")))).toMatchObject({ answers: [], end: "waiting" });
  await expect(confirmed(() => Promise.reject(new TypeError("ours")))).rejects.toThrow(TypeError);
});
