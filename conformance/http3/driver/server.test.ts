import { expect, test } from "vitest";
import { serve } from "../../../reference/serve/http3/index.ts";
import { startServer } from "../impostors/server.ts";
import { get, getOn, handshake, post, send } from "../cases/phrases.ts";
import type { Case } from "../vocabulary.ts";
import { ServerDriver } from "./server.ts";

const timeout = 300;
const probed = (url: string, verify: ConstructorParameters<typeof ServerDriver>[0]["verify"] = false): Promise<unknown> =>
  new ServerDriver({ url, timeout, verify }).probe();

test("an address in clear text is refused with what to write", () => {
  expect(() => new ServerDriver({ url: "http://127.0.0.1:8080/", timeout })).toThrow(
    "HTTP/3 has no clear text: write https://127.0.0.1:8080/",
  );
});

test("a port where nobody answers is unreachable", async () => {
  await expect(probed("https://127.0.0.1:9/")).rejects.toThrow("did not answer over UDP within 300 ms");
});

test("a server that says nothing after the handshake of QUIC is unreachable", async () => {
  await using impostor = await startServer("silent");
  await expect(probed(impostor.url)).rejects.toThrow("speaks QUIC, but not HTTP/3");
});

test("a bad answer to the plain request ends the run, unless it is expected", async () => {
  await using server = await serve(() => ({ status: 404 }), { graceMs: 50 });
  await expect(probed(server.url)).rejects.toThrow("is answered with 404");
  const { features } = await new ServerDriver({ url: server.url, timeout, expectStatus: 404 }).probe();
  expect(features.get("post")?.how).toContain("404");
});

test("a server that wants credentials, at another address than that of the URL: every request has them", async () => {
  const seen: (string | undefined)[] = [];
  await using server = await serve(
    (request) => {
      seen.push(request.fields.get("authorization"));
      return { status: request.fields.get("authorization") === "Basic eA==" ? 200 : 401 };
    },
    { graceMs: 50 },
  );
  const place = { host: "127.0.0.1", port: Number(new URL(server.url).port) };
  const url = "https://site.test/";
  await expect(new ServerDriver({ url, timeout, reach: { place } }).probe()).rejects.toThrow("is answered with 401");
  seen.splice(0);
  await new ServerDriver({ url, timeout, reach: { place, fields: [["Authorization", "Basic eA=="]] } }).probe();
  expect(seen.length).toBeGreaterThan(1);
  expect(new Set(seen)).toEqual(new Set(["Basic eA=="]));
});

test("a certificate that nobody has signed is refused with --verify, and trusted with its authority", async () => {
  await using server = await serve(() => ({ status: 200 }), { graceMs: 50 });
  await expect(probed(server.url, true)).rejects.toThrow("is not trusted");
  await expect(probed(server.url, { verify: true, ca: server.certificate! })).resolves.toBeDefined();
});

test("the features of a server that answers early, and of one that reads first", async () => {
  await using early = await serve(() => ({ status: 200, body: "early" }), { graceMs: 50 });
  await using late = await serve(
    async (request) => {
      await request.body.bytes();
      return { status: 200, body: "late" };
    },
    { graceMs: 50 },
  );
  const has = async (url: string): Promise<boolean | undefined> =>
    (await new ServerDriver({ url, timeout }).probe()).features.get("reads-content")?.has;
  expect([await has(early.url), await has(late.url)]).toEqual([false, true]);
});

const base = {
  spec: "rfc9114#8",
  covers: ["rfc9114#8/stream-error"],
  level: "MUST",
  role: "server",
  title: "A case of this test.",
} as const;
const refused: Case = {
  ...base,
  id: "http3/of-this-test",
  steps: [handshake, send("control", { type: "SETTINGS" })],
  control: [handshake, getOn("request")],
  allowed: [{ see: { see: "close", code: "H3_FRAME_UNEXPECTED" } }],
};

test("the right code passes, another one and none do not", async () => {
  await using server = await serve(() => ({ status: 200 }), { graceMs: 50 });
  await using lenient = await startServer("lenient");
  const played = async (url: string, c: Case): Promise<string> => {
    const { is, reason } = await new ServerDriver({ url, timeout }).play(c);
    return `${is}: ${reason}`;
  };
  expect(await played(server.url, refused)).toBe("allowed: ");
  expect(await played(server.url, { ...refused, allowed: [{ see: { see: "close", code: "H3_ID_ERROR" } }] })).toBe(
    "other: Not permitted here: the connection was closed with H3_FRAME_UNEXPECTED (settingsTwice).",
  );
  expect(await played(lenient.url, refused)).toBe("other: It accepted this as if nothing were wrong: it answered the next message.");
  const accepting: Case = { ...refused, steps: [handshake, send("request", post())], allowed: [{ see: { see: "accepted" } }] };
  expect(await played(server.url, accepting)).toBe("allowed: ");
});

test("a stream error is seen on its stream only", async () => {
  await using server = await serve(() => ({ status: 200 }), { graceMs: 50 });
  const driver = new ServerDriver({ url: server.url, timeout });
  const steps: Case["steps"] = [
    handshake,
    getOn("request"),
    { do: "send", on: "request 2", frames: [get(["connection", "close"])], end: true },
  ];
  const on = (ref: "request" | "request 2"): Case => ({
    ...refused,
    steps,
    allowed: [{ see: { see: "stream error", on: ref, code: "H3_MESSAGE_ERROR" } }],
  });
  expect([(await driver.play(on("request 2"))).is, (await driver.play(on("request"))).is]).toEqual(["allowed", "other"]);
  expect((await driver.control(refused)).is).toBe("accepted");
});

test("a server that permits the three streams of every client and no other is not judged by a case that needs a fourth", async () => {
  await using server = await serve(() => ({ status: 200 }), { graceMs: 50, http3: { quic: { unidirectionalStreams: 3 } } });
  const driver = new ServerDriver({ url: server.url, timeout });
  const steps: Case["steps"] = [handshake, { do: "open", on: "extra" }];
  const played = await driver.play({ ...refused, steps, allowed: [{ see: { see: "accepted" } }] });
  expect(played).toMatchObject({ is: "skip", reason: 'Not tested: it permits no further stream, and "extra" needs one.' });
});
