import { role, type Settings, type Suite } from "../harness/suite.ts";

const numberOf = (settings: Settings, name: string): number | undefined =>
  settings[name] === undefined ? undefined : Number(settings[name]);

export const suite: Suite = {
  about: "the page of a live target, over several scrapes (Prometheus text format, OpenMetrics, protobuf)",
  roles: {
    server: role({
      cases: async () => (await import("./cases/load.ts")).cases(),
      driver: async ({ url }, { settings, timeout = 10_000, verify, reach }) => {
        const { ServerDriver } = await import("./driver/server.ts");
        const [scrapes, intervalMs] = [numberOf(settings, "scrapes"), numberOf(settings, "interval")];
        return new ServerDriver({
          url,
          timeout,
          verify,
          reach,
          ...(scrapes !== undefined && { scrapes }),
          ...(intervalMs !== undefined && { intervalMs }),
        });
      },
      reaching: ["fields", "place", "socket"],
      // Equal requests of cases are sent once.
      concurrency: 256,
      words: async () => ({ features: Object.keys((await import("./driver/features.ts")).FEATURES), monitors: [], refusals: [] }),
      embedded: {
        name: "touchstone's own targets",
        subjects: [
          {
            // Readers store created times as series of their own, so that our server shows none.
            takes: ({ id }) => !id.endsWith("-created"),
            start: async () => {
              const { url, stop } = await (await import("./embedded/own.ts")).startOwn();
              return { subject: { url }, stop };
            },
          },
          {
            note: "with every type",
            start: async () => {
              const { url, stop } = await (await import("./embedded/target.ts")).startTarget("exemplary");
              return { subject: { url }, stop };
            },
          },
          {
            note: "with quantiles and timestamps",
            start: async () => {
              const { url, stop } = await (await import("./embedded/target.ts")).startTarget("old-fashioned");
              return { subject: { url }, stop };
            },
          },
        ],
      },
    }),
  },
  elsewhere: { client: "scrape", codec: "metrics" },
  flags: [
    { name: "scrapes", value: "<n>", about: "how many scrapes are compared; 4 by default" },
    { name: "interval", value: "<ms>", about: "how far apart they are; 500 by default" },
  ],
  examples: [["metrics-target http://127.0.0.1:9100/metrics", "the page of a target: its form, and whether it is stable"]],
};
