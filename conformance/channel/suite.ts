import { role, type Suite } from "../harness/suite.ts";

const SILENCE_MS = 2_000;
/** Ways to decide on the size, other than the default. */
const SIZINGS = ["smallest", "last"] as const;
const isSized =
  (sizing: string) =>
  ({ id }: { readonly id: string }): boolean =>
    id.startsWith(`channel/hub-${sizing}-size`);

/** About what a hub with short times does when nothing happens; `quiet`: nothing on any other connection either. */
const isTimed = ({ id }: { readonly id: string }): boolean => /^channel\/hub-(heartbeat|times)-/.test(id);
const QUIET = ["agent", "client"] as const;
const isQuiet = ({ id }: { readonly id: string }): boolean => id.startsWith("channel/hub-quiet-");
/** About an agent or a client that notices soon when nothing comes. */
const isOfHaste = ({ id }: { readonly id: string }): boolean => /^channel\/(?:agent|client)-heartbeat-/.test(id);
/** About a hub that keeps little output. */
const isForgetful = ({ id }: { readonly id: string }): boolean => id.startsWith("channel/hub-forgets-");
const isSpecial = (c: { readonly id: string }): boolean =>
  [isTimed, isQuiet, isForgetful, ...SIZINGS.map(isSized)].some((takes) => takes(c));

export const suite: Suite = {
  about: "the terminal-session channel over WebSocket (reference/websocket/channel/PROTOCOL.md)",
  roles: {
    server: role({
      cases: async () => (await import("./cases/load.ts")).hubCases(),
      driver: async ({ url }, { timeout = SILENCE_MS }) => {
        const [{ ChannelDriver }, { HubParty }] = await Promise.all([import("./driver/driver.ts"), import("./driver/hub.ts")]);
        return new ChannelDriver(new HubParty({ url, timeout }));
      },
      concurrency: 8,
      words: async () => ({
        features: Object.keys((await import("./driver/hub.ts")).HUB_FEATURES),
        monitors: [],
        refusals: (await import("./vocabulary.ts")).REFUSALS,
      }),
      embedded: {
        name: "touchstone's own hub",
        subjects: [
          {
            takes: (c) => !isSpecial(c),
            start: async () => (await import("./embedded/hub.ts")).startHub(),
          },
          {
            note: "with short times",
            takes: isTimed,
            start: async () => (await import("./embedded/hub.ts")).startHub({ kind: "hasty" }),
          },
          ...QUIET.map((who) => ({
            note: `with short times, and one ${who}`,
            takes: ({ id }: { readonly id: string }) => id === `channel/hub-quiet-${who}`,
            start: async () => (await import("./embedded/hub.ts")).startHub({ kind: "hasty" }),
          })),
          {
            note: "that keeps little output",
            takes: isForgetful,
            start: async () => (await import("./embedded/hub.ts")).startHub({ kind: "forgetful" }),
          },
          ...SIZINGS.map((sizing) => ({
            note: `sized by the ${sizing}`,
            takes: isSized(sizing),
            start: async () => (await import("./embedded/hub.ts")).startHub({ sizing, isPlain: true }),
          })),
        ],
      },
    }),
    client: role({
      cases: async () => (await import("./cases/load.ts")).subjectCases(),
      driver: async ({ client }, { timeout = SILENCE_MS }) => {
        const [{ ChannelDriver }, { SubjectParty }] = await Promise.all([import("./driver/driver.ts"), import("./driver/subject.ts")]);
        return new ChannelDriver(new SubjectParty({ client, timeout }));
      },
      concurrency: 4,
      words: async () => ({
        features: Object.keys((await import("./driver/subject.ts")).SUBJECT_FEATURES),
        monitors: [],
        refusals: (await import("./vocabulary.ts")).REFUSALS,
      }),
      embedded: {
        name: "touchstone's own agent and client",
        subjects: [
          { start: async () => ({ subject: { client: (await import("./embedded/subjects.ts")).agent(false) } }) },
          {
            note: "with another shell",
            start: async () => ({ subject: { client: (await import("./embedded/subjects.ts")).agent(true) } }),
          },
          { note: "a client", start: async () => ({ subject: { client: (await import("./embedded/subjects.ts")).client } }) },
          {
            note: "an agent that notices a dead line soon",
            takes: isOfHaste,
            start: async () => ({ subject: { client: (await import("./embedded/subjects.ts")).agent(false, true) } }),
          },
          {
            note: "a client that notices a dead line soon",
            takes: isOfHaste,
            start: async () => ({ subject: { client: (await import("./embedded/subjects.ts")).hastyClient } }),
          },
        ],
      },
    }),
  },
  examples: [
    ["channel ws://127.0.0.1:8080/", "a hub, with its tokens in TOUCHSTONE_AGENT_TOKEN, …_CLIENT_TOKEN and …_WATCHER_TOKEN"],
    [
      "channel --client 'my-agent {url}'",
      "an agent whose shell prints every line that it reads, or a client that types all output that it shows",
    ],
  ],
};
