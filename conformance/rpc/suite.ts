import { codecCommand } from "../harness/subject/codec-command.ts";
import { role, type Suite } from "../harness/suite.ts";
import { dialectIn } from "./dialect.ts";

export const suite: Suite = {
  about: "RPC over HTTP/2: its wire level so far, of codecs; servers, clients and proxies follow",
  roles: {
    codec: role({
      cases: async (settings) => (await import("./cases/codec/load.ts")).codecCases(dialectIn(settings)),
      driver: async ({ codec }, { settings, timeout = 2000 }) =>
        new (await import("./driver/codec.ts")).CodecDriver({ command: codec, timeout }, dialectIn(settings)),
      concurrency: 1,
      words: async () => {
        const { CODEC_FEATURES } = await import("./driver/codec.ts");
        return { features: Object.keys(CODEC_FEATURES), monitors: [], refusals: (await import("./codec-vocabulary.ts")).REFUSALS };
      },
      embedded: {
        name: "touchstone's own codec",
        subjects: [{ start: async () => ({ subject: { codec: codecCommand("../../vectors/rpc/adapter.ts", import.meta.url) } }) }],
      },
    }),
  },
  flags: [{ name: "dialect", value: "<name>", about: "whose names fields and content types have: rpc (default) or grpc" }],
  examples: [["rpc --codec './my-codec' --dialect grpc", "messages, timeouts, statuses and metadata, without a socket"]],
};
