import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { VectorSource, WithoutId } from "../../write.ts";
import type { KeyScheduleVector } from "./kinds.ts";

/** The handshakes of `recorded.jsonl`: its first line has the version of Go. */

type Recorded = Omit<KeyScheduleVector, "id" | "flags" | "result" | "spec">;
const [head = "{}", ...lines] = readFileSync(join(import.meta.dirname, "recorded.jsonl"), "utf8").trimEnd().split("\n");

export const GO_VERSION = (JSON.parse(head) as { readonly version?: string }).version ?? "unknown";

function vectorOf(line: string): WithoutId<KeyScheduleVector> {
  const { note, ...rest } = JSON.parse(line) as Recorded;
  const has = (name: string): boolean => rest.messages.some(([, one]) => one === name);
  const flags = [
    has("HelloRetryRequest") ? "Retry" : undefined,
    rest.psk === undefined ? undefined : "Session",
    rest.secrets["client early"] === undefined ? undefined : "EarlyData",
    has("CertificateRequest") ? "ClientCertificate" : undefined,
    rest.suite === "TLS_AES_256_GCM_SHA384" ? "Sha384" : undefined,
  ];
  const named = flags.filter((flag) => flag !== undefined);
  return { note, spec: "rfc8446#7.1", flags: named.length === 0 ? ["Full"] : named, ...rest, result: "valid" };
}

export const source: VectorSource<KeyScheduleVector> = {
  about: "The secrets of whole handshakes: the key schedule, binders, Finished, sessions, exporters",
  spec: "rfc8446#7.1",
  flags: {
    Full: { why: "a full handshake", bug: "BASICS" },
    Retry: { why: "a HelloRetryRequest: the hash of the first ClientHello stands in the transcript for it", bug: "WRONG_TRANSCRIPT" },
    Session: { why: "a session is offered: its binder covers a part of the ClientHello", bug: "WRONG_BINDER" },
    EarlyData: { why: "0-RTT data is taken", bug: "WRONG_SECRET" },
    ClientCertificate: { why: "the client has a certificate: its secrets do not depend on it, its Finished does", bug: "WRONG_TRANSCRIPT" },
    Sha384: { why: "secrets of 48 octets", bug: "WRONG_LENGTH" },
  },
  vectors: lines.map(vectorOf),
};
