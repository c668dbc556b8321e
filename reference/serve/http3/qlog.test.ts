import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { connect, serve } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-qlog-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Record = {
  readonly time?: number;
  readonly name?: string;
  readonly data?: { readonly [key: string]: unknown };
  readonly trace?: object;
};
/** The records of a log: each begins with RS and ends with a line feed (RFC 7464). */
function read(file: string): readonly Record[] {
  const text = readFileSync(join(folder, file), "utf8");
  const [before, ...records] = text.split("\u001e");
  expect([before, records.every((record) => record.endsWith("\n"))]).toEqual(["", true]);
  return records.map((record) => JSON.parse(record) as Record);
}

test("both sides of a connection write a log, in which every packet that one receives was sent by the other", async () => {
  const server = await serve(() => ({ status: 200, body: "x".repeat(20_000) }), { graceMs: 0, http3: { qlog: folder } });
  const client = await connect(server.url, { graceMs: 0, tls: { ca: server.certificate ?? "" }, http3: { qlog: folder } });
  await (await client.request()).body.bytes();
  await client.close();
  await server.close();
  const sideOf = (side: string): string => readdirSync(folder).find((name) => name.endsWith(`_${side}.sqlog`)) ?? "";
  const names = (side: string): readonly unknown[] => read(sideOf(side)).map(({ name }) => name);
  for (const side of ["client", "server"])
    await vi.waitFor(() => expect(names(side)).toContain("connectivity:connection_closed"), { timeout: 60_000 });
  const [ours, theirs] = [read(sideOf("client")), read(sideOf("server"))];
  expect(ours[0]).toMatchObject({ qlog_format: "JSON-SEQ", qlog_version: "0.3", trace: { vantage_point: { type: "client" } } });
  for (const log of [ours, theirs]) {
    const events = log.slice(1);
    const times = events.map(({ time }) => time ?? -1);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times[0]).toBeGreaterThanOrEqual(0);
    expect(new Set(events.map(({ name }) => name))).toEqual(
      new Set([
        "transport:parameters_set",
        "transport:packet_sent",
        "transport:packet_received",
        "recovery:metrics_updated",
        "connectivity:connection_state_updated",
        "connectivity:connection_closed",
      ]),
    );
  }
  type Logged = {
    readonly frame_type: string;
    readonly payload_length?: number;
    readonly token?: { readonly raw: { readonly length: number } };
  };
  const framesIn = (log: readonly Record[]): readonly (readonly Logged[])[] =>
    log.flatMap(({ data }) => (data !== undefined && "frames" in data ? [data["frames"] as readonly Logged[]] : []));
  const padded = framesIn(ours).filter((frames) => frames.some(({ frame_type }) => frame_type === "padding"));
  // The datagram of the first Initial is filled up, in one frame of the log.
  expect(padded.length).toBeGreaterThan(0);
  expect(padded.map((frames) => frames.filter(({ frame_type }) => frame_type === "padding").length)).toEqual(padded.map(() => 1));
  expect(padded.flat().every(({ frame_type, payload_length = 0 }) => frame_type !== "padding" || payload_length > 0)).toBe(true);
  const tokens = framesIn(ours)
    .flat()
    .filter(({ frame_type }) => frame_type === "new_token");
  expect(tokens.length).toBeGreaterThan(0);
  expect(tokens.every(({ token }) => token !== undefined && token.raw.length > 0)).toBe(true);
  const packets = (log: readonly Record[], name: string): readonly string[] =>
    log.filter((one) => one.name === `transport:${name}`).map(({ data }) => JSON.stringify(data));
  const [sent, received] = [new Set(packets(theirs, "packet_sent")), packets(ours, "packet_received")];
  expect(received.length).toBeGreaterThan(10);
  expect(received.filter((one) => !sent.has(one))).toEqual([]);
});
