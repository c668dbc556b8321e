import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** How a third-party implementation is installed, started and asked for its version: one folder each, `peer.json` inside. */
export type Peer = {
  readonly name: string;
  readonly about: string;
  /** What to type, or where to look, when it is not here. */
  readonly install: string;
  /** A command that prints the version, and the expression whose first group is it. */
  readonly version: { readonly command: readonly string[]; readonly pattern: string };
  /** How it is started, by the suite that can judge it. What its server must do is in the README of the suites. */
  readonly speaks: Readonly<Record<string, Roles>>;
  /** The folder of `peer.json`. */
  readonly here: string;
};

/** The roles of a peer in one protocol. */
export type Roles = {
  readonly server?: ServerSpec;
  readonly client?: ClientSpec;
  /** A reverse proxy that forwards everything to `{origin}` (host and port; `{originPort}` alone), where the harness listens; at `{http2Port}` it speaks HTTP/2. */
  readonly proxy?: ServerSpec;
};
export type ServerSpec = {
  /** Run once before the first start; its product is kept in `{cache}`. */
  readonly build?: readonly string[];
  /** Templates beside `peer.json`, filled into `{dir}`: `#tls ` and `#clear ` at the start of a line keep it for one transport. */
  readonly files?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly clear?: readonly string[];
  readonly tls?: readonly string[];
};
export type ClientSpec = {
  readonly build?: readonly string[];
  /** For `check --client`; `{url}` stays for the harness to fill. */
  readonly command: string;
  /** Speaks HTTP/2 over TLS only. */
  readonly tls?: boolean;
};

const HERE = dirname(fileURLToPath(import.meta.url));

/** Every peer of a folder, by name; by default those that come with this project. */
export function allPeers(folder = HERE): Peer[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => {
      const here = join(folder, entry.name);
      return { ...(JSON.parse(readFileSync(join(here, "peer.json"), "utf8")) as Omit<Peer, "here">), here };
    })
    .sort((a, b) => a.name.localeCompare(b.name));
}

export function peer(name: string): Peer {
  const found = allPeers().find((p) => p.name === name);
  if (found === undefined)
    throw new Error(
      `There is no peer "${name}". Known: ${allPeers()
        .map((p) => p.name)
        .join(", ")}.`,
    );
  return found;
}

/** Where servers are usually installed and a user's PATH often does not look. */
export const environment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: `${process.env["PATH"] ?? ""}:/usr/sbin:/usr/local/sbin:/usr/local/go/bin`,
});

/** Fills `{name}` in a word; an unknown name stays as it is. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);

export const fixedValues = (p: Peer): Record<string, string> => ({
  here: p.here,
  node: process.execPath,
  package: join(HERE, "..", "..", HERE.includes(`${join("dist", "conformance")}`) ? ".." : ""),
});

/** The version of an installed peer, or undefined when it is not here (or does not say). */
export async function versionOf(p: Peer): Promise<string | undefined> {
  const [command = "", ...args] = p.version.command.map((word) => fill(word, fixedValues(p)));
  try {
    const { stdout, stderr } = await promisify(execFile)(command, args, { env: environment(), timeout: 10_000 });
    return new RegExp(p.version.pattern).exec(`${stdout}\n${stderr}`)?.[1];
  } catch {
    // Not installed, or broken: either way not to be had.
    return undefined;
  }
}
