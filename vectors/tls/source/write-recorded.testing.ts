import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { meet, startGo, type Met } from "../../../reference/io/crypto/handshake/peer.ts";
import { all, clientOptions, credential, find, hex, messagesIn, octets, pemOf, rootPem, T0 } from "../../../reference/io/crypto/handshake/testing.ts";
import { TLS_PRIMITIVES } from "../../../reference/io/crypto/primitives.ts";
import { Client, GROUPS, type ClientOptions, type Primitives, type Session } from "../../../reference/tls/index.ts";
import { isRetry, MESSAGES } from "../../../reference/tls/messages.ts";
import type { KeyScheduleVector } from "./kinds.ts";

/**
 * `node vectors/tls/source/write-recorded.testing.ts` records handshakes of our client with the server of Go's crypto/tls. The secrets are the
 * ones that Go reports; the shared secret is known from the private key of our client.
 */

const { peer, stop } = startGo();
const version = spawnSync("go", ["env", "GOVERSION"], { encoding: "utf8" }).stdout.trim();

type Recorded = Omit<KeyScheduleVector, "id" | "flags" | "result" | "spec" | "note">;
const LABEL = "EXPORTER-touchstone";
const CONTEXT = "context";

const NAMES = new Map<number, string>(Object.entries(MESSAGES).map(([name, type]) => [type, name]));
const nameOf = (message: Uint8Array): string =>
  message[0] === MESSAGES.ServerHello && isRetry(message.subarray(6, 38))
    ? "HelloRetryRequest"
    : (NAMES.get(message[0] ?? 0) ?? "unknown");

/** Go's words for the secrets of a direction, which is the other one for us. */
function secretsOf({ theirs, log }: Met): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { is, level, direction, octets } of theirs) {
    if (is === "secret") found[`${direction === "read" ? "client" : "server"} ${level}`] = octets ?? "";
  }
  // Its key log has the same ones again.
  for (const line of log.trim().split("\n")) {
    const secret = line.split(" ")[2] ?? "";
    if (!Object.values(found).includes(secret)) throw new Error(`the key log has another secret: ${line}`);
  }
  return found;
}

async function record(config: string, change: Partial<ClientOptions>): Promise<{ recorded: Recorded; session: Session }> {
  let shared = "";
  const primitives: Primitives = {
    ...TLS_PRIMITIVES,
    offer: (group) => {
      const share = TLS_PRIMITIVES.offer(group);
      return {
        ...share,
        secret: (other) => {
          const secret = share.secret(other);
          shared = hex(secret ?? new Uint8Array(0));
          return secret;
        },
      };
    },
  };
  const met = await meet(peer, new Client(clientOptions({ primitives, ...change }), T0), { config, ticket: true });
  const complete = find(met.ours, "complete");
  if (complete === undefined) throw new Error(`no handshake: ${JSON.stringify(met)}`);
  const { events } = await peer.ask({ on: met.id, export: LABEL });
  const wire = met.wire.flatMap(({ by, octets }) => messagesIn(octets).map((message) => ({ by, message })));
  const sessions = all(met.ours, "session").map(({ session }) => session);
  const nonces = wire.filter(({ message }) => message[0] === MESSAGES.NewSessionTicket).map(({ message }) => hex(message.subarray(13, 13 + (message[12] ?? 0))));
  const recorded: Recorded = {
    suite: complete.suite,
    ...(change.session && { psk: hex(change.session.psk) }),
    resumed: complete.resumed,
    shared,
    messages: wire.map(({ by, message }) => [by === "us" ? "client" : "server", nameOf(message), hex(message)] as const),
    secrets: secretsOf(met),
    exported: { label: LABEL, context: hex(octets(CONTEXT)), octets: events[0]?.octets ?? "" },
    sessions: sessions.map(({ psk }, at) => ({ nonce: nonces[at] ?? "", psk: hex(psk) })),
  };
  return { recorded, session: sessions[0]! };
}

async function server(name: string, change: object = {}): Promise<string> {
  await peer.ask({ config: name, server: true, protocols: ["h3"], authority: rootPem, identity: pemOf("p256"), ...change });
  return name;
}

const x25519 = { groups: ["x25519"] } as const;
const sha384 = { suites: ["TLS_AES_256_GCM_SHA384"] } as const;
const lines: unknown[] = [{ version }];
const keep = (note: string, recorded: Recorded): void => void lines.push({ note, ...recorded });

const plain = await server("plain");
const first = await record(plain, x25519);
keep("a full handshake", first.recorded);
keep("that session resumed, with 0-RTT data", (await record(plain, { ...x25519, session: first.session, early: true })).recorded);
const large = await record(plain, { ...x25519, ...sha384 });
keep("a full handshake with SHA-384", large.recorded);
keep("that session resumed with SHA-384", (await record(plain, { ...x25519, ...sha384, session: large.session })).recorded);
keep("ChaCha20-Poly1305 and P-256", (await record(plain, { suites: ["TLS_CHACHA20_POLY1305_SHA256"], groups: ["secp256r1"] })).recorded);
keep("X25519MLKEM768", (await record(plain, { groups: ["X25519MLKEM768"] })).recorded);
const retrying = await server("retrying", { groups: [GROUPS.x25519] });
const again = { groups: ["secp256r1", "x25519"], shares: ["secp256r1"] } as const;
const retried = await record(retrying, again);
keep("HelloRetryRequest", retried.recorded);
keep("a session resumed after HelloRetryRequest, its 0-RTT data refused", (await record(retrying, { ...again, session: retried.session, early: true })).recorded);
keep("HelloRetryRequest with SHA-384", (await record(retrying, { ...again, ...sha384 })).recorded);
keep("a client certificate", (await record(await server("asking", { clients: true }), { ...x25519, credentials: [credential("client")] })).recorded);
keep("a session that the server does not know", (await record(await server("other"), { ...x25519, session: first.session })).recorded);

stop();
writeFileSync(join(import.meta.dirname, "recorded.jsonl"), `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
