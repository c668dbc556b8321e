import { role, type Suite } from "../harness/suite.ts";

export const suite: Suite = {
  about: "HTTP/3 (RFC 9114) with QPACK (RFC 9204), priorities (RFC 9218), extended CONNECT (RFC 9220)",
  roles: {
    server: role({
      cases: async () => (await import("./cases/load.ts")).loadCases("server"),
      driver: async ({ url }, { timeout = 2000, verify, reach, pid, expectStatus, post }) => {
        const { ServerDriver } = await import("./driver/index.ts");
        return new ServerDriver({
          url,
          timeout,
          verify,
          reach,
          ...(pid === undefined ? {} : { pid }),
          ...(expectStatus === undefined ? {} : { expectStatus }),
          ...(post === undefined ? {} : { post }),
        });
      },
      reaching: ["fields", "place"],
      concurrency: 8,
      acceptsByProof: true,
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
          { note: "with everything optional", start: async () => (await import("./embedded/server.ts")).startRich() },
          { note: "without a dynamic table", start: async () => (await import("./embedded/server.ts")).startBare() },
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
    ["http3 https://127.0.0.1:8443/", "a server over QUIC; its certificate is not verified without --verify"],
    ["http3 https://127.0.0.1:8443/ --html report.html", "with a page to read"],
    ["http3 --client 'curl --http3-only -sk {url}'"],
  ],
};
