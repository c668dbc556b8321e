import { type BenchSuite, serverBench } from "../lib/suite.ts";

export const suite: BenchSuite = serverBench(() => import("./servers.ts"));
