import type { Command } from "commander";
import { CONSENT } from "../consent.ts";
import { readShard } from "../conformance/harness/shard.ts";
import type { Shard } from "../conformance/harness/result.ts";
import { wholeNumber } from "../options.ts";
import type { FuzzRegistry } from "./lib/suite.ts";

export type FuzzOptions = {
  readonly seed?: number;
  readonly seeds: number;
  readonly seconds: number;
  readonly cpuSeconds?: number;
  readonly executions: number;
  readonly shard?: Shard;
  readonly blind?: true;
  readonly corpus?: string;
  readonly replay?: string;
  readonly list?: true;
  readonly json?: true;
  readonly publish?: true;
  readonly cert?: string;
  readonly key?: string;
  readonly iOperateThisTarget?: boolean;
};

/** `touchstone fuzz`: fuzzes the code of this project guided by coverage, or a peer over the network. */
export function fuzzCommand(command: Command, registry: FuzzRegistry, suites: readonly string[]): void {
  command
    .argument("[target]", `a target such as "hpack/decoder" (default: all), or with a URL a suite: ${suites.join(", ")}`)
    .argument("[url]", "fuzz the peer at this URL")
    .option("--seed <n>", "random seed; the same seed tries the same inputs", wholeNumber(0, 9_999_999_999))
    .option("--seconds <n>", "stop a target after this time", wholeNumber(0, 9_999_999), 10)
    .option(
      "--cpu-seconds <n>",
      "stop a target after this much CPU time instead: a busy machine changes nothing",
      wholeNumber(1, 9_999_999),
    )
    .option("--seeds <n>", "run each target so many times, each time with a seed of its own", wholeNumber(1, 9_999), 1)
    .option("--executions <n>", "stop a target after this many inputs", wholeNumber(0, 9_999_999_999), 100_000_000)
    .option(
      "--shard <part>",
      "one part of the runs, a run being a target and its seed: 2/4 is the second of four; with a URL, a seed of its own for each part",
      (text: string) => readShard(text),
    )
    .option("--blind", "search without coverage guidance")
    .option("--corpus <folder>", "keep inputs that reach new branches here (fuzz/corpus in a checkout)")
    .option("--replay <file>", "run only this input")
    .option("--cert <file>", "our certificate in PEM, for a peer that requires one")
    .option("--key <file>", "the key of that certificate in PEM")
    .option(CONSENT, "allow a peer that is not this machine")
    .option("--list", "list the targets")
    .option("--json", "print results as JSON, one line per target")
    .option("--publish", "add the time that each target held to the table in reports/published (in a checkout)")
    .addHelpText(
      "after",
      `
Examples:
  touchstone fuzz                                          every target of this project, ten seconds each
  touchstone fuzz hpack/decoder --seconds 60 --seed 7
  touchstone fuzz hpack/decoder --replay failing.bin
  touchstone fuzz --shard 2/4 --corpus mine                one machine of four; touchstone merge joins their corpora
  touchstone fuzz http2 http://127.0.0.1:8080 --seed 7     send generated frames to your server
  touchstone fuzz http3 https://127.0.0.1:8443/            the same over HTTP/3
  touchstone fuzz http1 http://127.0.0.1:8080/echo         send generated requests
  touchstone fuzz websocket ws://127.0.0.1:9001/           send frames to any endpoint, after an opening handshake
  touchstone fuzz rpc http://127.0.0.1:50051/              make calls to the service of vectors/rpc/conformance.proto
  touchstone fuzz metrics http://127.0.0.1:9090/           ask queries, and write to a receiver of remote write
`,
    )
    .action(async (name: string | undefined, url: string | undefined, options: FuzzOptions) => {
      const { runFuzz } = await import("./act.ts");
      process.exitCode = await runFuzz({ registry, suites, name, url, options });
    });
}
