import { role, type Suite } from "../../../conformance/harness/suite.ts";
import { toyCases } from "./cases.ts";
import { codecCommand } from "../../../conformance/harness/subject/codec-command.ts";
import { toClient, toCodec, toServer, ToyDriver, throughProxy } from "./driver.ts";
import { answerTo, exchange, listen, passOn } from "./protocol.ts";

const words = async () => ({ features: [], monitors: [], refusals: ["error"] });
const client = async (url: string): Promise<void> => {
  if ((await exchange(url, "ping 7")) !== "pong 7") throw new Error("another answer");
};

/** A suite in one folder, to show that nothing else must change for one. */
export const suite: Suite = {
  about: "a toy that answers ping",
  roles: {
    server: role({
      cases: async () => toyCases("server"),
      driver: async ({ url }) => new ToyDriver("server", toServer(url)),
      concurrency: 2,
      words,
      embedded: {
        name: "the toy's server",
        subjects: [
          {
            start: async () => {
              const { url, stop } = await listen(answerTo);
              return { subject: { url }, stop };
            },
          },
        ],
      },
    }),
    client: role({
      cases: async () => toyCases("client"),
      driver: async (subject) => new ToyDriver("client", toClient(subject)),
      concurrency: 1,
      words,
      embedded: { name: "the toy's client", subjects: [{ start: async () => ({ subject: { client } }) }] },
    }),
    proxy: role({
      cases: async () => toyCases("proxy"),
      driver: async (subject) => new ToyDriver("proxy", await throughProxy(subject)),
      concurrency: 1,
      words,
      embedded: { name: "the toy's proxy", subjects: [{ start: async () => ({ subject: { proxy: passOn } }) }] },
    }),
    codec: role({
      cases: async () => toyCases("codec"),
      driver: async ({ codec }) => new ToyDriver("codec", toCodec(codec)),
      concurrency: 1,
      words,
      embedded: {
        name: "the toy's codec",
        subjects: [{ start: async () => ({ subject: { codec: codecCommand("subject.ts", import.meta.url) } }) }],
      },
    }),
  },
  flags: [{ name: "loud", value: "<n>", about: "how loud" }],
  examples: [["toy toy://127.0.0.1:7", "a server that answers ping"]],
  crosscheck: async () => ({
    tool: "toyspec",
    map: { "1": { "answers ping": ["toy/server-accepts-a-good-line"] } },
    find: (given) => given ?? "toyspec",
    version: async () => "1",
    run: async (_program, url) => [
      { section: "1", title: "answers ping", verdict: (await exchange(url, "ping 1")) === "pong 1" ? "pass" : "fail", detail: "" },
    ],
  }),
};
