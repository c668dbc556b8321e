import { role, type Suite } from "../harness/suite.ts";

export const suite: Suite = {
  about: "HTTP/2 (RFC 9113), extended CONNECT (RFC 8441), priorities (RFC 9218)",
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
      reaching: ["fields", "place", "socket"],
      concurrency: 16,
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
          {
            // In clear text the port tells versions apart before HTTP/2 begins: only over TLS it reads every preface itself.
            takes: ({ spec }) => spec !== "rfc9113#3.4",
            start: async () => (await import("./embedded/server.ts")).startClear(),
          },
          { note: "over TLS, with everything optional", start: async () => (await import("./embedded/server.ts")).startSecure() },
          { note: "with 300 KB of content", start: async () => (await import("./embedded/server.ts")).startLarge() },
          { note: "that ends connections after three requests", start: async () => (await import("./embedded/server.ts")).startRetiring() },
          { note: "with small limits", start: async () => (await import("./embedded/server.ts")).startLimited() },
          { note: "that ends idle and old connections", start: async () => (await import("./embedded/server.ts")).startMortal() },
          { note: "that asks silent clients", start: async () => (await import("./embedded/server.ts")).startInquisitive() },
        ],
      },
    }),
    client: role({
      cases: async () => (await import("./cases/load.ts")).loadCases("client"),
      driver: async ({ client }, { timeout = 2000, tls }) => {
        const { ClientDriver } = await import("./driver/index.ts");
        return new ClientDriver({ client, timeout, tls });
      },
      concurrency: 8,
      words: async () => {
        const { CLIENT_FEATURES, monitorNames } = await import("./driver/index.ts");
        const { REFUSALS } = await import("./vocabulary.ts");
        return { features: Object.keys(CLIENT_FEATURES), monitors: monitorNames, refusals: REFUSALS };
      },
      embedded: {
        name: "touchstone's own client",
        subjects: [
          { start: async () => ({ subject: { client: (await import("./embedded/client.ts")).plain } }) },
          {
            note: "over TLS, with push and small windows",
            start: async () => ({ subject: { client: (await import("./embedded/client.ts")).slow }, tls: true }),
          },
          {
            note: "with an upload, and a second request",
            start: async () => ({ subject: { client: (await import("./embedded/client.ts")).busy } }),
          },
        ],
      },
    }),
  },
  examples: [
    ["http2 http://127.0.0.1:8080/", "a server in clear text, with prior knowledge"],
    ["http2 https://127.0.0.1:8443/ --html report.html", "over TLS, with a page to read"],
    ["http2 --client 'curl -s --http2-prior-knowledge {url}'"],
  ],
  crosscheck: async () => (await import("./crosscheck/h2spec.ts")).h2spec,
};
