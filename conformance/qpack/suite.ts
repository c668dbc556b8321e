import { codecCommand } from "../harness/subject/codec-command.ts";
import { role, type Suite } from "../harness/suite.ts";

export const suite: Suite = {
  about: "QPACK (RFC 9204)",
  roles: {
    codec: role({
      cases: async () => (await import("./cases/load.ts")).loadCases(),
      driver: async ({ codec }, { timeout = 2000 }) => new (await import("./driver/codec.ts")).CodecDriver({ command: codec, timeout }),
      concurrency: 1,
      words: async () => ({
        features: ["decode", "encode", "table", "never-indexed"],
        monitors: [],
        refusals: (await import("./vocabulary.ts")).REFUSALS,
      }),
      embedded: {
        name: "touchstone's own codec",
        subjects: [{ start: async () => ({ subject: { codec: codecCommand("embedded/adapter.ts", import.meta.url) } }) }],
      },
    }),
  },
  examples: [["qpack --codec './my-codec --json-lines'"]],
};
