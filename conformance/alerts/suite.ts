import { role, type Suite } from "../harness/suite.ts";

export const suite: Suite = {
  about: "alert routers and what sends alerts to them (Prometheus: Alertmanager, its API v2 and configuration)",
  roles: {
    server: role({
      cases: async () => (await import("./cases/load.ts")).routerCases(),
      driver: async ({ url, start }, { timeout = 10_000 }) => {
        const { ROUTER_FEATURES } = await import("./driver/features.ts");
        const { AlertsDriver } = await import("./driver/driver.ts");
        return new AlertsDriver({ role: "server", subject: start ?? url, features: ROUTER_FEATURES, waitMs: timeout }) as never;
      },
      // All cases are routes of one run.
      concurrency: 512,
      words: async () => ({ features: Object.keys((await import("./driver/features.ts")).ROUTER_FEATURES), monitors: [], refusals: [] }),
      embedded: {
        name: "touchstone's own alert router",
        subjects: [{ start: async () => ({ subject: { url: "touchstone", start: (await import("./embedded/router.ts")).router } }) }],
      },
    }),
  },
  examples: [
    [
      "alerts --server 'prometheus-alertmanager --config.file={config} --storage.path={dir} --web.listen-address=127.0.0.1:{port} --cluster.listen-address='",
      "an alert router",
    ],
  ],
};
