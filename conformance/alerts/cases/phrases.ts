import type { Level, SpecRef } from "../../../reference/core/index.ts";
import type { RequirementRef } from "../../harness/case.ts";
import type { Action, Case, Pattern, RouterSetup, SenderSetup, Settings, Sight, Step } from "../vocabulary.ts";

/** What the cases about alerts share. */

export type Draft = {
  readonly id: string;
  /** Entries of the role's document, or with their documents. */
  readonly covers: string | readonly [string, ...string[]];
  readonly level?: Level;
  readonly title: string;
  readonly needs?: readonly string[];
  readonly steps: readonly Step[];
  readonly see: Sight | readonly Sight[];
  readonly also?: readonly { readonly see: Sight; readonly by: string }[];
  /** The steps of the control; those of the case if it has no mistake. */
  readonly control?: readonly Step[];
};

/** Makes a case for one role from its draft. */
const maker =
  (role: "server" | "client", document: string) =>
  ({ id, covers, level = "MUST", title, needs = [], steps, see, also = [], control = steps }: Draft): Case => {
    const ref = (name: string): RequirementRef => (name.includes("#") ? name : `${document}#${name}`) as RequirementRef;
    const sectionOf = (name: string): SpecRef => ref(name).split("/")[0] as SpecRef;
    const [first, ...rest] = typeof covers === "string" ? [covers] : covers;
    return {
      id: `alerts/${id}`,
      spec: sectionOf(first!),
      covers: [ref(first!), ...rest.map(ref)],
      level,
      role,
      title,
      ...(needs.length > 0 && { needs }),
      steps,
      control,
      allowed: [{ see: "see" in see ? see : { see: "all", of: see } }, ...also.map((one) => ({ see: one.see, by: sectionOf(one.by) }))],
    };
  };
/** A case for senders. */
export const sent = maker("client", "prometheus-notifier");
/** A case for routers. */
export const routed = maker("server", "prometheus-router");

export type Posted = {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly startsAt?: string;
  readonly endsAt?: string;
  readonly generatorURL?: string;
};
type Labels = Readonly<Record<string, string>>;

/** An alert of the case that fires for an hour. */
export const firing = (labels: Labels = {}, more: Partial<Posted> = {}): Posted => ({
  startsAt: "{now}",
  endsAt: "{now+3600}",
  ...more,
  labels: { alertname: "Down", case: "{case}", ...labels },
});
/** The same alert, resolved now. */
export const over = (labels: Labels = {}, more: Partial<Posted> = {}): Posted =>
  firing(labels, { startsAt: "{now-1}", endsAt: "{now}", ...more });

type Request = Extract<Action, { do: "request" }>;
export const post = (...alerts: readonly Posted[]): Request => ({
  do: "request",
  as: "posted",
  method: "POST",
  path: "/api/v2/alerts",
  body: alerts,
});
export const get = (as: string, path: string): Request => ({ do: "request", as, method: "GET", path });
/** The path of the case's alerts, or groups. */
export const own = (path: string, query = ""): string => `${path}?filter=case%3D%22{case}%22${query}`;
export const setup = (route: Settings = {}, more: Partial<RouterSetup> = {}): RouterSetup => ({ do: "router", route, ...more });
export const sender = (more: Omit<SenderSetup, "do"> = {}): SenderSetup => ({ do: "sender", ...more });
export const signal = (value: number): Action => ({ do: "signal", value });
export const until = (at: string, count = 1, is?: Pattern): Action => ({ do: "await", at, count, ...(is !== undefined && { is }) });

/** A request with one alert that has these labels. */
export const about = (labels: Labels, more: Settings = {}): Pattern => ({ alerts: { $has: [{ labels, ...more }] } });
/** A request with exactly the alerts that have these labels. */
export const exactly = (...all: readonly Labels[]): Pattern => ({ alerts: all.map((labels) => ({ labels })) });
export const seen = (at: string, is: Pattern = {}, number?: number): Sight => ({
  see: "request",
  at,
  is,
  ...(number !== undefined && { number }),
});
export const unseen = (at: string, is?: Pattern): Sight => ({ see: "no-request", at, ...(is !== undefined && { is }) });
export const answered = (to: string, is: Pattern = {}, status?: number | readonly number[]): Sight => ({
  see: "answer",
  to,
  is,
  ...(status !== undefined && { status }),
});
