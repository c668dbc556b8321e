import { expect, test } from "vitest";
import { onControl, plainExchange, clientError, exchangeSucceeds } from "../cases/phrases-client.ts";
import { plain } from "../embedded/client.ts";
import { runClient } from "../impostors/client.ts";
import type { Case } from "../vocabulary.ts";
import { ClientDriver } from "./client.ts";

const timeout = 400;
const base = {
  id: "http3/of-this-test",
  spec: "rfc9114#7.2.4",
  covers: ["rfc9114#7.2.4/second"],
  level: "MUST",
  role: "client",
  title: "A case of this test.",
} as const;
const refused: Case = {
  ...base,
  steps: onControl({ type: "SETTINGS" }),
  control: plainExchange,
  allowed: clientError("H3_FRAME_UNEXPECTED"),
};
const accepted: Case = { ...base, steps: plainExchange, control: plainExchange, allowed: exchangeSucceeds };
const lenient = new ClientDriver({ client: (url, signal) => runClient("lenient", url, signal), timeout });

test("a command without {url} is refused with an example", () => {
  expect(() => new ClientDriver({ client: "curl", timeout })).toThrow("has no {url}");
});

test("a client that never connects is unreachable, with what it said", async () => {
  await expect(new ClientDriver({ client: "sh -c 'echo no such host >&2; exit 7' {url}", timeout }).probe()).rejects.toThrow(
    /status 7 before it connected.*no such host/,
  );
});

test("a client that fails after a good response is unreachable", async () => {
  const fails = async (url: string, signal: AbortSignal): Promise<void> => {
    await runClient("lenient", url, signal);
    throw new Error("whatever comes");
  };
  await expect(new ClientDriver({ client: fails, timeout }).probe()).rejects.toThrow("did not exit with status 0");
});

test("the right code passes, silence about it does not", async () => {
  const ours = new ClientDriver({ client: plain, timeout });
  expect([(await ours.play(refused)).is, (await ours.control(refused)).is, (await ours.play(accepted)).is]).toEqual([
    "allowed",
    "accepted",
    "allowed",
  ]);
  const { is, reason } = await lenient.play(refused);
  expect(`${is}: ${reason}`).toBe("other: It accepted this as if nothing were wrong: the command exited with status 0.");
  expect((await ours.probe()).features.get("exit-status")?.has).toBe(true);
});

test("a client that leaves before its request has accepted nothing", async () => {
  const leaves = new ClientDriver({ client: (url, signal) => runClient("leaves-at-once", url, signal), timeout });
  expect((await leaves.play(accepted)).is).toBe("other");
});
