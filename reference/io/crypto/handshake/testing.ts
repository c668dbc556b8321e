import { readFileSync } from "node:fs";
import { join } from "node:path";
import { concatenated, instant, type Instant } from "../../../core/index.ts";
import {
  Client,
  Server,
  type ClientOptions,
  type Credential,
  type Event,
  type Level,
  type Machine,
  type ServerOptions,
} from "../../../tls/index.ts";
import { credentialOf, TLS_PRIMITIVES, trust } from "../../index.ts";

/** Shared by the tests of this folder: certificates, both ends with good options, and a wire between them. */

const FOLDER = join(import.meta.dirname, "certificates");
/** A certificate of `certificates/make.sh`, its key and its chain in one PEM text. */
export const pemOf = (name: string): string => readFileSync(join(FOLDER, `${name}.pem`), "utf8");
export const credential = (name: string): Credential => credentialOf({ cert: pemOf(name), key: pemOf(name) });
export const rootPem = pemOf("root");

export const T0: Instant = instant(1_000_000);
export const octets = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "latin1"));
export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

const SERVER_TRUST = trust({ of: "server", authorities: rootPem });
export const CLIENT_TRUST = trust({ of: "client", authorities: rootPem });
const P256 = credential("p256");

export const clientOptions = (change: Partial<ClientOptions> = {}): ClientOptions => ({
  primitives: TLS_PRIMITIVES,
  serverName: "localhost",
  alpn: ["h3"],
  parameters: octets("client parameters"),
  trust: SERVER_TRUST,
  ...change,
});
export const serverOptions = (change: Partial<ServerOptions> = {}): ServerOptions => ({
  primitives: TLS_PRIMITIVES,
  credentials: () => [P256],
  alpn: ["h3"],
  parameters: () => octets("server parameters"),
  ...change,
});

type Side = "client" | "server";
/** One handshake message on its way. */
export type Sent = { readonly by: Side; readonly level: Level; readonly type: number; readonly octets: Uint8Array };
/** What arrives in place of a message; undefined for nothing. */
export type Tamper = (sent: Sent) => Uint8Array | undefined;
export type Ran = { readonly client: readonly Event[]; readonly server: readonly Event[]; readonly sent: readonly Sent[] };

/** The messages in the octets of a level. */
export function messagesIn(octets: Uint8Array): readonly Uint8Array[] {
  const found: Uint8Array[] = [];
  for (let at = 0; at < octets.length;) {
    const end = at + 4 + (((octets[at + 1] ?? 0) << 16) | ((octets[at + 2] ?? 0) << 8) | (octets[at + 3] ?? 0));
    found.push(octets.subarray(at, end));
    at = end;
  }
  return found;
}

export type Wire = { readonly tamper?: Tamper; readonly cut?: (octets: Uint8Array) => readonly Uint8Array[]; readonly now?: Instant };

/** Delivers what both have to say until they are silent. */
export function connect(
  client: Machine,
  server: Machine,
  { tamper = ({ octets }) => octets, cut = (octets) => [octets], now = T0 }: Wire = {},
): Ran {
  const ends = { client, server };
  const events = { client: [...client.events()], server: [...server.events()] };
  const sent: Sent[] = [];
  const deliver = (by: Side): boolean => {
    const to = by === "client" ? "server" : "client";
    const flights = ends[by].take();
    for (const { level, octets } of flights) {
      const messages = messagesIn(octets).map((message) => ({ by, level, type: message[0] ?? 0, octets: message }));
      sent.push(...messages);
      const arrived = concatenated(messages.map(tamper).filter((message) => message !== undefined));
      for (const piece of cut(arrived)) events[to].push(...ends[to].receive(level, piece, now));
    }
    return flights.length > 0;
  };
  while (deliver("client") || deliver("server"));
  return { ...events, sent };
}

type Options = { readonly client?: Partial<ClientOptions>; readonly server?: Partial<ServerOptions> };
/** One handshake of our two ends. */
export function shake({ client, server }: Options = {}, wire: Wire = {}): Ran {
  const now = wire.now ?? T0;
  return connect(new Client(clientOptions(client), now), new Server(serverOptions(server), now), wire);
}

export const find = <Name extends Event["is"]>(events: readonly Event[], is: Name): Extract<Event, { is: Name }> | undefined =>
  events.find((event): event is Extract<Event, { is: Name }> => event.is === is);
export const all = <Name extends Event["is"]>(events: readonly Event[], is: Name): readonly Extract<Event, { is: Name }>[] =>
  events.filter((event): event is Extract<Event, { is: Name }> => event.is === is);
/** The name of the fault that ended it, if one did. */
export const faultOf = (events: readonly Event[]): string | undefined => find(events, "closed")?.fault.name;
/** The secrets of one end, so that those of the other are compared with it. */
export const secretsOf = (events: readonly Event[], direction: "read" | "write"): readonly string[] =>
  all(events, "secret")
    .filter((one) => one.direction === direction)
    .map(({ level, suite, secret }) => `${level} ${suite} ${hex(secret)}`);
