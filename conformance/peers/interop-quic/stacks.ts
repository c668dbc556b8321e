import { join } from "node:path";
import { environment, peer, versionOf } from "../index.ts";
import type { ScenarioName } from "./scenarios.ts";

/** The implementations of QUIC and HTTP/3 that meet each other, and how each is started. */

export type ServerSetup = {
  readonly scenario: ScenarioName;
  readonly port: number;
  readonly cert: string;
  readonly key: string;
  readonly root: string;
  readonly dir: string;
};
export type ClientSetup = {
  readonly scenario: ScenarioName;
  readonly port: number;
  readonly urls: readonly string[];
  readonly downloads: string;
  readonly dir: string;
};
type Command = readonly string[];
export type Stack = {
  readonly name: string;
  /** What is needed to run it. */
  readonly install: string;
  /** Undefined if it is not installed. */
  readonly version: () => Promise<string | undefined>;
  readonly build?: Command;
  /** Files beside its program, by name. */
  readonly server?: (setup: ServerSetup) => Command;
  readonly client?: (setup: ClientSetup) => Command;
  /** What cannot be asked of it, and why; `both` concerns both sides. */
  readonly cannot: Readonly<Partial<Record<"server" | "client" | "both", Partial<Record<ScenarioName, string>>>>>;
};

const HERE = import.meta.dirname;
const NODE = [process.execPath, "--disable-warning=ExperimentalWarning"];
const PYTHON = join(HERE, "..", "websockets", "python.sh");
const GO = join(process.env["TMPDIR"] ?? "/tmp", `touchstone-peers-${process.getuid?.() ?? 0}`, "touchstone-quic-go-interop");
const NO_COMPATIBLE = "it does not change the version within a connection (RFC 9368)";

/** The options of `gtlsclient` for a scenario. */
function ngtcp2Options({ scenario, dir, downloads }: ClientSetup): string {
  const options = ["-q", "--exit-on-all-streams-close", `--download=${downloads}`, "--handshake-timeout=20s", "--timeout=60s"];
  if (scenario === "transfer")
    options.push("--max-data=128K", "--max-stream-data-bidi-local=64K", "--max-window=128K", "--max-stream-window=64K");
  if (scenario === "chacha20") options.push("--ciphers=NORMAL:-VERS-ALL:+VERS-TLS1.3:-CIPHER-ALL:+CHACHA20-POLY1305");
  if (scenario === "keyupdate") options.push("--key-update=100ms");
  if (scenario === "resumption" || scenario === "zerortt") options.push(`--session-file=${join(dir, "session")}`);
  if (scenario === "resumption") options.push("--disable-early-data");
  if (scenario === "zerortt") options.push(`--tp-file=${join(dir, "parameters")}`);
  return options.join(" ");
}
function ngtcp2Client(setup: ClientSetup): Command {
  const { scenario, port, urls } = setup;
  const run = (these: readonly string[]): string => `gtlsclient ${ngtcp2Options(setup)} 127.0.0.1 ${port} ${these.join(" ")}`;
  const isApart = scenario === "handshakeloss" || scenario === "handshakecorruption";
  const isTwice = scenario === "resumption" || scenario === "zerortt";
  const runs = isApart ? urls.map((url) => [url]) : isTwice ? [urls.slice(0, 1), urls.slice(1)] : [urls];
  return ["sh", "-ec", runs.map(run).join("\n")];
}

const caddyfile = ({ port, cert, key, root }: ServerSetup): string =>
  [
    "{",
    "admin off",
    "auto_https off",
    "servers {",
    "protocols h1 h2 h3",
    "}",
    "log {",
    "output discard",
    "}",
    "}",
    `https://127.0.0.1:${port} {`,
    "bind 127.0.0.1",
    `tls ${cert} ${key}`,
    `root * ${root}`,
    "file_server",
    "}",
  ].join("\n");

export const STACKS: readonly Stack[] = [
  {
    name: "touchstone",
    install: "comes with this package",
    version: () => versionOf(peer("touchstone")),
    server: ({ scenario, port, cert, key, root }) => [
      ...NODE,
      join(HERE, "touchstone", "server.ts"),
      scenario,
      String(port),
      cert,
      key,
      root,
    ],
    client: ({ scenario, urls, downloads }) => [...NODE, join(HERE, "touchstone", "client.ts"), scenario, downloads, ...urls],
    cannot: { both: { v2: NO_COMPATIBLE } },
  },
  {
    name: "quic-go",
    install: "Go 1.26 or newer",
    version: () => versionOf(peer("quic-go")),
    build: ["go", "build", "-C", join(HERE, "quic-go"), "-o", GO, "."],
    server: ({ scenario, port, cert, key, root }) => [
      GO,
      "-port",
      String(port),
      "-cert",
      cert,
      "-key",
      key,
      "-root",
      root,
      "-scenario",
      scenario,
    ],
    client: ({ scenario, urls, downloads }) => [GO, "-scenario", scenario, "-downloads", downloads, ...urls],
    cannot: {
      both: { v2: NO_COMPATIBLE },
      client: { chacha20: "Go has no option for the suites of TLS 1.3", keyupdate: "it has no option for the time of a key update" },
    },
  },
  {
    name: "aioquic",
    install: "bash ci/peers.sh",
    version: () => versionOf(peer("aioquic")),
    server: ({ scenario, port, cert, key, root }) => [PYTHON, join(HERE, "aioquic", "server.py"), scenario, String(port), cert, key, root],
    client: ({ scenario, urls, downloads }) => [PYTHON, join(HERE, "aioquic", "client.py"), scenario, downloads, ...urls],
    cannot: {},
  },
  {
    name: "ngtcp2",
    install: "apt-get install ngtcp2-server ngtcp2-client",
    version: () =>
      versionOf({
        name: "ngtcp2",
        about: "",
        install: "",
        speaks: {},
        here: HERE,
        version: { command: ["dpkg-query", "-W", "-f", "${Version}", "ngtcp2-client"], pattern: "^([\\d.]+)" },
      }),
    server: ({ scenario, port, cert, key, root }) => [
      "gtlsserver",
      "-q",
      ...(scenario === "retry" ? ["-V"] : []),
      "-d",
      root,
      "127.0.0.1",
      String(port),
      key,
      cert,
    ],
    client: ngtcp2Client,
    cannot: { both: { v2: "version 0.12 knows a draft of QUIC version 2, with another number" } },
  },
  {
    name: "caddy",
    install: "bash ci/peers.sh",
    version: () => versionOf(peer("caddy")),
    server: (setup) => [
      "sh",
      "-c",
      `cat > "$0" <<'END'\n${caddyfile(setup)}\nEND\nexec caddy run --config "$0" --adapter caddyfile`,
      join(setup.dir, "Caddyfile"),
    ],
    cannot: { server: { retry: "it has no option for Retry", v2: NO_COMPATIBLE } },
  },
];

export const ENVIRONMENT = environment();
