import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { Client, credentials } from "@grpc/grpc-js";
import { ECHO } from "../../reference/serve/rpc/echo.ts";
import { openChannel } from "../../reference/serve/rpc/index.ts";
import { definitionOf, describedEcho, type Echoed, type Name } from "./contract.ts";

/** A client by a subject: one call, and one stream of responses, which it counts. */
type Calls = { readonly unary: (message: Echoed) => Promise<unknown>; readonly repeat: (message: Echoed) => Promise<number> };

async function countOf(messages: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of messages) count++;
  return count;
}

const CLIENTS: Readonly<Record<Name, (url: string) => Calls>> = {
  touchstone: (url) => {
    const { unary, repeat } = openChannel(url, { dialect: "grpc" }).client(ECHO) as {
      readonly unary: (message: Echoed) => Promise<unknown>;
      readonly repeat: (message: Echoed) => AsyncIterable<unknown>;
    };
    return { unary: (message) => unary(message), repeat: (message) => countOf(repeat(message)) };
  },
  "@grpc/grpc-js": (url) => {
    const client = new Client(new URL(url).host, credentials.createInsecure());
    const one = definitionOf("unary");
    const many = definitionOf("repeat");
    return {
      unary: (message) =>
        new Promise((resolve, reject) => {
          client.makeUnaryRequest(one.path, one.requestSerialize, one.responseDeserialize, message, (error, answer) =>
            error === null ? resolve(answer) : reject(error),
          );
        }),
      repeat: (message) =>
        new Promise((resolve, reject) => {
          let count = 0;
          client
            .makeServerStreamRequest(many.path, many.requestSerialize, many.responseDeserialize, message)
            .on("data", () => count++)
            .on("error", reject)
            .on("end", () => resolve(count));
        }),
    };
  },
  "@connectrpc/connect-node": (url) => {
    const client = createClient(describedEcho(), createGrpcTransport({ baseUrl: url }));
    const { unary, repeat } = client as {
      readonly unary?: (message: object) => Promise<unknown>;
      readonly repeat?: (message: object) => AsyncIterable<unknown>;
    };
    return { unary: (message) => unary!(message), repeat: (message) => countOf(repeat!(message)) };
  },
};

const [, , name, url, kind, count, inFlight] = process.argv;
const { unary, repeat } = CLIENTS[name as Name](url!);
const text = "touchstone ".repeat(6).slice(0, 64);

/** Makes calls, so many at a time; returns messages a second and CPU time for each. */
async function measured(calls: number): Promise<{ readonly perSecond: number; readonly cpuUs: number; readonly userUs: number }> {
  let left = calls;
  let messages = 0;
  const before = process.cpuUsage();
  const begun = performance.now();
  const worker = async (): Promise<void> => {
    while (left-- > 0) {
      if (kind === "unary") await unary({ text, number: 1 });
      messages += kind === "unary" ? 1 : await repeat({ text, number: STREAMED });
    }
  };
  await Promise.all(Array.from({ length: Number(inFlight) }, worker));
  const { user, system } = process.cpuUsage(before);
  return { perSecond: messages / ((performance.now() - begun) / 1_000), cpuUs: (user + system) / messages, userUs: user / messages };
}

/** Messages of a stream. */
const STREAMED = 1_000;
await measured(Math.ceil(Number(count) / 4));
console.log(JSON.stringify(await measured(Number(count))));
process.exit();
