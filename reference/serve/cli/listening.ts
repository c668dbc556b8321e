import { readFileSync } from "node:fs";
import { InvalidArgumentError, Option, type Command } from "commander";
import type { ServerTls } from "../../io/index.ts";
import type { Server } from "../server/options.ts";

/** What the commands of `touchstone serve` have in common: where they listen, how they say so, and how they end. */
export type Listening = {
  readonly port: number;
  readonly host: string;
  readonly tls?: true;
  readonly cert?: string;
  readonly key?: string;
  readonly json?: true;
};

/** Adds the options of `Listening`; without `certificate`, none can be given, and that of TLS signs itself. */
export function listeningOptions(
  command: Command,
  { certificate = true, json = "print the address as one line of JSON" }: { readonly certificate?: boolean; readonly json?: string } = {},
): Command {
  command
    .addOption(new Option("--port <port>", "0 for any free one").default(0).argParser(whole(0, 65_535)))
    .option("--host <address>", "where to listen; the default can be reached from this machine alone", "127.0.0.1");
  if (certificate) {
    command
      .option("--tls", "TLS with ALPN; without --cert and --key the certificate signs itself")
      .option("--cert <file>", "certificate in PEM")
      .option("--key <file>", "its key in PEM");
  } else command.option("--tls", "TLS, with a certificate that signs itself");
  return command.option("--json", json);
}

/** Reads an option that is a whole number, in decimal digits. */
export const whole =
  (least: number, most: number) =>
  (text: string): number => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Give a number from ${least} to ${most}.`);
  };

/** Gathers an option that may be given again. */
export const several = (text: string, before: readonly string[]): string[] => [...before, text];

/** The TLS that is asked for, its files read. Throws where one is missing. */
export function tlsOf({ tls, cert, key }: Listening): { readonly tls?: boolean | ServerTls } {
  if ((cert === undefined) !== (key === undefined)) throw new Error("--cert and --key go together: give both.");
  if (cert !== undefined && key !== undefined) return { tls: { cert: pem(cert), key: pem(key) } };
  return tls === true ? { tls: true } : {};
}

function pem(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Error(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}): give a file in PEM`, { cause: error });
  }
}

/** Prints where a server listens: in words, or as one line of JSON, with `more` in it. */
export function announce(
  { url, address, port }: Pick<Server, "url" | "address" | "port">,
  json: boolean | undefined,
  more: Readonly<Record<string, string>> = {},
  words = `Listening at ${url}`,
): void {
  console.log(json === true ? JSON.stringify({ url, host: address, port, pid: process.pid, ...more }) : words);
}

/** Ends well when the process is told to. */
export function onStop(close: () => unknown): void {
  const stop = (): void => void close();
  process.once("SIGTERM", stop).once("SIGINT", stop);
}

/** Says why a command of `touchstone serve` is wrong: status 2. */
export function refuse(command: string, why: string): void {
  console.error(`touchstone ${command}: ${why}`);
  process.exitCode = 2;
}
