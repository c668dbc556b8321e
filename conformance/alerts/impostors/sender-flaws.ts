import { bare, contrary, type RuleFile, type SenderConfig } from "./sender-config.ts";
import type { SenderRelaying } from "./sender-relay.ts";
import type { Settings } from "./settings.ts";

/** Senders that are wrong on purpose: ours with a flaw in its configuration, in its rules, or between it and the routers. */

export type SenderFlaw = {
  readonly about: string;
  readonly config?: (config: SenderConfig) => SenderConfig;
  readonly rules?: (file: RuleFile) => RuleFile;
  readonly relay?: SenderRelaying;
  readonly isSilent?: true;
};

const labelsOf = ({ labels }: Settings): Readonly<Record<string, string>> => labels as Readonly<Record<string, string>>;
/** A relay that changes each alert. */
const each = (change: (alert: Settings) => Settings): SenderRelaying => ({
  changed: (sending) => ({ ...sending, alerts: sending.alerts.map(change) }),
});

export const SENDER_FLAWS: { readonly [name: string]: SenderFlaw } = {
  contrary: { about: "does the opposite of its settings about routers, and does not relabel", config: contrary },
  bare: { about: "has neither labels nor annotations nor times of its rules", rules: bare },
  mumbling: {
    about: "asks for something else, with other credentials and other alerts",
    relay: {
      changed: ({ alerts }) => ({
        method: "PUT",
        path: "/wrong",
        fields: { "content-type": "text/plain", authorization: "Basic wrong" },
        alerts: alerts.map((alert) => ({
          labels: { case: labelsOf(alert)["case"], __name__: "signal" },
          startsAt: "now",
          endsAt: "later",
          generatorURL: "nowhere",
        })),
      }),
      content: (alerts) => ({ alerts }),
    },
  },
  mortal: { about: "sends every alert as one that is over", relay: each((alert) => ({ ...alert, endsAt: alert["startsAt"] })) },
  restless: {
    about: "lets every alert begin anew, and lose its labels over time",
    relay: {
      changed: (sending, { seen }) => ({
        ...sending,
        alerts: sending.alerts.map((alert) => {
          const key = JSON.stringify(labelsOf(alert));
          const isKnown = seen.has(key);
          seen.set(key, "");
          const { case: own, alertname } = labelsOf(alert);
          const time = new Date(Date.now() - 3_600_000).toISOString();
          return isKnown ? { ...alert, labels: { case: own, alertname }, startsAt: time } : { ...alert, startsAt: time };
        }),
      }),
    },
  },
  forgetful: {
    about: "sends every alert once, and only the first of a case",
    relay: {
      changed: (sending, { seen }) => ({
        ...sending,
        alerts: sending.alerts.filter((alert) => {
          const key = `${sending.path} ${labelsOf(alert)["case"]}`;
          if (seen.has(key)) return false;
          seen.set(key, "");
          return true;
        }),
      }),
    },
  },
  leaking: { about: "follows every redirect, with its credentials", relay: { isLeaking: true } },
  brittle: { about: "sends nothing any more after one request that failed", relay: { isBrittle: true } },
  silent: { about: "sends nothing", isSilent: true },
};
