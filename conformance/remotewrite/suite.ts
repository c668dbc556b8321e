import { role, type Suite } from "../harness/suite.ts";

export const suite: Suite = {
  about: "remote write, protocols 1 and 2 (Prometheus remote write specifications)",
  roles: {
    server: role({
      cases: async () => (await import("./cases/load.ts")).receiverCases(),
      driver: async ({ url }, { settings: { query }, timeout = 5_000, reach }) =>
        new (await import("./driver/server.ts")).ServerDriver({
          url,
          timeout,
          fields: reach.fields ?? [],
          query: query === undefined ? undefined : String(query),
        }),
      reaching: ["fields"],
      concurrency: 4,
      acceptsByProof: true,
      words: async () => {
        const { SERVER_FEATURES } = await import("./driver/server.ts");
        const { REFUSALS } = await import("./vocabulary.ts");
        return { features: Object.keys(SERVER_FEATURES), monitors: [], refusals: REFUSALS };
      },
      embedded: {
        name: "touchstone's own receiver",
        subjects: [{ start: async () => (await import("./embedded/server.ts")).startReceiver() }],
      },
    }),
    client: role({
      cases: async () => (await import("./cases/load.ts")).senderCases(),
      driver: async ({ client }, { timeout = 5_000 }) => new (await import("./driver/client.ts")).ClientDriver({ client, timeout }),
      // Cases share lives, which the driver counts.
      concurrency: 64,
      words: async () => {
        const { CLIENT_FEATURES } = await import("./driver/client.ts");
        return { features: Object.keys(CLIENT_FEATURES), monitors: [], refusals: [] };
      },
      embedded: {
        name: "touchstone's own sender",
        subjects: [{ start: async () => ({ subject: { client: (await import("./embedded/client.ts")).client } }) }],
      },
    }),
  },
  flags: [
    { name: "query", value: "<url>", about: "a receiver: where its samples can be queried; /api/v1/query at its address by default" },
  ],
  examples: [
    ["remotewrite http://127.0.0.1:9090/api/v1/write", "a receiver"],
    ["remotewrite --client 'prometheus --config.file={config} --storage.tsdb.path={dir} --web.listen-address=127.0.0.1:0'", "a sender"],
  ],
};
