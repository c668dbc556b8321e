import { afterAll, expect, test } from "vitest";
import { serveRouter } from "./server.ts";
import { Folder, HOW_TO_GET, kill, post, ROUTERS, startPeer } from "./testing.ts";

/** Other routers and we keep the same of alerts that come several times with other times, and of silences that change. */

if (ROUTERS.length === 0) console.log(`What is kept is not compared with Alertmanager: it is not installed (${HOW_TO_GET}).`);

const folder = new Folder();
afterAll(() => folder[Symbol.dispose]());

/** A generator with a seed, so that a failure comes again. */
function draws(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return Math.floor((state / 0x8000_0000) * below);
  };
}

const began = Date.now();
const moment = (seconds: number | undefined): string | undefined =>
  seconds === undefined ? undefined : new Date(began + seconds * 1_000).toISOString();
/** The times that are posted, in seconds after the begin. */
const POSTED: ReadonlySet<number> = new Set([-100, -60, -50, -30, -20, -5, -2, -1, 0, 50, 100, 300, 400, 600, 900, 1_000, 3_600, 7_200]);
/** By default an alert without an end ends after this time (`resolve_timeout`). */
const RESOLVE_SECONDS = 300;
/** A posted time as it is; one that a router set itself only by its kind, since no two routers hear at the same moment. */
function told(time: string): string {
  const seconds = (Date.parse(time) - began) / 1_000;
  if (POSTED.has(seconds)) return `${seconds} s`;
  const isMeanwhile = (moment: number): boolean => moment >= 0 && moment <= (Date.now() - began) / 1_000;
  if (isMeanwhile(seconds)) return "when it came";
  return isMeanwhile(seconds - RESOLVE_SECONDS) ? "when it came, and resolve_timeout" : time;
}

/** The routers under test: ours first. */
async function routers(): Promise<{ readonly urls: readonly string[]; close(): Promise<void> }> {
  const file = folder.write("router.yml", "route: {receiver: a}\nreceivers: [{name: a}]\n");
  const id = `${Math.random()}`;
  const peers = await Promise.all(ROUTERS.map((program, at) => startPeer(program, file, folder.at(`${id}-${at}`))));
  const ours = await serveRouter({ file, directory: folder.at(id), onNotice: () => {} });
  return {
    urls: [ours.url.replace(/\/$/, ""), ...peers.map(({ url }) => url)],
    close: async () => {
      await ours.close();
      await Promise.all(peers.map(({ child }) => kill(child)));
    },
  };
}

type Shown = { readonly labels: { readonly k: string }; readonly startsAt: string; readonly endsAt: string };

test.runIf(ROUTERS.length > 0)("300 alerts, each posted up to four times: all keep the same start and end", async () => {
  const draw = draws(7);
  const [starts, ends] = [
    [undefined, -100, -60, -30, -5],
    [undefined, -50, -20, -2, 50, 100, 400, 1_000],
  ];
  const lives = Array.from({ length: 300 }, () =>
    Array.from({ length: 1 + draw(4) }, () => {
      const [start, end] = [starts[draw(starts.length)], ends[draw(ends.length)]];
      // Alertmanager begins such an alert at its end, although its documentation says: at the current time.
      if (start === undefined && end !== undefined && end > 0) return [-1, end];
      return start !== undefined && end !== undefined && end < start ? [end, start] : [start, end];
    }),
  );
  const { urls, close } = await routers();
  for (let turn = 0; turn < 4; turn++) {
    const alerts = lives.flatMap((life, k) => {
      const [start, end] = life[turn] ?? [];
      return life[turn] === undefined ? [] : [{ labels: { k: String(k) }, startsAt: moment(start), endsAt: moment(end) }];
    });
    for (const url of urls) expect(await post(url, alerts)).toBe(200);
  }
  const [own, ...others] = await Promise.all(
    urls.map(async (url) => {
      const shown = (await (await fetch(`${url}/api/v2/alerts`)).json()) as readonly Shown[];
      return Object.fromEntries(shown.map(({ labels, startsAt, endsAt }) => [labels.k, [told(startsAt), told(endsAt)]]));
    }),
  );
  await close();
  expect(Object.keys(own ?? {}).length).toBeGreaterThan(100);
  for (const theirs of others) expect(own).toEqual(theirs);
});

type Body = Readonly<Record<string, unknown>>;
const silence = (more: Body): Body => ({
  matchers: [{ name: "a", value: "b", isRegex: false, isEqual: true }],
  startsAt: moment(0),
  endsAt: moment(3_600),
  createdBy: "me",
  comment: "first",
  ...more,
});
const CHANGES: readonly (Body | "expire")[] = [
  {},
  { comment: "second" },
  { endsAt: moment(7_200) },
  { startsAt: moment(-50) },
  { startsAt: moment(600) },
  { matchers: [{ name: "a", value: "c", isRegex: false, isEqual: true }] },
  { startsAt: moment(600), endsAt: moment(900) },
  "expire",
];

async function asked(
  url: string,
  method: string,
  body?: Body,
): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
  const response = await fetch(url, {
    method,
    headers: { "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text.startsWith("{") ? (JSON.parse(text) as Record<string, unknown>) : {} };
}

/** Makes a silence, changes it in turn, and tells what came of it. */
async function life(url: string, first: Body, changes: readonly (Body | "expire")[]): Promise<unknown[]> {
  let now = silence(first);
  let id = String((await asked(`${url}/api/v2/silences`, "POST", now)).body["silenceID"]);
  const ids = new Set([id]);
  const seen: unknown[] = [];
  for (const change of changes) {
    if (change === "expire") {
      seen.push((await asked(`${url}/api/v2/silence/${id}`, "DELETE")).status);
      continue;
    }
    now = { ...now, ...change };
    const { status, body } = await asked(`${url}/api/v2/silences`, "POST", { ...now, id });
    seen.push(status === 200 ? body["silenceID"] === id : status);
    if (status === 200) ids.add((id = String(body["silenceID"])));
  }
  for (const one of ids) {
    const { body } = await asked(`${url}/api/v2/silence/${one}`, "GET");
    seen.push([(body["status"] as Body)["state"], told(String(body["endsAt"])), body["comment"], body["matchers"]]);
  }
  return seen;
}

test.runIf(ROUTERS.length > 0)(
  "60 silences, each changed up to three times: the same ids stay, the same states and ends follow",
  async () => {
    const draw = draws(3);
    const { urls, close } = await routers();
    for (let at = 0; at < 60; at++) {
      const first = [{}, { startsAt: moment(300) }, { startsAt: moment(-30) }][at % 3] ?? {};
      const changes = Array.from({ length: 1 + draw(3) }, () => CHANGES[draw(CHANGES.length)] ?? {});
      const [own, ...others] = await Promise.all(urls.map((url) => life(url, first, changes)));
      for (const theirs of others) expect({ first, changes, seen: own }).toEqual({ first, changes, seen: theirs });
    }
    await close();
  },
);
