import { answered, firing, get, own, post, routed, setup, until } from "../phrases.ts";
import type { Step } from "../../vocabulary.ts";

/** Status, receivers, groups, and whether it is there. */

const HEAD = (as: string, path: string): Step => ({ do: "request", as, method: "HEAD", path });

export const cases = [
  ...(["healthy", "ready"] as const).flatMap((name) => [
    routed({
      id: `${name}-get`,
      covers: `management.${name}/ok`,
      title: `GET of /-/${name} is answered with 200.`,
      steps: [setup(), get("it", `/-/${name}`)],
      see: answered("it", {}, 200),
    }),
    routed({
      id: `${name}-head`,
      covers: `management.${name}/ok`,
      title: `HEAD of /-/${name} is answered with 200.`,
      steps: [setup(), HEAD("it", `/-/${name}`)],
      see: answered("it", null, 200),
    }),
  ]),
  routed({
    id: "status-shape",
    covers: "openapi.status/shape",
    title: "The status has the cluster, the version, the configuration and the time of the start.",
    steps: [setup(), get("status", "/api/v2/status")],
    see: answered("status", {
      cluster: { status: { $any: ["ready", "settling", "disabled"] } },
      config: { original: { $re: "receivers" } },
      uptime: { $is: "time" },
      versionInfo: {
        version: { $re: "" },
        revision: { $re: "" },
        branch: { $re: "" },
        buildUser: { $re: "" },
        buildDate: { $re: "" },
        goVersion: { $re: "" },
      },
    }),
  }),
  routed({
    id: "receivers-listed",
    covers: "openapi.receivers/list",
    title: "The receivers of the configuration are listed by name.",
    steps: [setup({}, { ends: { other: {} } }), get("receivers", "/api/v2/receivers")],
    see: answered("receivers", { $has: [{ name: "{case}/main" }, { name: "{case}/other" }, { name: "default" }] }),
  }),
  routed({
    id: "groups-shape",
    covers: "openapi.groups/shape",
    title: "A group is shown with its labels, its receiver and its alerts.",
    steps: [
      setup({ group_by: ["alertname", "n"] }),
      post(firing({ n: "1", i: "a" }), firing({ n: "1", i: "b" }), firing({ n: "2" })),
      { do: "await-answer", as: "groups", path: own("/api/v2/alerts/groups"), is: [{}, {}] },
    ],
    see: answered("groups", [
      {
        labels: { alertname: "Down", n: "1" },
        receiver: { name: "{case}/main" },
        alerts: [{ labels: { i: "a" } }, { labels: { i: "b" }, fingerprint: { $is: "text" }, status: { state: "active" } }],
      },
      { labels: { alertname: "Down", n: "2" }, receiver: { name: "{case}/main" }, alerts: [{ labels: { n: "2" } }] },
    ]),
  }),
  routed({
    id: "groups-by-label",
    covers: "openapi.groups/filter",
    title: "A filter selects the alerts of groups.",
    steps: [
      setup({ group_by: ["alertname"] }),
      post(firing({ n: "1" }), firing({ n: "2" })),
      until("main"),
      get("groups", own("/api/v2/alerts/groups", "&filter=n%3D%221%22")),
    ],
    see: answered("groups", [{ alerts: [{ labels: { n: "1" } }] }]),
  }),
  routed({
    id: "groups-by-receiver",
    covers: "openapi.groups/filter",
    title: "A receiver selects groups.",
    steps: [
      setup({ routes: [{ receiver: "other", matchers: ['n="2"'] }] }, { ends: { other: {} } }),
      post(firing({ n: "1" }), firing({ n: "2" })),
      until("main"),
      until("other"),
      get("groups", own("/api/v2/alerts/groups", "&receiver=.*%2Fother")),
    ],
    see: answered("groups", [{ receiver: { name: "{case}/other" }, alerts: [{ labels: { n: "2" } }] }]),
  }),
  routed({
    id: "groups-of-several-routes",
    covers: ["openapi.groups/shape", "configuration.route/continue"],
    title: "An alert that several routes take is shown in a group of each.",
    steps: [
      setup(
        {
          routes: [
            { receiver: "one", matchers: ['n="1"'], continue: true },
            { receiver: "two", matchers: ['n="1"'] },
          ],
        },
        { ends: { one: {}, two: {} } },
      ),
      post(firing({ n: "1" })),
      { do: "await-answer", as: "groups", path: own("/api/v2/alerts/groups"), is: [{}, {}] },
    ],
    see: answered("groups", [{ receiver: { name: "{case}/one" } }, { receiver: { name: "{case}/two" } }]),
  }),
];
