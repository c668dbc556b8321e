import { Misuse } from "../../core/index.ts";
import {
  certificateOf,
  credentialOf,
  entryFor,
  now,
  TLS_PRIMITIVES,
  trust,
  withMaterial,
  type ClientTls,
  type HostTls,
  type ServerTls,
} from "../../io/index.ts";
import { Client, Server, type Event, type Machine, type Trust } from "../../tls/index.ts";

/** Handshakes of TLS 1.3 with the options that all versions have (rfc9001). */

/** The name of HTTP/3 in ALPN (rfc9114#3.1). */
const ALPN = ["h3"];

/** What a handshake has agreed on. */
export type Agreed = {
  suite: string;
  serverName: string | undefined;
  resumed: boolean;
  chain: readonly Uint8Array[];
  /** Why the chain of the client is not trusted. */
  problem: string | undefined;
};

/** A handshake whose outcome is noted. */
function noted(machine: Machine, agreed: Agreed): Machine {
  const note = (events: readonly Event[]): readonly Event[] => {
    for (const event of events) {
      if (event.is === "peerCertificate") agreed.chain = event.chain;
      if (event.is === "complete") Object.assign(agreed, { suite: event.suite, serverName: event.serverName, resumed: event.resumed });
    }
    return events;
  };
  return {
    receive: (level, octets, at) => note(machine.receive(level, octets, at)),
    events: () => note(machine.events()),
    take: () => machine.take(),
    exported: (label, context, length) => machine.exported(label, context, length),
  };
}

const joined = (pem: string | readonly string[]): string => (typeof pem === "string" ? pem : pem.join("\n"));

/** Makes the handshakes of one server. */
export async function serverHandshakes(tls: ServerTls): Promise<(parameters: Uint8Array) => { handshake: Machine; agreed: Agreed }> {
  const { hosts = {}, ca, clientCertificate = ca === undefined ? undefined : "require" } = tls;
  if (clientCertificate !== undefined && ca === undefined) throw new Misuse("tls.clientCertificate needs tls.ca, the authorities in PEM");
  for (const host of [tls, ...Object.values<HostTls>(hosts)])
    if (host.renew !== undefined || (host !== tls && host.ca !== undefined))
      throw new Misuse("HTTP/3 does not support `tls.renew`, nor client certificates for one of `tls.hosts` alone");
  const common = await certificateOf(tls);
  const own = withMaterial(() => credentialOf(common));
  const byName = new Map(
    Object.entries(hosts).map(([name, { cert, key }]) => {
      const host = cert === undefined || key === undefined ? own : withMaterial(() => credentialOf({ cert, key }));
      return [name, host] as const;
    }),
  );
  const judge = ca === undefined ? undefined : trust({ of: "client", authorities: joined(ca) });
  return (parameters) => {
    const agreed: Agreed = { suite: "", serverName: undefined, resumed: false, chain: [], problem: undefined };
    const judging: Trust | undefined = judge && {
      check: (chain, name) => {
        agreed.problem = judge.check(chain, name);
        return clientCertificate === "require" ? judge.check(chain, name) : undefined;
      },
    };
    const server = new Server(
      {
        primitives: TLS_PRIMITIVES,
        credentials: (name) => [byName.get(entryFor(name, byName) ?? "") ?? own],
        alpn: ALPN,
        parameters: () => parameters,
        ...(judging !== undefined && { clients: { trust: judging, required: clientCertificate === "require" } }),
      },
      now(),
    );
    return { handshake: noted(server, agreed), agreed };
  };
}

/** Makes the handshakes of one client. */
export function clientHandshakes({
  ca,
  verify = true,
  servername,
  cert,
  key,
}: ClientTls): (host: string) => (parameters: Uint8Array) => Machine {
  // The authorities of the system are many: they are read once, and only if they are needed.
  let judge: Trust | undefined;
  const judgeOf = (): Trust =>
    verify ? trust({ of: "server", ...(ca !== undefined && { authorities: joined(ca) }) }) : { check: () => undefined };
  const credentials = cert === undefined || key === undefined ? [] : [withMaterial(() => credentialOf({ cert, key }))];
  return (host) => (parameters) =>
    new Client(
      {
        primitives: TLS_PRIMITIVES,
        serverName: servername ?? host,
        alpn: ALPN,
        parameters,
        trust: (judge ??= judgeOf()),
        credentials,
      },
      now(),
    );
}
