import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { type sendUnaryData, Server, ServerCredentials, type ServerUnaryCall, type ServerWritableStream } from "@grpc/grpc-js";
import { echo } from "../../reference/serve/rpc/echo.ts";
import { serveRpc } from "../../reference/serve/rpc/index.ts";
import { definitionOf, describedEcho, type Echoed, type Name } from "./contract.ts";

/** The echo service by each subject, in the dialect of existing clients. Resolves to its port. */
const SERVERS: Readonly<Record<Name, () => Promise<number>>> = {
  touchstone: async () => (await serveRpc([echo()], { dialect: "grpc" })).port,
  "@grpc/grpc-js": () => {
    const server = new Server();
    server.addService(
      { unary: definitionOf("unary"), repeat: definitionOf("repeat") },
      {
        unary: ({ request }: ServerUnaryCall<Echoed, Echoed>, done: sendUnaryData<Echoed>) => done(null, request),
        repeat: async (call: ServerWritableStream<Echoed, Echoed>) => {
          const { text, number } = call.request;
          for (let count = 1; count <= number; count++)
            if (!call.write({ text, number: count })) await new Promise((resolve) => call.once("drain", resolve));
          call.end();
        },
      },
    );
    return new Promise((resolve, reject) => {
      server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) =>
        error === null ? resolve(port) : reject(error),
      );
    });
  },
  "@connectrpc/connect-node": async () => {
    // The types of a service that is only known when the program runs permit no methods.
    const implementation: Record<never, never> = {
      unary: (message: unknown) => message,
      async *repeat({ text, number }: Echoed) {
        for (let count = 1; count <= number; count++) {
          await Promise.resolve();
          yield { text, number: count };
        }
      },
    };
    const server = createServer(connectNodeAdapter({ routes: (router) => router.service(describedEcho(), implementation) }));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return (server.address() as AddressInfo).port;
  },
};

const name = process.argv[2] as Name;
console.log(JSON.stringify({ port: await SERVERS[name]() }));
