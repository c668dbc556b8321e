import { createHash } from "node:crypto";
import type { Config, HttpConfig } from "../../metrics/config/index.ts";
import { Labels } from "../../metrics/model/index.ts";
import type { Notification } from "../../metrics/rules/index.ts";
import { type RelabelConfig, Relabelling } from "../../metrics/scrape/index.ts";
import { Discoveries, type Subscription } from "./discovery/index.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { HttpAccess } from "./http-access.ts";
import { RouterLink } from "./router-link.ts";

type RouterConfig = NonNullable<Config["alerting"]>["alertmanagers"][number];

const md5 = (octets: Uint8Array): Uint8Array => createHash("md5").update(octets).digest();
const rulesOf = (list: readonly RelabelConfig[], { global }: Pick<Config, "global">): Relabelling =>
  new Relabelling(list, { md5, scheme: global.metric_name_validation_scheme });

/** Sends alerts to the routers of a configuration (Prometheus docs, configuration/configuration.md, `<alertmanager_config>`). */
export class Notifier {
  readonly #onNotice: (message: string) => void;
  readonly discoveries: Discoveries;
  #sets: readonly RouterSet[] = [];
  #fingerprint = "";
  #external: Labels = Labels.NONE;
  #rules: Relabelling | undefined;

  constructor(onNotice: (message: string) => void) {
    this.#onNotice = onNotice;
    this.discoveries = new Discoveries(onNotice);
  }

  /** Takes another configuration. Unless its section `alerting` is another one, alerts that wait go on waiting. */
  async apply(config: Pick<Config, "alerting" | "global">): Promise<void> {
    const { alerting, global } = config;
    this.#external = Labels.of(global.external_labels);
    this.#rules = rulesOf(alerting?.alert_relabel_configs ?? [], config);
    const fingerprint = fingerprintOf({ alerting, scheme: global.metric_name_validation_scheme });
    if (fingerprint === this.#fingerprint) return;
    this.#fingerprint = fingerprint;
    const before = this.#sets;
    this.#sets = (alerting?.alertmanagers ?? []).map((one) => new RouterSet(one, config, this.discoveries, this.#onNotice));
    await Promise.all(before.map((set) => set.close()));
  }

  /** Sends alerts: external labels fill in what they lack, and rules change or drop them. */
  send(notifications: readonly Notification[]): void {
    if (this.#sets.length === 0) return;
    const ready = relabelled(
      notifications.map((one) => ({ ...one, labels: Labels.of([...this.#external, ...one.labels]) })),
      this.#rules,
    );
    for (const set of this.#sets) set.send(ready);
  }

  get active(): readonly string[] {
    return this.#sets.flatMap(({ links }) => links.map(({ url }) => url));
  }
  get dropped(): readonly string[] {
    return this.#sets.flatMap((set) => set.dropped);
  }
  get links(): readonly RouterLink[] {
    return this.#sets.flatMap((set) => set.links);
  }

  async close(): Promise<void> {
    await Promise.all(this.#sets.map((set) => set.close()));
    this.#sets = [];
  }
}

const relabelled = (all: readonly Notification[], rules: Relabelling | undefined): Notification[] =>
  all.flatMap((one) => {
    const labels = rules === undefined ? one.labels : rules.apply(one.labels);
    return labels === undefined ? [] : [{ ...one, labels }];
  });

/** The routers of one entry of `alertmanagers`. */
class RouterSet {
  readonly #config: RouterConfig & HttpConfig;
  readonly #access: HttpAccess;
  readonly #targetRules: Relabelling;
  readonly #alertRules: Relabelling;
  readonly #onNotice: (message: string) => void;
  readonly #discovery: Subscription | undefined;
  #links = new Map<string, RouterLink>();
  dropped: readonly string[] = [];

  // oxlint-disable-next-line max-params -- a section with what surrounds it
  constructor(config: RouterConfig, whole: Pick<Config, "global">, discoveries: Discoveries, onNotice: (message: string) => void) {
    this.#config = config;
    this.#onNotice = onNotice;
    this.#access = new HttpAccess(config, { connectMs: config.timeout, keepMs: 60_000 });
    this.#targetRules = rulesOf(config.relabel_configs, whole);
    this.#alertRules = rulesOf(config.alert_relabel_configs, whole);
    this.#discovery = discoveries.subscribe(config, { owner: "alertmanagers", onChange: () => this.#update() });
    this.#update();
  }

  get links(): readonly RouterLink[] {
    return [...this.#links.values()];
  }

  send(notifications: readonly Notification[]): void {
    const own = relabelled(notifications, this.#alertRules);
    if (own.length > 0) for (const link of this.#links.values()) link.add(own);
  }

  async close(): Promise<void> {
    await this.#discovery?.close();
    await Promise.all([...this.#links.values()].map((link) => link.close()));
    await this.#access.close();
  }

  /** Keeps the links of routers that are still there, with what waits for them. */
  #update(): void {
    const { scheme, path_prefix: prefix = "", timeout } = this.#config;
    const links = new Map<string, RouterLink>();
    const dropped: string[] = [];
    for (const { targets, labels } of this.#discovery?.groups ?? [])
      for (const target of targets) {
        const found = Labels.of({
          ...labels,
          ...target,
          __scheme__: scheme,
          __alerts_path__: `/${prefix.replaceAll(/^\/+|\/+$/g, "")}/api/v2/alerts`.replace("//", "/"),
        });
        const url = urlOf(found);
        const kept = this.#targetRules.apply(found);
        const to = kept === undefined ? undefined : urlOf(kept);
        if (to === undefined || !URL.canParse(to)) dropped.push(url);
        else
          links.set(
            to,
            links.get(to) ??
              this.#links.get(to) ??
              new RouterLink({ url: to, access: this.#access, timeoutMs: timeout, onNotice: this.#onNotice }),
          );
      }
    for (const [url, link] of this.#links) if (!links.has(url)) void link.close();
    this.#links = links;
    this.dropped = dropped;
  }
}

const urlOf = (labels: Labels): string => `${labels.get("__scheme__")}://${labels.get("__address__")}${labels.get("__alerts_path__")}`;
