import { readFileSync } from "node:fs";
import { Option, type Command } from "commander";
import { wholeNumber } from "../../../options.ts";
import type { ServerTls } from "../../io/index.ts";
import type { Server } from "../server/options.ts";

/** The options that the commands of `touchstone serve` share. */
export type Listening = {
  readonly port: number;
  readonly host: string;
  readonly tls?: true;
  readonly cert?: string;
  readonly key?: string;
  readonly clientCa?: string;
  readonly clientCertificate?: "request" | "require";
  readonly json?: true;
};

/** Adds the options of `Listening`; without `certificate`, TLS always uses a self-signed one. */
export function listeningOptions(
  command: Command,
  { certificate = true, json = "print the address as one line of JSON" }: { readonly certificate?: boolean; readonly json?: string } = {},
): Command {
  command
    .addOption(new Option("--port <port>", "0 selects any free port").default(0).argParser(wholeNumber(0, 65_535)))
    .option("--host <address>", "address to listen on; by default only this machine can connect", "127.0.0.1");
  if (certificate) {
    command
      .option("--tls", "TLS with ALPN; without --cert and --key the certificate is self-signed")
      .option("--cert <file>", "the certificate in PEM")
      .option("--key <file>", "the key of the certificate in PEM")
      .option("--client-ca <file>", "the authorities of client certificates in PEM; a client without a valid one is refused")
      .addOption(
        new Option("--client-certificate <how>", "whether clients need one: with request, all are served").choices(["request", "require"]),
      );
  } else command.option("--tls", "TLS with a self-signed certificate");
  return command.option("--json", json);
}

/** Collects the values of a repeatable option. */
export const several = (text: string, before: readonly string[]): string[] => [...before, text];

/** The requested TLS, with its files read. Throws if one is missing. */
export function tlsOf({ tls, cert, key, clientCa, clientCertificate }: Listening): { readonly tls?: boolean | ServerTls } {
  const own = certificateIn(cert, key, "--cert and --key");
  if (clientCertificate !== undefined && clientCa === undefined) throw new Error("--client-certificate needs --client-ca FILE.");
  if (own === undefined && clientCa === undefined) return tls === true ? { tls: true } : {};
  return {
    tls: { ...own, ...(clientCa !== undefined && { ca: pem(clientCa) }), ...(clientCertificate !== undefined && { clientCertificate }) },
  };
}

/** A certificate and its key in files, which `flags` name; undefined without both. */
export function certificateIn(cert: string | undefined, key: string | undefined, flags: string): { cert: string; key: string } | undefined {
  if ((cert === undefined) !== (key === undefined)) throw new Error(`${flags} go together: give both.`);
  return cert !== undefined && key !== undefined ? { cert: pem(cert), key: pem(key) } : undefined;
}

/** Reads a file in PEM. */
export function pem(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Error(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}): give a file in PEM`, { cause: error });
  }
}

/** Prints a server's address as text, or as one line of JSON that includes `more`. */
export function announce(
  { url, address, port }: Pick<Server, "url" | "address" | "port">,
  json: boolean | undefined,
  more: Readonly<Record<string, string>> = {},
  words = `Listening at ${url}`,
): void {
  console.log(json === true ? JSON.stringify({ url, host: address, port, pid: process.pid, ...more }) : words);
}

/** Closes gracefully on SIGTERM and SIGINT. */
export function onStop(close: () => unknown): void {
  const stop = (): void => void close();
  process.once("SIGTERM", stop).once("SIGINT", stop);
}

/** Reports a wrong command, with exit status 2. */
export function refuse(command: string, why: string): void {
  console.error(`touchstone ${command}: ${why}`);
  process.exitCode = 2;
}

/** The host and port of `--web.listen-address`, or of `--host` and `--port`. `:9090` is any address. */
export function placeOf({ host, port }: Pick<Listening, "host" | "port">, address: string | undefined): Pick<Listening, "host" | "port"> {
  if (address === undefined) return { host, port };
  const [, bracketed, plain, digits = ""] = /^(?:\[([^\]]+)\]|([^:]*)):(\d{1,5})$/.exec(address) ?? [];
  if (digits === "" || Number(digits) > 65_535)
    throw new Error(`--web.listen-address "${address}" is not a host with a port: write 127.0.0.1:9090 or :9090`);
  return { host: bracketed ?? (plain || "0.0.0.0"), port: Number(digits) };
}
