import { InvalidArgumentError, Option, type Command } from "commander";
import { wholeNumber } from "../../../../options.ts";
import type { AnyDialectName } from "../../../rpc/index.ts";
import { several } from "../../cli/listening.ts";

/** The options of every command that calls a server. */
export type TargetOptions = {
  readonly proto: readonly string[];
  readonly protoPath: readonly string[];
  readonly header: readonly string[];
  readonly dialect?: AnyDialectName;
  readonly deadline?: number;
  readonly maxMessage?: number;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly insecure?: true;
  readonly servername?: string;
  readonly http3?: true;
  readonly verbose?: true;
};

/** Adds them. */
export function targetOptions(command: Command): Command {
  return command
    .option("--proto <file>", "a contract; by default the server is asked for it by reflection; repeatable", several, [])
    .option("-I, --proto-path <folder>", "where contracts and their imports are looked for; repeatable", several, [])
    .option("-H, --header <name:value>", "metadata; the value of a name that ends in -bin is Base64; repeatable", several, [])
    .addOption(
      new Option("--dialect <name>", "the names on the wire; by default a request finds out whether rpc or grpc").choices([
        "rpc",
        "grpc",
        "grpc-web",
        "connect",
      ]),
    )
    .option("--deadline <seconds>", "how long the call may take, 1.5 for example", seconds)
    .option("--max-message <octets>", "the longest message to receive; 4194304 by default", wholeNumber(0, 0x7fff_ffff))
    .option("--ca <file>", "the authorities that the server's certificate may come from, in PEM")
    .option("--cert <file>", "the certificate to show, in PEM")
    .option("--key <file>", "the key of that certificate in PEM")
    .option("--insecure", "accept any certificate")
    .option("--servername <name>", "the name that the certificate must have, if that is not the host")
    .option("--http3", "call over HTTP/3; the address begins with https:")
    .option("-v, --verbose", "print metadata, trailers and times on standard error");
}

function seconds(text: string): number {
  const value = Number(text);
  if (!(value >= 0) || text.trim() === "") throw new InvalidArgumentError("Give seconds, such as 1.5.");
  return value * 1_000;
}
