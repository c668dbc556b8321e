import { expect, test } from "vitest";
import { credentialOf, now, QUIC_PRIMITIVES, TLS_PRIMITIVES } from "../../../reference/io/index.ts";
import { Client, Server } from "../../../reference/tls/index.ts";
import { loopbackCertificate } from "../../harness/subject/certificate.ts";
import { fromHex, toHex } from "../octets.ts";
import { varint } from "../http3/varint.ts";
import type { EndOptions } from "./end-options.ts";
import { RawEnd } from "./end.ts";
import { Forged, type ForgerySpec, forgingOf } from "./forgery.ts";
import { PARAMETERS } from "./names.ts";
import type { Observed } from "./observed.ts";
import { editParameters } from "./parameters.ts";

const CLIENT_ID = fromHex("c1c1c1c1c1c1c1c1");
const SERVER_ID = fromHex("5e5e5e5e5e5e5e5e");
const FIRST_ID = fromHex("f1f1f1f1f1f1f1f1");
const TOKEN = "0a".repeat(16);
const certificate = await loopbackCertificate();

type Side = { readonly end: RawEnd; readonly seen: Observed[]; readonly out: Uint8Array[] };
const parametersOf = (source: Uint8Array): Uint8Array =>
  editParameters(
    [
      [PARAMETERS.initial_source_connection_id, source],
      [PARAMETERS.initial_max_data, varint(1_000)],
    ],
    source === SERVER_ID ? { set: { stateless_reset_token: TOKEN } } : {},
  );

function side(we: "client" | "server", tls: EndOptions["tls"], more: Partial<EndOptions> = {}): Side {
  const seen: Observed[] = [];
  const out: Uint8Array[] = [];
  const isClient = we === "client";
  const end = new RawEnd({
    we,
    primitives: QUIC_PRIMITIVES,
    tls,
    now,
    source: isClient ? CLIENT_ID : SERVER_ID,
    destination: isClient ? FIRST_ID : CLIENT_ID,
    transmit: (datagram) => out.push(datagram.slice()),
    on: (observed) => seen.push(observed),
    ...more,
  });
  if (!isClient) end.firstId(FIRST_ID);
  return { end, seen, out };
}

/** Two ends that have nothing but each other. */
function pair(forgery: ForgerySpec = {}, more: { readonly client?: Partial<EndOptions>; readonly server?: Partial<EndOptions> } = {}) {
  const parameters = parametersOf(CLIENT_ID);
  const trust = { check: () => undefined };
  const client = side(
    "client",
    new Client({ primitives: TLS_PRIMITIVES, serverName: "127.0.0.1", alpn: ["h3"], trust, parameters }, now()),
    more.client,
  );
  const credential = credentialOf(certificate);
  const server = side(
    "server",
    new Forged(
      (primitives) =>
        new Server(
          {
            primitives,
            credentials: () => [credential],
            alpn: ["h3"],
            parameters: () => parametersOf(SERVER_ID),
            suites: ["TLS_AES_128_GCM_SHA256"],
          },
          now(),
        ),
      forgingOf(forgery),
    ),
    more.server,
  );
  return { client, server };
}
/** Carries datagrams until neither has any. */
function exchange({ client, server }: { readonly client: Side; readonly server: Side }): void {
  while (client.out.length > 0 || server.out.length > 0) {
    for (const datagram of client.out.splice(0)) server.end.receive(datagram);
    for (const datagram of server.out.splice(0)) client.end.receive(datagram);
  }
}
function connected(...given: Parameters<typeof pair>): ReturnType<typeof pair> {
  const both = pair(...given);
  both.client.end.start();
  exchange(both);
  return both;
}
const failures = ({ seen }: Side): string[] => seen.flatMap((one) => (one.is === "failed" ? [one.words] : []));

test("a handshake: both ends are established, and know each other's parameters and IDs", () => {
  const { client, server } = connected();
  expect([client.end.established, server.end.established]).toEqual([true, true]);
  expect(client.end.theirs.integer("initial_max_data")).toBe(1_000);
  expect(toHex(client.end.destination)).toBe(toHex(SERVER_ID));
});

test("a frame of 1-RTT arrives, and its packet is acknowledged", () => {
  const both = connected();
  const number = both.client.end.send({ level: "application" }, [{ type: "MAX_DATA", max: 77 }]);
  exchange(both);
  expect(both.server.seen.some((one) => one.is === "frame" && one.frame.type === "MAX_DATA" && one.frame.members["max"] === 77)).toBe(true);
  expect(both.client.end.hasAcknowledged("application", number ?? -1)).toBe(true);
});

test("hold: a server that holds the handshake has the keys of Handshake packets, and completes it when it is released", () => {
  const both = connected({}, { server: { hold: "initial" } });
  expect([both.server.end.spaces.handshake.write === undefined, both.client.end.established]).toEqual([false, false]);
  both.server.end.release();
  exchange(both);
  expect(both.client.end.established).toBe(true);
});

test("a packet that is corrupt or whose number came before is not read", () => {
  const both = connected();
  both.client.end.send({ level: "application", corrupt: true }, [{ type: "PING" }]);
  both.client.end.send({ level: "application" }, [{ type: "PING" }]);
  both.client.end.send({ level: "application", skip: -1 }, [{ type: "MAX_DATA", max: 5 }]);
  exchange(both);
  const { seen } = both.server;
  expect(seen.filter(({ is }) => is === "unreadable").length).toBe(1);
  expect(seen.some((one) => one.is === "repeated" && one.level === "application")).toBe(true);
  expect(seen.some((one) => one.is === "frame" && one.frame.type === "MAX_DATA")).toBe(false);
});

test("a key update is answered with a key update; old keys are read only on request", () => {
  const both = connected();
  both.client.end.send({ level: "application", update: "keys" }, [{ type: "PING" }]);
  exchange(both);
  expect(both.client.seen.some(({ is }) => is === "phase")).toBe(true);
  both.client.end.send({ level: "application", update: "old" }, [{ type: "PING" }]);
  exchange(both);
  expect(both.server.seen.filter(({ is }) => is === "unreadable").length).toBe(1);
  both.server.end.keepOldKeys();
  const number = both.client.end.send({ level: "application", update: "old" }, [{ type: "PING" }]);
  exchange(both);
  expect(both.client.end.hasAcknowledged("application", number ?? -1)).toBe(true);
});

test("a stateless reset is a datagram with the token of the handshake", () => {
  const { client } = connected();
  const datagram = (last: string): Uint8Array => fromHex(`40${"11".repeat(20)}${last}`);
  client.end.receive(datagram("0b".repeat(16)));
  expect(client.end.isOver).toBe(false);
  client.end.receive(datagram(TOKEN));
  expect([client.end.isOver, client.seen.at(-1)?.is]).toEqual([true, "stateless reset"]);
});

test("CONNECTION_CLOSE is reported with its code in words, once", () => {
  const both = connected();
  both.server.end.send({ level: "application" }, [{ type: "CONNECTION_CLOSE", code: "FLOW_CONTROL_ERROR", data: "too much" }]);
  both.server.end.send({ level: "application" }, [{ type: "CONNECTION_CLOSE", code: "NO_ERROR" }]);
  exchange(both);
  const closed = both.client.seen.flatMap((one) => (one.is === "closed" ? [one.words] : []));
  expect(closed).toEqual(["the connection was closed with FLOW_CONTROL_ERROR (too much)"]);
});

test.each<readonly [ForgerySpec, string]>([
  [{ extensions: { without: ["application_layer_protocol_negotiation"] } }, "protocolMissing"],
  [{ extensions: { without: ["quic_transport_parameters"] } }, "parametersMissing"],
  [{ extensions: { add: { type: 0x7a7a, hex: "00" } } }, "extensionUnsolicited"],
  [{ hello: { suite: "1305" } }, "suiteNotOffered"],
  [{ hello: { session: "00" } }, "sessionIdChanged"],
  [{ corrupt: "CertificateVerify" }, "signatureWrong"],
  [{ corrupt: "Finished" }, "finishedWrong"],
  [{ without: "Certificate" }, "messageUnexpected"],
  [{ retries: 2 }, "retryAgain"],
  [{ retries: 1, retryWith: "" }, "retryWithoutChange"],
])("a forged handshake is refused for nothing but the forgery: %j", (forgery, fault) => {
  expect(failures(connected(forgery).client)).toEqual([fault]);
});

test("a forgery that changes nothing illegal completes: the transcript is that of the wire", () => {
  expect(connected({ retries: 1 }).client.end.established).toBe(true);
  const { client, server } = connected({ extensions: { replace: { application_layer_protocol_negotiation: "0003026833" } } });
  expect([client.end.established, server.end.established]).toEqual([true, true]);
});
