import type { Group } from "../../../metrics/discovery/index.ts";
import { fingerprintOf } from "../fingerprint.ts";
import { Calm } from "./calm.ts";
import { type DiscoverySection, KINDS } from "./kinds.ts";
import { Provider } from "./provider.ts";
import type { Discoverer, Report } from "./report.ts";

/** The targets of one section; closing it ends the discoverers that no other section uses. */
export type Subscription = { readonly groups: readonly Group[]; close(): Promise<void> };

/** Where the owner of a subscription is in the configuration. */
export type Subscriber = { readonly owner: string; readonly onChange: () => void };

/** The discoverers of all sections that one part of the server has. One that stays in the configuration goes on undisturbed. */
export class Discoveries {
  readonly #onNotice: (message: string) => void;
  readonly #providers = new Map<string, Provider>();
  /** Times that an owner was told of changes. */
  updates = 0;

  constructor(onNotice: (message: string) => void) {
    this.#onNotice = onNotice;
  }

  get providers(): readonly Provider[] {
    return [...this.#providers.values()];
  }

  /** Begins to find the targets of a section. */
  subscribe(section: DiscoverySection, { owner, onChange }: Subscriber): Subscription {
    const fixed = section.static_configs.map(({ targets, labels }, at): Group => ({
      source: String(at),
      targets: targets.map((address) => ({ __address__: address })),
      labels,
    }));
    const listener = new Calm(() => {
      this.updates += 1;
      onChange();
    });
    const used = new Map<string, Provider>();
    for (const [field, { mechanism, start }] of KINDS)
      for (const [at, config] of section[field].entries()) {
        const key = `${field} ${fingerprintOf(config)}`;
        const place = `${owner}: ${field}[${at}]`;
        const begin: Start = (report) => start(config as never, report);
        const provider = this.#providers.get(key) ?? new Provider({ mechanism, owner, place, start: begin, onNotice: this.#onNotice });
        this.#providers.set(key, provider);
        provider.listeners.add(listener.call);
        used.set(key, provider);
      }
    return {
      get groups() {
        return [...fixed, ...[...used.values()].flatMap(({ groups }) => groups)];
      },
      close: async () => {
        listener.close();
        for (const { listeners } of used.values()) listeners.delete(listener.call);
        const unused = [...used].filter(([key, { listeners }]) => listeners.size === 0 && this.#providers.delete(key));
        await Promise.all(unused.map(([, provider]) => provider.close()));
      },
    };
  }
}

type Start = (report: Report) => Discoverer;
