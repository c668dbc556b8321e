import { role, type Suite } from "../harness/suite.ts";

export const suite: Suite = {
  about: "recording and alerting rules of a metrics server: evaluation, timing, templates, API (Prometheus: rules, templates)",
  roles: {
    client: role({
      cases: async () => (await import("./cases/load.ts")).cases(),
      driver: async ({ client }, { settings: { "rules-api": api } }) =>
        new (await import("./driver/client.ts")).RulesDriver({ client, api: api === undefined ? undefined : String(api) }),
      // All cases are rule files of one run.
      concurrency: 512,
      words: async () => ({ features: Object.keys((await import("./driver/features.ts")).FEATURES), monitors: [], refusals: [] }),
      embedded: {
        name: "touchstone's own rules",
        subjects: [{ start: async () => ({ subject: { client: (await import("../scrape/embedded/client.ts")).client } }) }],
      },
    }),
  },
  elsewhere: { server: "metrics" },
  flags: [{ name: "rules-api", value: "<url>", about: "where the server's API is, with {port}; http://127.0.0.1:{port} by default" }],
  examples: [
    [
      "rules --client 'prometheus --config.file={config} --storage.tsdb.path={dir} --web.listen-address=127.0.0.1:{port}'",
      "a metrics server that evaluates rules",
    ],
  ],
};
