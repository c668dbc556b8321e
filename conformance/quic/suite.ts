import { role, type Suite } from "../harness/suite.ts";

export const suite: Suite = {
  about: "QUIC version 1 (RFC 9000) with TLS 1.3 (RFC 9001), packet by packet",
  roles: {
    server: role({
      cases: async () => (await import("./cases/load.ts")).loadCases("server"),
      driver: async ({ url }, { timeout = 2000, verify, pid }) => {
        const { ServerDriver } = await import("./driver/index.ts");
        return new ServerDriver({ url, timeout, verify, ...(pid === undefined ? {} : { pid }) });
      },
      concurrency: 8,
      words: async () => {
        const { FEATURES, monitorNames } = await import("./driver/index.ts");
        const { REFUSALS } = await import("./vocabulary.ts");
        return { features: Object.keys(FEATURES), monitors: monitorNames, refusals: REFUSALS };
      },
      embedded: {
        name: "touchstone's own server",
        subjects: [
          {
            note: "in a process of its own",
            takes: ({ group }) => group === "abuse",
            start: async () => (await import("./embedded/server.ts")).startApart(),
          },
          { start: async () => (await import("./embedded/server.ts")).startPlain() },
          { note: "that asks for tokens", start: async () => (await import("./embedded/server.ts")).startRetrying() },
        ],
      },
    }),
    client: role({
      cases: async () => (await import("./cases/load.ts")).loadCases("client"),
      driver: async ({ client }, { timeout = 2000 }) => {
        const { ClientDriver } = await import("./driver/index.ts");
        return new ClientDriver({ client, timeout });
      },
      concurrency: 8,
      words: async () => {
        const { CLIENT_FEATURES, monitorNames } = await import("./driver/index.ts");
        const { REFUSALS } = await import("./vocabulary.ts");
        return { features: Object.keys(CLIENT_FEATURES), monitors: monitorNames, refusals: REFUSALS };
      },
      embedded: {
        name: "touchstone's own client",
        subjects: [{ start: async () => ({ subject: { client: (await import("./embedded/client.ts")).plain } }) }],
      },
    }),
  },
  examples: [
    ["quic https://127.0.0.1:8443/", "a server over QUIC that speaks h3; its certificate is not verified"],
    ["quic https://127.0.0.1:8443/ --abuse --pid 4711", "with floods, and their cost to process 4711"],
    ["quic --client 'curl --http3-only -s --cacert {ca} {url}'", "a client that trusts the authority of the run"],
  ],
};
