import { codecCommand } from "../harness/subject/codec-command.ts";
import { role, type Suite } from "../harness/suite.ts";

export const suite: Suite = {
  about: "pages of metrics (Prometheus text format 0.0.4, OpenMetrics 1.0), the query language and its interface",
  roles: {
    server: role({
      cases: async () => (await import("./cases/server/load.ts")).serverCases(),
      driver: async ({ url }, { timeout = 10_000, verify, reach }) =>
        new (await import("./driver/server.ts")).ServerDriver({ url, timeout, verify, reach }),
      reaching: ["fields", "place", "socket"],
      concurrency: 16,
      words: async () => {
        const { SERVER_FEATURES } = await import("./driver/server-features.ts");
        return { features: SERVER_FEATURES, monitors: [], refusals: (await import("./vocabulary.ts")).REFUSALS };
      },
      embedded: {
        name: "touchstone's own metrics server",
        subjects: [
          {
            start: async () => {
              const { url, stop } = await (await import("./embedded/server.ts")).startReference();
              return { subject: { url }, stop };
            },
          },
        ],
      },
    }),
    codec: role({
      cases: async () => (await import("./cases/codec/load.ts")).codecCases(),
      driver: async ({ codec }, { timeout = 2000 }) => new (await import("./driver/codec.ts")).CodecDriver({ command: codec, timeout }),
      concurrency: 1,
      words: async () => {
        const { CODEC_FEATURES } = await import("./driver/codec.ts");
        return { features: Object.keys(CODEC_FEATURES), monitors: [], refusals: (await import("./codec-vocabulary.ts")).REFUSALS };
      },
      embedded: {
        name: "touchstone's own codec",
        subjects: [{ start: async () => ({ subject: { codec: codecCommand("../../vectors/exposition/adapter.ts", import.meta.url) } }) }],
      },
    }),
  },
  flags: [
    {
      name: "data",
      value: "<file>",
      about:
        "write the data set that the queries are about as a page of OpenMetrics, or as a data directory if the path ends with /, and exit",
      instead: async (path) => (await import("./data/write.ts")).writeData(path),
    },
  ],
  examples: [
    ["metrics --codec './my-reader'", "pages of metrics, in the text format and in OpenMetrics"],
    ["metrics http://127.0.0.1:9090/", "the query language; pushes the data set by remote write if the server accepts it"],
    ["metrics --data data.om", "the data set, for: promtool tsdb create-blocks-from openmetrics data.om DIRECTORY"],
    ["metrics --data data/", "the same as a data directory, with native histograms"],
  ],
};
