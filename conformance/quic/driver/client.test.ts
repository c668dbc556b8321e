import { expect, test } from "vitest";
import { app } from "../cases/phrases.ts";
import { accept, acceptWith, clientError, refusedHandshake } from "../cases/phrases-client.ts";
import { plain } from "../embedded/client.ts";
import { runClient } from "../impostors/client.ts";
import type { Case } from "../vocabulary.ts";
import { ClientDriver } from "./client.ts";

const timeout = 400;
const base = {
  id: "quic/of-this-test",
  spec: "rfc9000#19.7",
  covers: ["rfc9000#19.7/empty"],
  level: "MUST",
  role: "client",
  title: "A case.",
} as const;
const refused: Case = {
  ...base,
  steps: [accept, app({ type: "NEW_TOKEN", token: "" })],
  control: [accept, app({ type: "NEW_TOKEN", token: "00" })],
  allowed: clientError("FRAME_ENCODING_ERROR"),
};
const untrusted = refusedHandshake({ ...base, with: { certificate: "stranger" }, code: "alert unknown_ca" });
const ours = new ClientDriver({ client: plain, timeout });
const lenient = new ClientDriver({ client: (url, signal) => runClient("lenient", url, signal), timeout });

test("a command without {url} is refused with an example", () => {
  expect(() => new ClientDriver({ client: "curl", timeout })).toThrow(/has no \{url\}.*--cacert \{ca\}/);
});

test("a client that never connects is unreachable, with what it said", async () => {
  const driver = new ClientDriver({ client: "sh -c 'echo no such host >&2; exit 7' {url}", timeout });
  await expect(driver.probe()).rejects.toThrow(/status 7 before it connected.*no such host/);
});

test("a command gets the authority as a file in place of {ca}, and only then it is said to verify", async () => {
  const reads = new ClientDriver({ client: "sh -c 'head -1 {ca} >&2; exit 7' {url}", timeout });
  await expect(reads.probe()).rejects.toThrow("-----BEGIN CERTIFICATE-----");
  await reads.close();
  expect((await ours.probe()).features.get("verifies")?.has).toBe(true);
});

test("the right code passes, silence about it does not", async () => {
  expect([(await ours.play(refused)).is, (await ours.control(refused)).is]).toEqual(["allowed", "accepted"]);
  const { is, reason } = await lenient.play(refused);
  expect(`${is}: ${reason}`).toBe("other: It accepted this as if nothing were wrong: it acknowledged a later packet.");
});

test("a certificate of another authority is refused by a client that verifies, and by no other", async () => {
  const found = await ours.play(untrusted);
  expect([found.is, found.index]).toEqual(["allowed", 0]);
  expect((await lenient.play(untrusted)).is).toBe("other");
});

test("a client that exits without a word on the wire is judged by its exit", async () => {
  const leaves = new ClientDriver({ client: (url, signal) => runClient("fails-at-once", url, signal), timeout });
  const accepted: Case = {
    ...refused,
    steps: [acceptWith({ until: "handshake" }), { do: "wait", ms: 200 }],
    allowed: [{ see: { see: "accepted" } }],
  };
  const { is, reason } = await leaves.play(accepted);
  expect(`${is}: ${reason}`).toMatch(
    /other: (?:The command exited with status 1|Not permitted here: the connection was closed with NO_ERROR)/,
  );
});

test("a step of servers is an error of the case", async () => {
  const { is, reason } = await lenient.play({ ...refused, steps: [accept, { do: "rebind" }] });
  expect(`${is}: ${reason}`).toBe('error: a client has no step "rebind"');
});
