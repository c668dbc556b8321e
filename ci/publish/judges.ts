/** How a third-party implementation is started and judged, by its role. */
import { run, type Result, type SuiteName } from "../../conformance/index.ts";
import { clientCommand, peer, serverCommand, startPeer, versionOf, type Peer } from "../../conformance/peers/index.ts";

/** The WebSocket server behind each proxy. */
const BEHIND = "ws";

/** The values of the suite's own flags. */
type Settings = Readonly<Record<string, string>>;
/** The cases to run; all of them by default. */
type Cases = { readonly only?: readonly string[] };
/** Who is in a matrix, and how each is judged. */
export type Judge = {
  readonly has: (p: Peer) => boolean;
  readonly judge: (p: Peer, cases?: Cases) => Promise<Result>;
  /** What its column is called: the peer's name by default. */
  readonly nameOf?: (p: Peer) => string;
};
const flagsOf = (settings: Settings): string =>
  Object.entries(settings)
    .map(([name, value]) => ` --${name} ${value}`)
    .join("");

const speaksDialect = ({ dialects }: { readonly dialects?: readonly string[] }, { dialect }: Settings): boolean =>
  dialect === undefined || dialects?.includes(dialect) === true;

export function servers(suite: SuiteName, transport: "clear" | "tls", settings: Settings = {}): Judge {
  return {
    has: ({ speaks }) => {
      const spec = speaks[suite]?.server;
      return spec?.[transport] !== undefined && speaksDialect(spec, settings);
    },
    judge: async (p, cases = {}) => {
      await using running = await startPeer(p, { tls: transport === "tls", protocol: suite });
      const result = await run({ suite, subject: running.url, pid: running.pid, name: p.name, settings, ...cases });
      const url = `${transport === "tls" ? "https" : "http"}://127.0.0.1:PORT/`;
      return named(result, p, running.version, `touchstone check ${suite} ${url}${flagsOf(settings)}`);
    },
  };
}

/** WebSocket servers, and reverse proxies in front of one of them, which are judged together as a client meets them. */
export function websockets(): Judge {
  const plain = servers("websocket", "clear");
  const isProxy = (p: Peer): boolean => p.speaks["websocket"]?.proxy?.clear !== undefined;
  return {
    has: (p) => plain.has(p) || isProxy(p),
    nameOf: (p) => (isProxy(p) ? `${p.name} before ${BEHIND}` : p.name),
    judge: async (p, cases = {}) => {
      if (!isProxy(p)) return plain.judge(p, cases);
      await using origin = await startPeer(peer(BEHIND), { protocol: "websocket" });
      await using running = await startPeer(p, { protocol: "websocket", origin: `127.0.0.1:${origin.port}` });
      const name = `${p.name} before ${BEHIND}`;
      const result = await run({ suite: "websocket", subject: running.url, pid: running.pid, name, ...cases });
      return named(result, { ...p, name }, `${running.version}, ${origin.version}`, "touchstone check websocket http://127.0.0.1:PORT/");
    },
  };
}

export function clients(suite: SuiteName, settings: Settings = {}): Judge {
  return {
    has: ({ speaks }) => {
      const spec = speaks[suite]?.client;
      return spec !== undefined && speaksDialect(spec, settings);
    },
    judge: async (p, cases = {}) => {
      const { command = "", tls = false } = p.speaks[suite]?.client ?? {};
      const result = await run({ suite, subject: { client: await clientCommand(p, suite) }, name: p.name, tls, settings, ...cases });
      const flags = `${tls ? " --tls" : ""}${flagsOf(settings)}`;
      return named(result, p, (await versionOf(p)) ?? "", `touchstone check ${suite} --client '${command}'${flags}`);
    },
  };
}

/** Servers that the suite starts with a configuration of its own. */
export function startedServers(suite: SuiteName): Judge {
  return {
    has: (p) => p.speaks[suite]?.server?.command !== undefined,
    judge: async (p, cases = {}) => {
      const result = await run({ suite, subject: { url: await serverCommand(p, suite) }, name: p.name, ...cases });
      return named(result, p, (await versionOf(p)) ?? "", `touchstone check ${suite} --server '${p.speaks[suite]?.server?.command}'`);
    },
  };
}

export function proxies(suite: SuiteName, settings: Settings = {}): Judge {
  return {
    has: (p) => p.speaks[suite]?.proxy?.clear !== undefined,
    judge: async (p, cases = {}) => {
      const result = await run({ suite, subject: { proxy: p.name }, name: p.name, settings, ...cases });
      return named(result, p, (await versionOf(p)) ?? "", `touchstone check ${suite} --proxy ${p.name}${flagsOf(settings)}`);
    },
  };
}

/** A result under the peer's name and version. Its command has placeholders for the paths and ports of this machine. */
const named = (result: Result, p: Peer, version: string, target: string): Result => ({
  ...result,
  subject: { ...result.subject, name: p.name, version, target },
});
