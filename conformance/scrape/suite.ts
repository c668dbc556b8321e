import { role, type Suite } from "../harness/suite.ts";

export const suite: Suite = {
  about: "what a scraper of metrics asks, accepts and stores (Prometheus: configuration, formats, staleness)",
  roles: {
    client: role({
      cases: async () => (await import("./cases/load.ts")).cases(),
      driver: async ({ client }, { settings: { api, template } }) =>
        new (await import("./driver/client.ts")).ScraperDriver({
          client,
          api: api === undefined ? undefined : String(api),
          template: template === undefined ? undefined : String(template),
        }),
      // All cases are jobs of one run.
      concurrency: 512,
      words: async () => ({ features: Object.keys((await import("./driver/features.ts")).FEATURES), monitors: [], refusals: [] }),
      embedded: {
        name: "touchstone's own scraper",
        subjects: [{ start: async () => ({ subject: { client: (await import("./embedded/client.ts")).client } }) }],
      },
    }),
  },
  elsewhere: { server: "metrics" },
  flags: [
    { name: "api", value: "<url>", about: "where the scraper's samples can be queried, with {port}; http://127.0.0.1:{port} by default" },
    {
      name: "template",
      value: "<file>",
      about: "the scraper's configuration, with {jobs} where the list of scrape_configs goes, as JSON; by default nothing but them",
    },
  ],
  examples: [
    [
      "scrape --client 'prometheus --config.file={config} --storage.tsdb.path={dir} --web.listen-address=127.0.0.1:{port}'",
      "a scraper with a query API",
    ],
  ],
};
