import { createServer as createHttp } from "node:http";
import { createServer, type AddressInfo, type Server } from "node:net";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Understanding } from "../../diff/entry.ts";
import type { TextEntry } from "./text-entry.ts";
import { entriesOfCases } from "./from-cases.ts";
import { ask, meet } from "./ask.ts";
import { diffText } from "../../diff/text.ts";
import { CORPUS } from "./corpus.ts";
import { byDisagreement, group } from "../../diff/group.ts";
import { loadDiff } from "./index.ts";

const listening = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/echo`;
};
const entry = (id: string): TextEntry => CORPUS.find((one) => one.id === id) as TextEntry;

/** Reads nothing but heads: whatever stands behind one is the next. Answers each, and ends when it is asked to. */
const headsOnly = createServer((socket) => {
  let text = "";
  socket.on("error", () => socket.destroy());
  socket.on("data", (octets) => {
    text += octets.toString("latin1");
    for (let end = text.indexOf("\r\n\r\n"); end >= 0; end = text.indexOf("\r\n\r\n")) {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
      if (text.slice(0, end).includes("Connection: close")) socket.end();
      text = text.slice(end + 4);
    }
  });
});
/** Sends content back, as `node:http` reads it. */
const echo = createHttp((request, response) => {
  response.writeHead(200);
  request.pipe(response);
});
const mute = createServer((socket) => socket.on("error", () => socket.destroy()).resume());

let [heads, echoing, silent] = ["", "", ""];
beforeAll(async () => {
  [heads, echoing, silent] = [await listening(headsOnly), await listening(echo), await listening(mute)];
});
afterAll(() => {
  for (const server of [headsOnly, echo, mute]) server.close();
});

describe("how an implementation understands a message", () => {
  test("echoed content is counted, and the request after it is seen", async () => {
    const subject = await meet(echoing, "node");
    expect([subject.echoes, subject.taken]).toEqual([true, { GET: 200, POST: 200 }]);
    const seen = await ask(subject, entry("post-chunked"));
    expect(seen).toEqual({ answers: [{ status: 200, isTaken: true, octets: 5 }], isFenceSeen: true, end: "closed" });
  });

  test("content treated as a request causes one more answer", async () => {
    const smuggled = await ask(await meet(heads, "heads"), entry("get-with-content"));
    expect(smuggled).toMatchObject({ answers: [{ status: 200 }, { status: 200 }], isFenceSeen: true });
    const whole = await ask(await meet(echoing, "node"), entry("get-with-content"));
    expect(whole).toMatchObject({ answers: [{ status: 200 }], isFenceSeen: true });
    // The content is the request inside, to its last octet.
    expect(whole.answers[0]?.octets).toBe(`GET /echo HTTP/1.1\r\nHost: ${new URL(echoing).host}\r\n\r\n`.length);
  });

  test("after a refusal nothing is answered", async () => {
    const seen = await ask(await meet(echoing, "node"), entry("te-and-length"));
    expect(seen).toEqual({ answers: [{ status: 400, isTaken: false }], isFenceSeen: false, end: "closed" });
  });

  test("a server that never answers a plain GET, a closed port and an invalid address are refused, each with its reason", async () => {
    await expect(meet(silent, "mute")).rejects.toThrow(/did not answer a plain GET/);
    await expect(meet("http://127.0.0.1:9/", "nobody")).rejects.toThrow(/cannot be reached/);
    await expect(meet("127.0.0.1:80", "no URL")).rejects.toThrow(/is no address/);
  });
});

describe("groups", () => {
  const taken: Understanding = { answers: [{ status: 200, isTaken: true }], isFenceSeen: true, end: "closed" };
  const five: Understanding = { ...taken, answers: [{ status: 200, isTaken: true, octets: 5 }] };
  const six: Understanding = { ...taken, answers: [{ status: 200, isTaken: true, octets: 6 }] };
  const refused: Understanding = { answers: [{ status: 400, isTaken: false }], isFenceSeen: false, end: "closed" };
  const twice: Understanding = { ...taken, answers: [...taken.answers, ...taken.answers] };
  const words = (...seen: Understanding[]) => group(entry("get"), seen).groups.map((one) => [one.words, one.members]);

  test("the largest comes first", () => {
    expect(words(refused, taken, taken)).toEqual([
      ["taken, then went on", [1, 2]],
      ["refused 400, then ended", [0]],
    ]);
  });
  test("content separates groups only if all that accepted the message show it", () => {
    expect(words(five, six).length).toBe(2);
    expect(words(five, six, taken).length).toBe(1);
    expect(words(five, six, refused).length).toBe(3);
  });
  test("different counts of requests come first, then accepting what others refuse, then ways of refusing", () => {
    const row = (id: string, ...seen: Understanding[]) => group({ ...entry("get"), id }, seen);
    const rows = [
      row("alike", taken, taken),
      row("refusals", refused, { ...refused, answers: [{ status: 501, isTaken: false }] }),
      row("refused by one", taken, refused),
      row("counted", taken, twice),
    ];
    expect(byDisagreement(rows).map(({ id }) => id)).toEqual(["counted", "refused by one", "refusals", "alike"]);
  });
});

test("the names of the messages are unique, and every message has a head", async () => {
  const entries = [...CORPUS, ...(await entriesOfCases(CORPUS))];
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
  expect(entries.filter(({ text, about }) => !/\r|\n|\{inner\}/.test(text) || about === "")).toEqual([]);
});

test("the messages of the suite are among them, without its floods", async () => {
  const { entries } = await loadDiff();
  const names = new Set(entries.map(({ id }) => id));
  expect(entries.length).toBeGreaterThan(450);
  for (const id of [
    "smuggling-te-octet-ff",
    "chunk-end-two-octets",
    "field-name-with-opening-brace",
    "trailer-nul",
    "line-feed-before-target",
  ])
    expect(names, id).toContain(id);
  expect([...names].filter((id) => id.includes("abuse"))).toEqual([]);
});

test("the matrix of two implementations has a letter for each, and omits messages that both understand alike", async () => {
  const { run } = await loadDiff();
  const result = await run({
    protocol: "http1",
    subjects: [
      { name: "heads", url: heads },
      { name: "node", url: echoing },
    ],
    only: (id) => ["get", "get-with-content", "pipelined"].includes(id),
  });
  expect(result.rows.map(({ id, groups }) => [id, groups.length])).toEqual([
    ["get-with-content", 2],
    ["get", 1],
    ["pipelined", 1],
  ]);
  const text = stripVTControlCharacters(diffText(result, false));
  expect(text).toContain("2 implementations, 3 messages; they differ on 1.");
  expect(text).toMatch(/│ get-with-content │ A │ B │ A taken, taken, then went on \(1\)/);
  expect(text).not.toContain("│ pipelined");
  expect(diffText(result, true)).toContain("pipelined");
});

test("who cannot be asked an entry is in no group, and is a dot in the matrix", () => {
  const taken: Understanding = { answers: [{ status: 200, isTaken: true }], isFenceSeen: true, end: "closed" };
  const row = group(entry("get"), [undefined, taken]);
  expect(row.groups).toEqual([{ words: "taken, then went on", members: [1], requests: 1 }]);
  const subjects = ["a", "b"].map((name) => ({ name, target: "", echoes: false }));
  const result = { tool: { name: "touchstone", version: "" }, startedAt: "", protocol: "http1", subjects, rows: [row] } as const;
  expect(stripVTControlCharacters(diffText(result, true))).toMatch(/│ get +│ · │ A │/);
});
