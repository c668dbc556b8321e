import { connect } from "node:net";
import { type Feature, Unreachable, WrongUse } from "../../harness/driver.ts";
import type { As, Message, Step } from "../vocabulary.ts";
import type { Party } from "./driver.ts";
import { Hindered, Performance, SUBPROTOCOL } from "./performance.ts";

/** Features that cases need of a hub. */
export const HUB_FEATURES: Readonly<Record<string, string>> = {
  watchers: "it has a token for watchers",
  screen: "it sends a screen to a client that attaches late",
  "hasty heartbeat": "the fragment of its address says that it asks after at most two seconds without a message (asks=1500)",
  "hasty end":
    "the fragment of its address says that it waits at most two seconds for an agent (ends=1500), and keeps an ended session as long",
  "hasty stall": "the fragment of its address says that a client may be behind without progress for at most two seconds (stalls=1500)",
  forgetful: "the fragment of its address says that it keeps the last thousand octets of output, and no more (keeps=1000)",
  "another origin": "the fragment of its address names a page of another origin that may attach (origin=https://friend.example)",
  "another name": "the fragment of its address has a name under which it is served (name=hub.example)",
  "sized by the owner": "the wish of the owner decides on the size, as by default",
  "sized by the smallest": "the smallest wish of all clients decides on the size",
  "sized by the last": "the last wish decides on the size",
};
export const OFFER: Message = { type: "offer", from: 0, end: 0, input: 0, cols: 80, rows: 24 };

/** How much longer than usual a refusal of a token may take. */
const SLOW_FACTOR = 4;

/** The longest times of a hub for which cases wait, in milliseconds, by their names in the fragment of its address. */
const HASTY_MS = 2_000;
/** How much output a forgetful hub keeps. */
const KEEPS = "1000";
const HASTY = { asks: "hasty heartbeat", ends: "hasty end", stalls: "hasty stall" } as const;

export type HubOptions = { readonly url: string; readonly timeout: number };
type Connect = Extract<Step, { do: "connect" }>;

/** The tokens: of the fragment of the address, or of the environment, where `serve channel` reads them too. */
function tokensOf(url: URL): Readonly<Record<As, string | undefined>> {
  const fragment = new URLSearchParams(url.hash.slice(1));
  const token = (role: string): string | undefined => fragment.get(role) ?? process.env[`TOUCHSTONE_${role.toUpperCase()}_TOKEN`];
  return {
    agent: token("agent"),
    client: token("client"),
    watcher: token("watcher"),
    stranger: undefined,
    wrong: "a-token-that-nobody-gave-away",
  };
}

/** The harness as agents and clients of a hub. Each performance has a session of its own. */
export class HubParty implements Party<"server"> {
  readonly role = "server";
  readonly #url: URL;
  readonly #timeout: number;
  readonly #tokens: Readonly<Record<As, string | undefined>>;
  readonly #prefix = `t${Date.now().toString(36)}`;
  #performed = 0;

  constructor({ url, timeout }: HubOptions) {
    this.#url = new URL(url.replace(/^ws:/, "http:"));
    this.#timeout = timeout;
    this.#tokens = tokensOf(this.#url);
    if (this.#url.protocol !== "http:") throw new WrongUse(`A hub is reached by http: or ws:, not ${this.#url.protocol} (${url}).`);
    if (this.#tokens.agent === undefined || this.#tokens.client === undefined)
      throw new WrongUse(
        "A hub needs tokens: set TOUCHSTONE_AGENT_TOKEN and TOUCHSTONE_CLIENT_TOKEN, or write #agent=…&client=… after the address.",
      );
  }

  begin(patience: number): Promise<{ performance: Performance; end(): Promise<void> }> {
    const session = `${this.#prefix}-${++this.#performed}`;
    const words = { session, run: `r-${session}`, host: this.#url.host };
    const performance = new Performance({
      timeout: this.#timeout * patience,
      words,
      open: (on, step) => (step.do === "connect" ? this.#connect(on, step) : Promise.reject(new Error("a hub connects to nobody"))),
    });
    return Promise.resolve({ performance, end: () => Promise.resolve() });
  }

  async probe(): Promise<{ features: ReadonlyMap<string, Feature> }> {
    const features = new Map<string, Feature>();
    const { performance } = await this.begin(2);
    try {
      await performance.run([
        { do: "connect", name: "agent", as: "agent" },
        { do: "octets", name: "agent", octets: { text: "probe" } },
        { do: "fence" },
        { do: "connect", name: "late", as: "client" },
      ]);
      const has = Number(performance.get("late").messages[0]?.["screen"] ?? 0) > 0;
      features.set("screen", { has, how: has ? HUB_FEATURES["screen"]! : "its first state had no screen" });
      const sizing = await this.#sizing(performance);
      for (const one of ["owner", "smallest", "last"])
        features.set(`sized by the ${one}`, { has: sizing === one, how: `the wish of the ${sizing} counts` });
    } catch (error) {
      if (!(error instanceof Hindered)) throw error;
      throw new Unreachable(`The hub at ${this.#url.origin} did not take an agent and a client: ${error.message}. Are its tokens right?`);
    } finally {
      performance.close();
    }
    const fragment = new URLSearchParams(this.#url.hash.slice(1));
    for (const [name, feature] of Object.entries(HASTY)) {
      const ms = fragment.get(name);
      const has = ms !== null && Number(ms) <= HASTY_MS;
      features.set(feature, { has, how: has ? `its address says ${name}=${ms}` : "its address does not say so" });
    }
    for (const [name, feature, has] of [
      ["keeps", "forgetful", fragment.get("keeps") === KEEPS],
      ["origin", "another origin", fragment.has("origin")],
      ["name", "another name", fragment.has("name")],
    ] as const)
      features.set(feature, { has, how: has ? `its address says ${name}=${fragment.get(name)}` : "its address does not say so" });
    const has = this.#tokens.watcher !== undefined;
    features.set("watchers", { has, how: has ? HUB_FEATURES["watchers"]! : "no token for watchers was given" });
    return { features };
  }

  /** Whose wish the hub follows: the owner asks for 100 by 40 and another client first for more, then for less. */
  async #sizing(performance: Performance): Promise<"owner" | "smallest" | "last"> {
    await performance.run([
      { do: "connect", name: "other", as: "client" },
      { do: "say", name: "late", message: { type: "resize", cols: 100, rows: 40 } },
      { do: "fence" },
      { do: "say", name: "other", message: { type: "resize", cols: 110, rows: 50 } },
      { do: "fence" },
    ]);
    const has = (cols: number): boolean =>
      performance.get("agent").messages.some((one) => one["type"] === "resize" && one["cols"] === cols);
    if (has(110)) return "last";
    await performance.run([{ do: "say", name: "other", message: { type: "resize", cols: 90, rows: 30 } }, { do: "fence" }]);
    return has(90) ? "smallest" : "owner";
  }

  async #connect(performance: Performance, step: Connect): Promise<void> {
    const { name, as, offer = OFFER, silent = false } = step;
    const { hostname, port, host } = this.#url;
    const socket = connect(Number(port === "" ? 80 : port), hostname.replace(/^\[|\]$/g, ""));
    const party = performance.party(name, socket, true);
    party.isAgent = as === "agent";
    party.answersPings = step.deaf !== true;
    performance.parties.set(name, party);
    const token = this.#tokens[as];
    const session = performance.fill(step.session ?? "{session}");
    const query = this.#filled(performance.fill(step.query ?? (as === "agent" ? "run={run}" : `client=${name}`)));
    party.line.request(`/api/ws/sessions/${session}${query === "" ? "" : `?${query}`}`, {
      host,
      "sec-websocket-protocol": SUBPROTOCOL,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...Object.fromEntries(Object.entries(step.headers ?? {}).map(([field, value]) => [field, this.#filled(value)])),
    });
    // Wrong tokens may be slowed down (1.2).
    const isUsual = step.headers === undefined && (token === this.#tokens.client || as === "agent");
    const patience = isUsual ? 1 : SLOW_FACTOR;
    await performance.waiting.until(() => party.head !== undefined || party.code !== undefined, performance.timeout * patience);
    if (silent || as === "stranger" || as === "wrong") return;
    if (party.status !== 101) throw new Hindered(`${name} was refused with status ${party.status}`);
    if (as === "agent") party.say(JSON.stringify(offer));
    const isReady = (): boolean => ["state", "ack"].every((type) => party.messages.some((message) => message["type"] === type));
    await performance.until(() => isReady() || party.code !== undefined);
    if (!isReady())
      throw new Hindered(`${name} got no state and ack${party.code === undefined ? "" : `: it was closed with ${party.code}`}`);
  }
  /** Tokens in a query or a field, `{client}` and `{agent}`, the address `{host}` of the hub, its other `{name}`, and the `{origin}` of a page that it admits. */
  #filled(text: string): string {
    const fragment = new URLSearchParams(this.#url.hash.slice(1));
    return text
      .replaceAll(/\{(agent|client|watcher)\}/g, (_, role: As) => this.#tokens[role] ?? "")
      .replaceAll("{host}", this.#url.host)
      .replaceAll(/\{(name|origin)\}/g, (_, member: string) => fragment.get(member) ?? "");
  }
}
