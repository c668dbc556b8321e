import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import type { CaseResult, Result, TranscriptLine } from "../../conformance/harness/result.ts";
import { sampleResult } from "../sample.ts";
import { toPcap } from "./index.ts";

/** How to get the analyser that reads the captures. */
const INSTALL = "apt-get install --no-install-recommends tcpdump";
const hex = (text: string): string => Buffer.from(text, "latin1").toString("hex");
const line = (at: number, way: TranscriptLine["way"], text: string, means = text): TranscriptLine => ({ at, way, means, hex: hex(text) });
const [sample] = sampleResult({ cases: 1, shares: { fail: 1 } }).cases;
const withCases = (cases: readonly Partial<CaseResult>[], change: Partial<Result> = {}): Result => {
  const all = cases.map((c): CaseResult => {
    const { control: _, ...bare } = sample!;
    return { ...bare, verdict: "fail", transcript: [], ...c };
  });
  return { ...sampleResult({ cases: 0 }), suite: "http1", ...change, cases: all };
};

/** One packet as `read` finds it. */
type Seen = { readonly from: string; readonly flags: string; readonly content: string; readonly length: number; readonly comment: string };

/** The packets of a file, without using the writer. */
function read(file: Uint8Array): Seen[] {
  const octets = Buffer.from(file);
  const seen: Seen[] = [];
  for (let at = 0; at < octets.length; at += octets.readUInt32BE(at + 4)) {
    const size = octets.readUInt32BE(at + 4);
    expect(size % 4, "a block has whole words").toBe(0);
    expect(octets.readUInt32BE(at + size - 4), "a block ends with its length").toBe(size);
    if (octets.readUInt32BE(at) !== 6) continue;
    const [captured, length] = [octets.readUInt32BE(at + 20), octets.readUInt32BE(at + 24)];
    const packet = octets.subarray(at + 28, at + 28 + captured);
    const option = at + 28 + captured + (-captured & 3);
    const comment =
      octets.readUInt16BE(option) === 1 ? octets.toString("utf8", option + 4, option + 4 + octets.readUInt16BE(option + 2)) : "";
    const flags = Object.entries({ S: 2, F: 1, P: 8 }).flatMap(([name, bit]) => (packet[33]! & bit ? [name] : []));
    seen.push({
      from: `${packet.subarray(12, 16).join(".")}:${packet.readUInt16BE(20)}`,
      flags: flags.join(""),
      content: packet.toString("latin1", 40),
      length: length - 40,
      comment,
    });
  }
  return seen;
}
const contents = (file: Uint8Array): string[] => read(file).flatMap(({ from, content }) => (content === "" ? [] : `${from} ${content}`));

describe("toPcap()", () => {
  test("a connection for each case that did not pass, opened and ended, with the words of the transcript as comments", () => {
    const transcript = [line(0.5, "->", "GET", "the request"), line(2, "<-", "200", "the response")];
    const file = toPcap([
      withCases([
        { id: "http1/a", title: "A title.", transcript },
        { verdict: "pass", transcript },
      ]),
    ]);
    expect(read(file).map(({ from, flags, content, comment }) => [from, flags, content, comment])).toEqual([
      ["192.0.2.1:49152", "S", "", "http1/a: fail: A title."],
      ["192.0.2.2:80", "S", "", ""],
      ["192.0.2.1:49152", "", "", ""],
      ["192.0.2.1:49152", "P", "GET", "the request"],
      ["192.0.2.2:80", "P", "200", "the response"],
      ["192.0.2.1:49152", "F", "", ""],
      ["192.0.2.2:80", "F", "", ""],
      ["192.0.2.1:49152", "", "", ""],
    ]);
  });

  test("the control comes first, on a connection of its own", () => {
    const file = toPcap([withCases([{ transcript: [line(0, "->", "case")], control: [line(0, "->", "control")] }])]);
    expect(contents(file)).toEqual(["192.0.2.1:49152 control", "192.0.2.1:49153 case"]);
  });

  test("what follows the end of a connection is on another one", () => {
    const transcript = [line(0, "->", "one"), { at: 1, way: "--", means: "the connection closed" } as const, line(2, "->", "two")];
    expect(contents(toPcap([withCases([{ transcript }])]))).toEqual(["192.0.2.1:49152 one", "192.0.2.1:49153 two"]);
  });

  test("a client that is judged is the client, and so is a proxy towards its origin", () => {
    const client = withCases([{ transcript: [line(0, "<-", "asks"), line(1, "->", "answers")] }], {
      subject: { name: "c", role: "client", target: "c" },
    });
    expect(contents(toPcap([client]))).toEqual(["192.0.2.1:49152 asks", "192.0.2.2:80 answers"]);
    const proxy = withCases(
      [
        {
          transcript: [
            line(0, "->", "asks"),
            line(1, "<-", "asked", "origin, connection 1: asked"),
            line(2, "->", "given", "origin, connection 1: given"),
          ],
        },
      ],
      { subject: { name: "p", role: "proxy", target: "p" } },
    );
    expect(contents(toPcap([proxy]))).toEqual(["192.0.2.1:49152 asks", "192.0.2.1:49153 asked", "192.0.2.2:80 given"]);
  });

  test("of a message that the transcript cuts the packet has the whole length; a long one is several segments", () => {
    const transcript: TranscriptLine[] = [{ at: 0, way: "->", means: "much", hex: hex("x".repeat(100)), octets: 130_000 }];
    const sent = read(toPcap([withCases([{ transcript }])])).filter(({ length }) => length > 0);
    expect(sent.map(({ content, length }) => [content.length, length])).toEqual([
      [100, 60_000],
      [0, 60_000],
      [0, 10_000],
    ]);
  });

  test("codecs, other transports and suites whose octets are not those of TCP are left out, and the file says so", () => {
    const transcript = [line(0, "->", "x")];
    for (const result of [
      withCases([{ transcript }], { suite: "quic" }),
      withCases([{ transcript }], { subject: { name: "c", role: "codec", target: "c" } }),
      withCases([{ transcript, id: "websocket/http3-x" }], { suite: "websocket" }),
    ]) {
      const file = toPcap([result]);
      expect(read(file)).toEqual([]);
      expect(Buffer.from(file).includes("No case without a pass")).toBe(true);
    }
  });
});

test("tcpdump reads a capture and finds every checksum correct", ({ skip }) => {
  skip(spawnSync("tcpdump", ["--version"]).status !== 0, `tcpdump is not here: ${INSTALL}`);
  const transcript = [line(0, "->", "GET / HTTP/1.1\r\nHost: a\r\n\r\n"), line(1, "<-", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")];
  const { stdout, status } = spawnSync("tcpdump", ["-n", "-v", "-r", "-"], {
    input: toPcap([withCases([{ transcript, control: transcript }])]),
    encoding: "utf8",
  });
  expect(status).toBe(0);
  expect(stdout.match(/cksum 0x[0-9a-f]{4} \(correct\)/g)).toHaveLength(16);
  expect(stdout).not.toContain("incorrect");
  expect(stdout.match(/HTTP\/1\.1 200 OK/g)?.length).toBeGreaterThanOrEqual(2);
});
