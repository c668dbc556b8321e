import type { Probed } from "../../../harness/connection/connection-driver.ts";
import { type Feature, Unreachable } from "../../../harness/driver.ts";
import { SERVICE } from "../../../wire/rpc/contract.ts";
import { VERSIONS, type Version, type WebStep } from "../../web-vocabulary.ts";
import { observedInWords } from "./describe.ts";
import type { WebStage } from "./stage.ts";
import { fence, perform } from "./steps.ts";

/** Optional features of a server that cases need. */
export const WEB_FEATURES: Readonly<Record<string, string>> = {
  http1: "it answers over HTTP/1.1",
  http2: "it answers over HTTP/2",
  gzip: "it reads messages in gzip",
  text: "it answers content in Base64",
  get: "it answers GET for a method without side effects",
  "message-limit": "it refuses a message of 5,000,000 octets",
};

const LARGE = 5_000_000;
const HELLO = { payload: "hello" } as const;
const CONNECT: Readonly<Record<string, WebStep>> = {
  gzip: { do: "call", call: 1, form: "unary proto", fields: [["content-encoding", "gzip"]], messages: [{ ...HELLO, compress: "gzip" }] },
  get: { do: "call", call: 1, form: "get proto" },
};
const WEB: Readonly<Record<string, WebStep>> = { text: { do: "call", call: 1, form: "web text" } };

/** Makes a few calls, and finds out what the server offers. Throws `Unreachable` if it has no version, or not the conformance service. */
export async function probeWebServer(open: () => WebStage): Promise<Probed> {
  const features = new Map<string, Feature>();
  const failures: string[] = [];
  for (const version of VERSIONS) {
    const why = await tried(open, version);
    features.set(version, {
      has: why === undefined,
      how: `a good call over ${version === "http1" ? "HTTP/1.1" : "HTTP/2"} failed: ${why}`,
    });
    if (why !== undefined) failures.push(why);
  }
  const stage = open();
  await stage.drop();
  const { target, dialect } = stage;
  if (failures.length === VERSIONS.length)
    throw new Unreachable(
      `${target.authority} did not answer /${SERVICE}/Unary in the dialect ${dialect}, neither over HTTP/1.1 nor over HTTP/2 (${failures[0]}): does it implement vectors/rpc/conformance.proto, and is --dialect right?`,
    );
  const version: Version = features.get("http1")?.has === true ? "http1" : "http2";
  for (const [name, step] of Object.entries(dialect === "connect" ? CONNECT : WEB))
    features.set(name, await offered(open, [{ do: "via", version }, step]));
  const large = { messages: [{ size: LARGE }] };
  const form = dialect === "connect" ? "unary proto" : "web proto";
  const { has } = await offered(open, [
    { do: "via", version },
    { do: "call", call: 1, form, ...large },
  ]);
  features.set("message-limit", { has: !has, how: `a message of ${LARGE} octets was answered with OK` });
  return { features };
}

async function tried(open: () => WebStage, version: Version): Promise<string | undefined> {
  const stage = open();
  try {
    stage.version = version;
    return await fence(stage);
  } catch (error) {
    if (error instanceof Unreachable) return error.message;
    throw error;
  } finally {
    await stage.drop();
  }
}

async function offered(open: () => WebStage, steps: readonly WebStep[]): Promise<Feature> {
  const stage = open();
  try {
    await perform(steps, stage);
    await stage.until(() => stage.over, stage.timeout);
    return { has: stage.calls.get(1)?.answer.status === 0, how: `such a call was answered so: ${observedInWords(stage)}` };
  } finally {
    await stage.drop();
  }
}
