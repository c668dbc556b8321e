import type { Command } from "commander";
import { several } from "../../cli/listening.ts";
import type { CallCommandOptions } from "./call.ts";
import type { DescribeOptions } from "./explore.ts";
import { targetOptions, type TargetOptions } from "./target-options.ts";

const EXIT_STATUSES = `
Exit status: 0 the call succeeded, 2 the command, its messages or the contract were wrong, 3 the server could not be reached,
64 and the number of the status if the call failed: 69 for NOT_FOUND.`;

/** Declares `touchstone rpc call`. */
export function callCommand(command: Command): void {
  targetOptions(command)
    .argument("<url>", "http: or https:, or host:port for clear text")
    .argument("<method>", "package.Service/Method")
    .option("-d, --data <json>", "messages in proto3 JSON; @ reads standard input, @FILE a file; repeatable; empty by default", several, [])
    .option("-c, --compact", "print each response in one line")
    .option("--encoding <name>", "compress messages: gzip, deflate, zstd")
    .addHelpText(
      "after",
      `
Examples:
  touchstone rpc call http://127.0.0.1:8080 touchstone.echo.v1.Echo/Unary --data '{"text":"hello"}'
  touchstone rpc call https://localhost:8443 --insecure -H 'authorization: Bearer x' shop.v1.Shop/Watch -v
  seq 3 | sed 's/.*/{"number":&}/' | touchstone rpc call 127.0.0.1:8080 touchstone.echo.v1.Echo/Chat --data @
  touchstone rpc call 127.0.0.1:8080 --proto shop.proto -I contracts shop.v1.Shop/Place --data @order.json

Messages of a stream follow one another, with or without line breaks between them, and are sent as they are read.
${EXIT_STATUSES}`,
    )
    .action(async (url: string, method: string, options: CallCommandOptions) =>
      ends(async () => (await import("./call.ts")).call(url, method, options)),
    );
}

/** Declares `touchstone rpc list`. */
export function listCommand(command: Command): void {
  targetOptions(command)
    .argument("<url>", "http: or https:, or host:port for clear text")
    .argument("[service]", "print its methods; by default all services are printed")
    .addHelpText("after", EXIT_STATUSES)
    .action(async (url: string, service: string | undefined, options: TargetOptions) =>
      ends(async () => (await import("./explore.ts")).list(url, service, options)),
    );
}

/** Declares `touchstone rpc describe`. */
export function describeCommand(command: Command): void {
  targetOptions(command)
    .argument("<url>", "http: or https:, or host:port for clear text")
    .argument("[symbol]", "a service, a method, a message, a field or an enum; by default all services are described")
    .option("--template", "print the message, or the request of the method, as JSON to fill in")
    .addHelpText("after", EXIT_STATUSES)
    .action(async (url: string, symbol: string | undefined, options: DescribeOptions) =>
      ends(async () => (await import("./explore.ts")).describe(url, symbol, options)),
    );
}

async function ends(run: () => Promise<number>): Promise<void> {
  process.exitCode = await run();
}
