import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StartedSubject } from "../../harness/suite.ts";
import type { ServerSubject } from "../../harness/subject/subject.ts";
import { serveMetrics } from "../../../reference/serve/metrics/index.ts";

/** Our own receiver with an empty storage. */
export async function startReceiver(): Promise<StartedSubject<ServerSubject>> {
  const directory = mkdtempSync(join(tmpdir(), "touchstone-receiver-"));
  const server = await serveMetrics({ directory, port: 0, graceMs: 100, remoteWriteReceiver: true });
  return {
    subject: { url: `${server.url}api/v1/write` },
    stop: async () => {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
