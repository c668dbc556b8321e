import { type Feature, Unreachable } from "../../harness/driver.ts";
import type { ParameterName } from "../../wire/quic/names.ts";
import type { QuicClientRunner } from "./client-run.ts";
import type { ClientStage } from "./client-stage.ts";
import { performOnClient } from "./client-steps.ts";
import { ping } from "./fence.ts";

/** Optional client features that cases need, probed once before the first case. An unlisted name is a mistake in a case. */
export const CLIENT_FEATURES: Readonly<Record<string, string>> = {
  verifies: "the command has {ca}, the file of the authority that it must trust",
  "exit-status": "the command exits with a status other than 0 when the connection is closed with an error",
  "version-information": "the client sends version_information (RFC 9368)",
  ids: "the client's connection IDs are not empty",
  "fixed-bit": "the client does not announce grease_quic_bit (RFC 9287), with which packets may lack the fixed bit",
  "more-ids": "the client issues further connection IDs",
  "few-ids": "the client keeps at most 64 connection IDs of ours (active_connection_id_limit)",
  "unidirectional-streams": "the client permits at most 10,000 unidirectional streams, and at least 3",
  "few-bidirectional-streams": "the client permits at most 10,000 bidirectional streams",
  "unidirectional-window": "the client gives a unidirectional stream at most 16 MiB of credit, and the connection more",
};

const MEBI = 1_048_576;

/** Starts the client, completes a handshake with it, and reads what it offers. */
export async function probeClient(runner: QuicClientRunner): Promise<{ features: Map<string, Feature> }> {
  const stage = await runner.run();
  try {
    if (!stage.connected) throw new Unreachable(stage.run?.neverConnected ?? "The client did not connect.");
    const stop = (await performOnClient({ do: "accept" }, stage)) ?? (await ping(stage));
    const failed = stage.all.find((one) => one.is === "closed" || one.is === "failed");
    if (failed !== undefined && "words" in failed) throw new Unreachable(`The client connects, but the handshake failed: ${failed.words}.`);
    if (stop !== undefined || stage.over)
      throw new Unreachable(`The client connects over QUIC, but ${stop ?? "it ended before its request was answered"}.`);
    const features = featuresOf(stage, runner.verifies);
    stage.end.send({ level: "application" }, [{ type: "CONNECTION_CLOSE", code: "INTERNAL_ERROR" }]);
    await stage.until(() => stage.sees({ see: "exit", ok: true }) || stage.sees({ see: "exit", ok: false }), stage.timeout);
    const has = stage.sees({ see: "exit", ok: false });
    return {
      features: features.set("exit-status", { has, how: "it did not exit with a status other than 0 when we closed the connection" }),
    };
  } finally {
    await stage.drop();
  }
}

function featuresOf(stage: ClientStage, verifies: boolean): Map<string, Feature> {
  const { end } = stage;
  const is = (has: boolean, how: string): Feature => ({ has, how });
  const between = (name: ParameterName, least: number, most: number): Feature => {
    const value = end.theirs.integer(name, name === "active_connection_id_limit" ? 2 : 0);
    return is(value >= least && value <= most, `its ${name} is ${value}`);
  };
  const data = end.theirs.integer("initial_max_data");
  const perStream = end.theirs.integer("initial_max_stream_data_uni");
  const issues = stage.all.some((one) => one.is === "frame" && one.frame.type === "NEW_CONNECTION_ID");
  return new Map([
    ["verifies", is(verifies, "its command has no {ca}")],
    ["version-information", is(end.theirs.has("version_information"), "it sends no version_information")],
    ["fixed-bit", is(!end.theirs.has("grease_quic_bit"), "it announces grease_quic_bit")],
    ["ids", is(end.destination.length > 0, "its connection IDs are empty")],
    ["more-ids", is(issues, "it sent no NEW_CONNECTION_ID")],
    ["few-ids", between("active_connection_id_limit", 2, 64)],
    ["unidirectional-streams", between("initial_max_streams_uni", 3, 10_000)],
    ["few-bidirectional-streams", between("initial_max_streams_bidi", 0, 10_000)],
    [
      "unidirectional-window",
      is(
        perStream > 0 && perStream <= 16 * MEBI && data > perStream,
        `its initial_max_data is ${data}, that of a unidirectional stream ${perStream}`,
      ),
    ],
  ]);
}
