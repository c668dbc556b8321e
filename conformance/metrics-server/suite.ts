import { role, type Suite } from "../harness/suite.ts";

export const suite: Suite = {
  about: "what a metrics server shows of itself: federation, reload, status, targets (Prometheus: federation, management API, HTTP API)",
  roles: {
    client: role({
      cases: async () => (await import("./cases/load.ts")).cases(),
      driver: async ({ client }) => new (await import("./driver/client.ts")).ServerDriver({ client }),
      // All cases are requests to the servers of one run.
      concurrency: 512,
      words: async () => ({ features: Object.keys((await import("./driver/features.ts")).FEATURES), monitors: [], refusals: [] }),
      embedded: {
        name: "touchstone's own metrics server",
        subjects: [{ start: async () => ({ subject: { client: (await import("./embedded/client.ts")).client } }) }],
      },
    }),
  },
  elsewhere: { server: "metrics" },
  examples: [
    [
      "metrics-server --client 'prometheus --config.file={config} --storage.tsdb.path={dir} --web.listen-address=127.0.0.1:{port} {flags}'",
      "a metrics server; {flags} is nothing, or --web.enable-lifecycle",
    ],
  ],
};
