import { type Feature, Unreachable } from "../../harness/driver.ts";
import type { Probed } from "../../harness/connection/connection-driver.ts";
import { SERVICE } from "../../wire/rpc/contract.ts";
import type { Step } from "../vocabulary.ts";
import { messageOf, statusOf } from "./answers.ts";
import type { RpcStage } from "./stage.ts";
import { standardServices } from "./standard-probe.ts";
import { perform } from "./steps.ts";

/** Optional features of a server that cases need. */
export const FEATURES: Readonly<Record<string, string>> = {
  gzip: "it reads messages in gzip",
  deflate: "it reads messages in deflate",
  zstd: "it reads messages in zstd",
  compresses: "it compresses a response if the handler asks for it and the client accepts gzip",
  "headers-first": "it sends the headers of a unary call when its handler asks for it, before the call has ended",
  "message-limit": "it refuses a message of 5,000,000 octets",
  interop: "it has the service grpc.testing.TestService",
  health: "it has the service grpc.health.v1.Health",
  "health-list": "its health service has List",
  reflection: "it has the service grpc.reflection.v1.ServerReflection",
  "reflection-v1alpha": "it has the service grpc.reflection.v1alpha.ServerReflection",
  channelz: "it has the service grpc.channelz.v1.Channelz",
  "described-channelz": "its reflection lists the service grpc.channelz.v1.Channelz",
  "described-extensions": "its reflection knows vectors/rpc/extensions.proto",
  "own-socket": "its channelz shows the socket of our connection, by our port",
  "clear-text": "connections to it are without TLS",
  tls: "connections to it are over TLS",
  "our-certificate": "connections to it have a client certificate (--cert and --key), for which it asks",
  "no-certificate-of-ours": "connections to it are over TLS without a client certificate",
};

/** The encodings that are tried, with the number of the call. */
const TRIED = [
  ["gzip", 7],
  ["deflate", 9],
  ["zstd", 11],
] as const;
const ASKED: readonly Step[] = [
  { do: "handshake" },
  { do: "call", call: 1, fields: [["{rpc}-accept-encoding", "gzip"]] },
  { do: "say", call: 1, messages: [{ plan: { compression: "on" } }], end: true },
  { do: "call", call: 5, path: "/grpc.testing.TestService/EmptyCall" },
  { do: "say", call: 5, messages: [{ hex: "" }], end: true },
  ...TRIED.flatMap(([name, call]): Step[] => [
    { do: "call", call, fields: [["{rpc}-encoding", name]] },
    { do: "say", call, messages: [{ compress: name }], end: true },
  ]),
];
const LARGE = 5_000_000;
const HEADERS_MS = 500;

/** Makes a few calls, and finds out what the server offers. Throws `Unreachable` if it does not have the conformance service. */
export async function probeServer(open: () => RpcStage): Promise<Probed> {
  const stage = open();
  try {
    const stop = await perform(ASKED, stage);
    const where = stage.target.authority;
    const main = stage.connections.get(1);
    if (main?.garbage !== undefined) throw new Unreachable(`${where} does not speak HTTP/2 with prior knowledge: ${main.garbage}.`);
    if (stop !== undefined || main === undefined) throw new Unreachable(`${where} did not answer a call: ${stop ?? "no connection"}.`);
    await stage.until(
      () => stage.over || [1, 5, ...TRIED.map(([, call]) => call)].every((call) => main.answer(call).isOver),
      stage.timeout,
    );
    const good = main.answer(1);
    const status = statusOf(good, stage);
    const [message] = good.messages.messages;
    if (status !== 0 || message === undefined)
      throw new Unreachable(
        `${where} did not answer /${SERVICE}/Unary in the dialect ${stage.dialect} (${status === undefined ? "no status" : `status ${status} ${messageOf(good, stage)}`}): does it implement vectors/rpc/conformance.proto, and is --dialect right?`,
      );
    const is = (has: boolean, how: string): Feature => ({ has, how });
    return {
      features: new Map<string, Feature>([
        ...TRIED.map(([name, call]): [string, Feature] => [
          name,
          is(
            statusOf(main.answer(call), stage) === 0,
            `a message in ${name} was answered with status ${statusOf(main.answer(call), stage)}`,
          ),
        ]),
        ["compresses", is(message.flags === 1, "the response to a handler that asks for compression was not compressed")],
        ["interop", is(statusOf(main.answer(5), stage) === 0, `EmptyCall was answered with status ${statusOf(main.answer(5), stage)}`)],
        ["headers-first", await headersFirst(open)],
        ["message-limit", await limit(open)],
        ...(await standardServices(open)),
      ]),
    };
  } finally {
    await stage.drop();
  }
}

async function headersFirst(open: () => RpcStage): Promise<Feature> {
  const stage = open();
  try {
    const plan = { headersFirst: true, delayMs: 10_000 } as const;
    await perform([{ do: "handshake" }, { do: "call", call: 1 }, { do: "say", call: 1, messages: [{ plan }], end: true }], stage);
    const answer = stage.main.answer(1);
    await stage.until(() => stage.over || answer.head !== undefined, Math.min(stage.timeout, HEADERS_MS));
    return { has: answer.head !== undefined, how: `no headers of a unary call came within ${HEADERS_MS} ms while its handler waited` };
  } finally {
    await stage.drop();
  }
}

async function limit(open: () => RpcStage): Promise<Feature> {
  const stage = open();
  try {
    await perform(
      [{ do: "handshake" }, { do: "call", call: 1 }, { do: "say", call: 1, messages: [{ size: LARGE }], end: true, patient: true }],
      stage,
    );
    const answer = stage.main.answer(1);
    await stage.until(() => stage.over || answer.isOver, stage.timeout);
    return { has: statusOf(answer, stage) !== 0, how: `a message of ${LARGE} octets was answered with OK` };
  } finally {
    await stage.drop();
  }
}
