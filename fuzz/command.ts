import { InvalidArgumentError, type Command } from "commander";
import type { FuzzRegistry } from "./lib/suite.ts";

export type FuzzOptions = {
  readonly seed?: number;
  readonly seconds: number;
  readonly executions: number;
  readonly blind?: true;
  readonly corpus?: string;
  readonly replay?: string;
  readonly list?: true;
  readonly json?: true;
};

const whole = (text: string): number => {
  if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError("Give a whole number.");
  return Number(text);
};

/** `touchstone fuzz`: the decoders of this project guided by coverage, or somebody's peer over the network. */
export function fuzzCommand(command: Command, registry: FuzzRegistry, suites: readonly string[]): void {
  command
    .argument("[target]", `a target such as "hpack/decoder" (all by default), or a suite with a URL: ${suites.join(", ")}`)
    .argument("[url]", "fuzz the peer that listens there; loopback addresses only")
    .option("--seed <n>", "start here: the same seed tries the same inputs", whole)
    .option("--seconds <n>", "stop a target after this time", whole, 10)
    .option("--executions <n>", "stop a target after this many inputs", whole, 100_000_000)
    .option("--blind", "without guidance by coverage")
    .option("--corpus <folder>", "keep inputs that reach something new here (fuzz/corpus in a checkout)")
    .option("--replay <file>", "run this one input")
    .option("--list", "list the targets")
    .option("--json", "print results as JSON, one line a target")
    .addHelpText(
      "after",
      `
Examples:
  touchstone fuzz                                          every target of this project, ten seconds each
  touchstone fuzz hpack/decoder --seconds 60 --seed 7
  touchstone fuzz hpack/decoder --replay failing.bin
  touchstone fuzz http2 http://127.0.0.1:8080 --seed 7     frames from a grammar, sent to your server
  touchstone fuzz http1 http://127.0.0.1:8080/echo         requests from a grammar
  touchstone fuzz websocket ws://127.0.0.1:9001/           frames after an opening handshake, to any endpoint
`,
    )
    .action(async (name: string | undefined, url: string | undefined, options: FuzzOptions) => {
      const { runFuzz } = await import("./act.ts");
      process.exitCode = await runFuzz({ registry, suites, name, url, options });
    });
}
