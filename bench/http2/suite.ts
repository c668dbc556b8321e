import { type BenchSuite, serverBench } from "../lib/suite.ts";

export const suite: BenchSuite = {
  ...serverBench(() => import("./servers.ts")),
  examples: [["http2 http://127.0.0.1:8080 --against http://127.0.0.1:9090", "compare your server with another"]],
};
