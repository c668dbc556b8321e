import { serveRpc } from "../../../reference/serve/rpc/index.ts";
import type { ServerSubject } from "../../harness/subject/subject.ts";
import type { StartedSubject } from "../../harness/suite.ts";
import { conformance } from "./service.ts";

/** Our own server in the dialects for browsers and plain HTTP. */
export async function startWebServer(): Promise<StartedSubject<ServerSubject> & { stop(): Promise<void> }> {
  // Not the default limit: a server that forgets this option shows another one.
  const limit = { maxMessageOctets: 4_500_000 };
  const options = { dialect: ["grpc-web", "connect"], date: false, graceMs: 100, onCallError: () => {}, ...limit } as const;
  const server = await serveRpc([conformance()], options);
  return { subject: { url: server.url }, stop: () => server.close() };
}
