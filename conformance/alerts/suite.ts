import { role, type Suite } from "../harness/suite.ts";

/** Each thing that a case awaits may take so long, in milliseconds. */
const WAIT_MS = 10_000;

export const suite: Suite = {
  about: "alert routers and what sends alerts to them (Prometheus: Alertmanager's API v2 and configuration, alerting rules)",
  roles: {
    server: role({
      cases: async () => (await import("./cases/load.ts")).routerCases(),
      driver: async ({ url, start }, { timeout = WAIT_MS }) =>
        new (await import("./driver/driver.ts")).RouterDriver({ subject: start ?? url, waitMs: timeout }),
      // All cases are routes of one run.
      concurrency: 512,
      words: async () => ({ features: Object.keys((await import("./driver/features.ts")).ROUTER_FEATURES), monitors: [], refusals: [] }),
      embedded: {
        name: "touchstone's own alert router",
        subjects: [{ start: async () => ({ subject: { url: "touchstone", start: (await import("./embedded/router.ts")).router } }) }],
      },
    }),
    client: role({
      cases: async () => (await import("./cases/load.ts")).senderCases(),
      driver: async ({ client }, { timeout = WAIT_MS }) =>
        new (await import("./driver/driver.ts")).SenderDriver({ subject: client, waitMs: timeout }),
      // All cases are rules of one run.
      concurrency: 512,
      words: async () => ({ features: Object.keys((await import("./driver/features.ts")).SENDER_FEATURES), monitors: [], refusals: [] }),
      embedded: {
        name: "touchstone's own sender of alerts",
        subjects: [{ start: async () => ({ subject: { client: (await import("./embedded/sender.ts")).sender } }) }],
      },
    }),
  },
  examples: [
    [
      "alerts --server 'prometheus-alertmanager --config.file={config} --storage.path={dir} --web.listen-address=127.0.0.1:{port} --cluster.listen-address='",
      "an alert router",
    ],
    [
      "alerts --client 'prometheus --config.file={config} --storage.tsdb.path={dir} --web.listen-address=127.0.0.1:{port} --rules.alert.resend-delay=1s'",
      "a sender of alerts",
    ],
  ],
};
