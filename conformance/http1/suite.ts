import { role, type Suite } from "../harness/suite.ts";

/** Whether a case may be about one limit of time alone. */
const isTimed = ({ id }: { readonly id: string }): boolean => id.startsWith("http1/time-");

/** Whether a case is about clients that end their connections themselves. */
const isOwnClose = (id: string): boolean => id.includes("-own-close");
/** Whether a case is about clients with two requests at once. */
const isTogether = (id: string): boolean => id.startsWith("http1/client-together-");

export const suite: Suite = {
  about: "HTTP/1.1 (RFC 9112, RFC 9110), early hints (RFC 8297), the upgrade to h2c (RFC 7540)",
  roles: {
    server: role({
      cases: async () => (await import("./cases/load.ts")).loadCases("server"),
      driver: async ({ url }, { timeout = 2000, verify, reach, pid, expectStatus, post, echo }) => {
        const { ServerDriver } = await import("./driver/index.ts");
        return new ServerDriver({
          url,
          timeout,
          verify,
          reach,
          ...(pid === undefined ? {} : { pid }),
          ...(expectStatus === undefined ? {} : { expectStatus }),
          ...(post === undefined ? {} : { post }),
          ...(echo === undefined ? {} : { echo }),
        });
      },
      reaching: ["fields", "place", "socket"],
      concurrency: 16,
      acceptsByProof: true,
      words: async () => {
        const { FEATURES, monitorNames } = await import("./driver/index.ts");
        const { REFUSALS } = await import("./vocabulary.ts");
        return { features: Object.keys(FEATURES), monitors: monitorNames, refusals: REFUSALS, byStatus: ["error and close"] };
      },
      embedded: {
        name: "touchstone's own server",
        subjects: [
          { start: async () => (await import("./embedded/server.ts")).startServer() },
          // One time each, so that another cannot end the wait in its place.
          {
            note: "with a small limit for heads",
            takes: isTimed,
            start: async () => (await import("./embedded/server.ts")).startLimited(["head-time"]),
          },
          {
            note: "with a small limit for idle connections",
            takes: isTimed,
            start: async () => (await import("./embedded/server.ts")).startLimited(["idle-time"]),
          },
          {
            note: "with leniencies",
            takes: ({ id }) => id.startsWith("http1/lenient-"),
            start: async () => (await import("./embedded/server.ts")).startLenient(),
          },
          { note: "with small limits", start: async () => (await import("./embedded/server.ts")).startLimited() },
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
        const { CLIENT_FEATURES, clientMonitorNames } = await import("./driver/index.ts");
        const { REFUSALS } = await import("./vocabulary.ts");
        return { features: Object.keys(CLIENT_FEATURES), monitors: clientMonitorNames, refusals: REFUSALS };
      },
      embedded: {
        name: "touchstone's own client",
        subjects: [
          {
            takes: ({ id }) => !isOwnClose(id) && !isTogether(id),
            start: async () => ({ subject: { client: (await import("./embedded/client.ts")).client } }),
          },
          {
            note: "with close in its requests",
            takes: ({ id }) => isOwnClose(id),
            start: async () => ({ subject: { client: (await import("./embedded/client.ts")).closing } }),
          },
          {
            note: "with two requests at once on one connection",
            takes: ({ id }) => isTogether(id),
            start: async () => ({ subject: { client: (await import("./embedded/client.ts")).queuing } }),
          },
          {
            note: "with an offer of h2c",
            start: async () => ({ subject: { client: (await import("./embedded/client.ts")).upgrading } }),
          },
        ],
      },
    }),
    proxy: role({
      cases: async () => (await import("./cases/load.ts")).loadCases("proxy"),
      // A proxy under test runs on this machine, between our two ends.
      driver: async (subject, { timeout = 1000, verify }) => {
        const { ProxyDriver } = await import("./driver/index.ts");
        return new ProxyDriver({ ...subject, timeout, verify });
      },
      concurrency: 1,
      words: async () => {
        const { PROXY_FEATURES, monitorNames, proxyMonitorNames } = await import("./driver/index.ts");
        const { REFUSALS } = await import("./vocabulary.ts");
        return { features: Object.keys(PROXY_FEATURES), monitors: [...monitorNames, ...proxyMonitorNames], refusals: REFUSALS };
      },
      embedded: {
        name: "touchstone's own proxy",
        subjects: [
          {
            takes: ({ id }) => id !== "http1/proxy-ws-second-at-once",
            start: async () => ({ subject: { proxy: (await import("./embedded/proxy.ts")).startProxy } }),
          },
          {
            note: "with one WebSocket at a time",
            start: async () => ({ subject: { proxy: (await import("./embedded/proxy.ts")).startNarrowProxy } }),
          },
        ],
      },
    }),
  },
  examples: [
    ["http1 http://127.0.0.1:8080/", "a server"],
    [
      "http1 --client 'curl -s --http1.1 {head:-I} {post:-d x} {url} {url2}'",
      "{url2}: a second request; {head:…} and {post:…}: for HEAD and POST; {together:…}: both requests at once",
    ],
    ["http1 --client wget", "a client that peers lists"],
    ["http1 --proxy nginx", "a reverse proxy that peers lists"],
    ["http1 --proxy http://127.0.0.1:8080/ --origin 127.0.0.1:9090", "a running proxy, which forwards to 127.0.0.1:9090"],
  ],
  diff: async () => (await import("./diff/index.ts")).loadDiff(),
};
