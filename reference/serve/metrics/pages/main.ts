import { render, type VNode } from "preact";
import { Alerts } from "./alerts.ts";
import { Config } from "./config.ts";
import { Discovery } from "./discovery.ts";
import { Flags } from "./flags.ts";
import { html } from "./html.ts";
import { QueryPage } from "./query/page.ts";
import { type Page, usePage } from "./route.ts";
import { Rules } from "./rules.ts";
import { Shell } from "./shell.ts";
import { Status } from "./status.ts";
import { Targets } from "./targets.ts";
import { TsdbStatus } from "./tsdb-status.ts";

/** The web pages of `serve metrics`. */

const PAGES: readonly Page[] = [
  { path: "graph", name: "Query", title: "Query", View: QueryPage },
  { path: "alerts", name: "Alerts", title: "Alerts", View: Alerts },
  { path: "targets", name: "Targets", title: "Targets", View: Targets },
  { path: "rules", name: "Rules", title: "Rules", View: Rules },
  { path: "service-discovery", name: "Discovery", title: "Service discovery", View: Discovery },
  { path: "tsdb-status", name: "TSDB", title: "TSDB status", View: TsdbStatus },
  { path: "config", name: "Config", title: "Configuration", View: Config },
  { path: "flags", name: "Flags", title: "Flags", View: Flags },
  { path: "status", name: "Status", title: "Status", View: Status },
];
/** What newer versions of Prometheus call a page. */
const ALIASES = { query: "graph" };

function App(): VNode {
  const page = usePage(PAGES, ALIASES);
  return html`<${Shell} pages=${PAGES} current=${page}><${page.View} key=${page.path} /><//>`;
}

render(html`<${App} />`, document.querySelector("#page")!);
