import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { readFileSync } from "node:fs";
import {
  Channelz,
  HealthOfServices,
  interop,
  reflection,
  type RpcServeOptions,
  serveRpc,
  servicesOf,
} from "../../../reference/serve/rpc/index.ts";
import { loopbackCertificate } from "../../harness/subject/certificate.ts";
import { SubjectProcess } from "../../harness/subject/subject-process.ts";
import type { ServerSubject } from "../../harness/subject/subject.ts";
import type { StartedSubject } from "../../harness/suite.ts";
import { conformance } from "./service.ts";

/** What a handler throws is in the cases, and no news. */
const QUIET = { onCallError: () => {} } as const;
/** Not the default: a server that forgets this option shows another limit. */
const LIMIT = { maxMessageOctets: 4_500_000 } as const;

/** The contract with extensions, described: reflection takes it from a service, so that a file without services needs one that imports it. */
function extensions(): readonly Uint8Array[] {
  const text = readFileSync(new URL("../../../vectors/rpc/extensions.proto", import.meta.url), "utf8");
  const importing = 'syntax = "proto3"; package touchstone.extensions.v1; import "extensions.proto"; service Importing {}';
  const services = servicesOf(importing, "importing.proto", { "extensions.proto": text });
  return [...services.values()].flatMap(({ descriptors = [] }) => [...descriptors]);
}

/** Our own server in both dialects: the content type of a call decides. */
export async function startServer(more: RpcServeOptions = {}): Promise<StartedSubject<ServerSubject> & { stop(): Promise<void> }> {
  const judged = [conformance(), interop()];
  const health = new HealthOfServices();
  for (const { service } of judged) health.set(service.name, "SERVING");
  const channelz = new Channelz();
  const services = [...judged, health.service(), channelz.service()];
  const server = await serveRpc([...services, ...reflection(services, { descriptors: extensions() })], {
    dialect: ["rpc", "grpc"],
    graceMs: 100,
    channelz,
    ...QUIET,
    ...LIMIT,
    ...more,
  });
  return { subject: { url: server.url }, stop: () => server.close() };
}

/** The same over mutual TLS. */
export async function startMutual(): Promise<StartedSubject<ServerSubject>> {
  const credentials = await loopbackCertificate();
  return { ...(await startServer({ tls: { ca: credentials.cert } })), credentials };
}

/** The same in its own process, so that the cost of an attack can be measured. */
export async function startApart(): Promise<StartedSubject<ServerSubject>> {
  const child = new SubjectProcess([process.execPath, fileURLToPath(import.meta.url)], "pipe");
  const { stdout, pid } = child.child;
  if (stdout === null || pid === undefined) throw new Error("our server has not started");
  const [url] = (await once(createInterface(stdout), "line")) as [string];
  return { subject: { url }, pid, stop: () => child.kill() };
}

if (import.meta.main) console.log((await startServer()).subject.url);
