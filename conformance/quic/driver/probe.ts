import { Unreachable, type Feature } from "../../harness/driver.ts";
import type { ServerOptions, Target } from "../../harness/subject/transport.ts";
import type { ParameterName } from "../../wire/quic/names.ts";
import { ticketsIn } from "../../wire/quic/tickets.ts";
import { ping } from "./fence.ts";
import { ServerStage } from "./server-stage.ts";
import { performOnServer } from "./server-steps.ts";

/** Optional server features that cases need, probed once before the first case. An unlisted name is a mistake in a case. */
export const FEATURES: Readonly<Record<string, string>> = {
  ids: "the server's connection IDs are not empty",
  "more-ids": "the server issues further connection IDs",
  "few-ids": "the server keeps at most 64 connection IDs of ours (active_connection_id_limit)",
  "bidirectional-streams": "the server permits at most 10,000 bidirectional streams, and at least 4",
  "unidirectional-streams": "the server permits at most 10,000 unidirectional streams, and at least 3",
  "stream-window": "the server gives a bidirectional stream at most 16 MiB of credit, and the connection more",
  "connection-window": "the server gives all streams together at most as much credit as 1,000 bidirectional streams, and at most 64 MiB",
  migration: "the server does not announce disable_active_migration",
  "no-retry": "the server asks new clients for no token (Retry)",
  retry: "the server asks new clients for a token (Retry)",
  tokens: "the server sends NEW_TOKEN",
  resumption: "the server resumes the session of a ticket that it sent",
  "early-data": "the server takes 0-RTT data",
  "version-information": "the server sends version_information (RFC 9368)",
  "version-2": "the server lists version 2 in Version Negotiation packets",
  tickets: "the server sends a NewSessionTicket with the end of the handshake",
  "fixed-bit": "the server does not announce grease_quic_bit (RFC 9287), with which packets may lack the fixed bit",
};

const MEBI = 1_048_576;
/** Octets on other streams of a case. */
const OTHERS = 1_000;

/** Connects, and reads what the server offers. */
export async function probeServer(target: Target, options: ServerOptions): Promise<{ features: Map<string, Feature> }> {
  const stage = new ServerStage(target, options);
  try {
    const stop = await performOnServer({ do: "connect" }, stage);
    const failed = stage.all.find((one) => one.is === "closed" || one.is === "failed");
    const where = `${target.host}:${target.port}`;
    if (failed !== undefined && "words" in failed)
      throw new Unreachable(`${where} speaks QUIC, but the handshake failed: ${failed.words}.`);
    if (stop !== undefined)
      throw new Unreachable(
        `${where} did not complete a handshake over UDP within ${stage.timeout} ms: does it speak QUIC version 1 with h3, and is the address right?`,
      );
    await ping(stage);
    return {
      features: new Map([
        ...featuresOf(stage),
        ...(await probeResumption(target, options, ticketsIn(stage.all).length > 0)),
        ["version-2", await probeVersions(target, options)],
      ]),
    };
  } finally {
    await stage.drop();
  }
}

/** Whether the server resumes sessions, and takes 0-RTT data. */
async function probeResumption(target: Target, options: ServerOptions, hasTickets: boolean): Promise<Map<string, Feature>> {
  const stage = new ServerStage(target, options);
  try {
    if (hasTickets) await performOnServer({ do: "connect", resume: { early: true }, early: [[{ type: "PING" }]] }, stage);
    return new Map([
      ["resumption", { has: stage.sees({ see: "resumed" }), how: "it did not resume the session of its ticket" }],
      ["early-data", { has: stage.sees({ see: "early data", accepted: true }), how: "it took no 0-RTT data" }],
    ]);
  } finally {
    await stage.drop();
  }
}

/** Whether the server lists version 2. */
async function probeVersions(target: Target, options: ServerOptions): Promise<Feature> {
  const stage = new ServerStage(target, options);
  try {
    await performOnServer({ do: "connect", hold: "nothing" }, stage);
    await performOnServer({ do: "version", version: UNKNOWN, octets: DATAGRAM }, stage);
    await stage.until(() => stage.sees({ see: "version negotiation" }), stage.timeout / 4);
    return { has: stage.sees({ see: "version negotiation", version: VERSION_2 }), how: "it lists no version 2" };
  } finally {
    await stage.drop();
  }
}
/** rfc9369#3.1, and a version that nobody has (rfc9000#15). */
const VERSION_2 = 0x6b33_43cf;
const UNKNOWN = 0x1a2a_3a4a;
const DATAGRAM = 1_200;

function featuresOf(stage: ServerStage): Map<string, Feature> {
  const { end } = stage;
  const is = (has: boolean, how: string): Feature => ({ has, how });
  const between = (name: ParameterName, least: number, most: number): Feature => {
    const value = end.theirs.integer(name, name === "active_connection_id_limit" ? 2 : 0);
    return is(value >= least && value <= most, `its ${name} is ${value}`);
  };
  const saw = (type: string): boolean => stage.all.some((one) => one.is === "frame" && one.frame.type === type);
  const retries = stage.all.some((one) => one.is === "retry");
  const data = end.theirs.integer("initial_max_data");
  const perStream = end.theirs.integer("initial_max_stream_data_bidi_remote");
  return new Map([
    ["fixed-bit", is(!end.theirs.has("grease_quic_bit"), "it announces grease_quic_bit")],
    ["ids", is(end.destination.length > 0, "its connection IDs are empty")],
    ["more-ids", is(saw("NEW_CONNECTION_ID"), "it sent no NEW_CONNECTION_ID")],
    ["few-ids", between("active_connection_id_limit", 2, 64)],
    ["bidirectional-streams", between("initial_max_streams_bidi", 4, 10_000)],
    ["unidirectional-streams", between("initial_max_streams_uni", 3, 10_000)],
    [
      "stream-window",
      is(
        perStream > 0 && perStream <= 16 * MEBI && data > perStream + OTHERS,
        `its initial_max_data is ${data}, that of a stream ${perStream}`,
      ),
    ],
    [
      "connection-window",
      is(data <= 64 * MEBI && data < 1_000 * perStream, `its initial_max_data is ${data}, that of a stream ${perStream}`),
    ],
    ["migration", is(!end.theirs.has("disable_active_migration"), "it announces disable_active_migration")],
    ["no-retry", is(!retries, "it sent a Retry packet")],
    ["retry", is(retries, "it sent no Retry packet")],
    ["version-information", is(end.theirs.has("version_information"), "it sends no version_information")],
    ["tickets", is(ticketsIn(stage.all).length > 0, "it sent no NewSessionTicket")],
    ["tokens", is(saw("NEW_TOKEN"), "it sent no NEW_TOKEN")],
  ]);
}
