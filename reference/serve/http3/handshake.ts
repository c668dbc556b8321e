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
import {
  Client,
  EarlyGuard,
  Server,
  SUITES,
  Tickets,
  type Event,
  type Machine,
  type Session,
  type SuiteName,
  type Trust,
} from "../../tls/index.ts";

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

/** The suites of TLS 1.3 in a cipher list; all of ours if it names none. */
function suitesOf(ciphers: string | undefined): { readonly suites?: readonly SuiteName[] } {
  const named = (ciphers ?? "").split(":");
  const suites = (Object.keys(SUITES) as SuiteName[]).filter((name) => named.includes(name));
  return suites.length === 0 ? {} : { suites: suites.toSorted((a, b) => named.indexOf(a) - named.indexOf(b)) };
}

/** A handshake whose events someone sees. */
function watched(machine: Machine, see: (event: Event) => void): Machine {
  const note = (events: readonly Event[]): readonly Event[] => {
    for (const event of events) see(event);
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

/** Makes the handshakes of one server, which resumes sessions. */
export async function serverHandshakes(
  tls: ServerTls,
  takesEarly: boolean,
): Promise<(parameters: Uint8Array, version: number) => { handshake: Machine; agreed: Agreed }> {
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
  // Tickets end with the server, so what 0-RTT data relies on is the same whenever one is opened: limits and settings do not change.
  const tickets = new Tickets({ primitives: TLS_PRIMITIVES });
  const early = takesEarly ? new EarlyGuard(now()) : undefined;
  return (parameters, version) => {
    const context = Uint8Array.of(version >>> 24, version >>> 16, version >>> 8, version);
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
        ...suitesOf(tls.ciphers),
        ...(judging !== undefined && { clients: { trust: judging, required: clientCertificate === "require" } }),
        tickets: {
          lifetimeMs: tickets.lifetimeMs,
          seal: (ticket) => tickets.seal(ticket),
          open: (octets, at) => {
            const ticket = tickets.open(octets, at);
            // A session belongs to one version of QUIC (rfc9369#5).
            if (ticket === undefined || !TLS_PRIMITIVES.isEqual(ticket.context, context)) return undefined;
            // Nobody has judged the chain of the session in this connection.
            const problem = ticket.chain.length > 0 ? judge?.check(ticket.chain, undefined) : undefined;
            if (problem !== undefined && clientCertificate === "require") return undefined;
            Object.assign(agreed, { serverName: ticket.serverName, problem });
            return ticket;
          },
        },
        context,
        ...(early !== undefined && { early }),
      },
      now(),
    );
    const see = (event: Event): void => {
      if (event.is === "peerCertificate") agreed.chain = event.chain;
      // Requests in 0-RTT data come before the handshake is complete.
      if (event.is === "secret") agreed.suite = event.suite;
      if (event.is === "earlyData") agreed.resumed = event.accepted;
      if (event.is === "complete") Object.assign(agreed, { suite: event.suite, serverName: event.serverName, resumed: event.resumed });
    };
    return { handshake: watched(server, see), agreed };
  };
}

/** What one handshake of a client has of those before, and leaves for those after. */
export type Resumption = {
  readonly session: Session | undefined;
  /** Whether 0-RTT data is wanted. */
  readonly early: boolean;
  keep(session: Session): void;
};

/** Makes the handshakes of one client. */
export function clientHandshakes({
  ca,
  verify = true,
  servername,
  cert,
  key,
  ciphers,
}: ClientTls): (host: string, resumption: Resumption) => (parameters: Uint8Array) => Machine {
  // The authorities of the system are many: they are read once, and only if they are needed.
  let judge: Trust | undefined;
  const judgeOf = (): Trust =>
    verify ? trust({ of: "server", ...(ca !== undefined && { authorities: joined(ca) }) }) : { check: () => undefined };
  const credentials = cert === undefined || key === undefined ? [] : [withMaterial(() => credentialOf({ cert, key }))];
  return (host, { session, early, keep }) =>
    (parameters) => {
      const client = new Client(
        {
          primitives: TLS_PRIMITIVES,
          serverName: servername ?? host,
          alpn: ALPN,
          parameters,
          trust: (judge ??= judgeOf()),
          credentials,
          ...suitesOf(ciphers),
          ...(session !== undefined && { session, early }),
        },
        now(),
      );
      return watched(client, (event) => {
        if (event.is === "session") keep(event.session);
      });
    };
}
