import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** The `peer.json` of a third-party implementation: how to install it, how to start it, how to find its version. */
export type Peer = {
  readonly name: string;
  readonly about: string;
  /** How to install it: a command or a hint. */
  readonly install: string;
  /** A command that prints the version, and the regular expression whose first group matches it. */
  readonly version: { readonly command: readonly string[]; readonly pattern: string };
  /** How to start it, by suite. Each suite's README says what its server must do. */
  readonly speaks: Readonly<Record<string, Roles>>;
  /** The folder of `peer.json`. */
  readonly here: string;
};

/** The roles of a peer in one protocol. */
export type Roles = {
  readonly server?: ServerSpec;
  readonly client?: ClientSpec;
  /** A reverse proxy that forwards everything to the harness at `{origin}` (host and port; `{originPort}` is the port alone). At `{http2Port}` it speaks HTTP/2. */
  readonly proxy?: ServerSpec;
};
export type ServerSpec = {
  /** The dialects that it speaks, of a suite with several. */
  readonly dialects?: readonly string[];
  /** A command to run once, before the first start; its output stays in `{cache}`. */
  readonly build?: readonly string[];
  /** The command for `check --server`, for a suite that starts its servers; the harness fills `{config}`, `{dir}` and `{port}`. */
  readonly command?: string;
  /** Templates beside `peer.json`, filled and written to `{dir}`. A line that starts with `#tls ` or `#clear ` is for that transport alone. */
  readonly files?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly clear?: readonly string[];
  readonly tls?: readonly string[];
};
export type ClientSpec = {
  /** The dialects that it speaks, of a suite with several. */
  readonly dialects?: readonly string[];
  readonly build?: readonly string[];
  /** The command for `check --client`; the harness fills `{url}`. */
  readonly command: string;
  /** Whether it speaks HTTP/2 over TLS only. */
  readonly tls?: boolean;
};

const HERE = dirname(fileURLToPath(import.meta.url));

/** Every peer of a folder, sorted by name; by default the peers of this project. A folder without `peer.json` holds something else. */
export function allPeers(folder = HERE): Peer[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, "peer.json")))
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

/** The environment of peers: PATH with the usual folders of servers, which a user's PATH often lacks. */
export const environment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: `${process.env["PATH"] ?? ""}:/usr/sbin:/usr/local/sbin:/usr/local/go/bin`,
});

/** Replaces each `{name}` by its value; unknown names stay. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);

export const fixedValues = (p: Peer): Record<string, string> => ({
  here: p.here,
  node: process.execPath,
  package: join(HERE, "..", "..", HERE.includes(`${join("dist", "conformance")}`) ? ".." : ""),
});

/** The version of an installed peer; undefined if it is not installed or prints no version. */
export async function versionOf(p: Peer): Promise<string | undefined> {
  const [command = "", ...args] = p.version.command.map((word) => fill(word, fixedValues(p)));
  try {
    const { stdout, stderr } = await promisify(execFile)(command, args, { env: environment(), timeout: 10_000 });
    return new RegExp(p.version.pattern).exec(`${stdout}\n${stderr}`)?.[1];
  } catch {
    // Not installed, or broken: unusable either way.
    return undefined;
  }
}
