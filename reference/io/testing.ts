import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { type Certificate, makeCertificate } from "./make-certificate.ts";
import type { TlsAccept } from "./tls-server.ts";

/** For tests: certificates of an authority that is made for the run, and the Python of peers. */

/** The Python that `ci/peers.sh` sets up, if it has this module. */
export function pythonWith(module: string): string | undefined {
  const python = join(tmpdir(), `touchstone-peers-${process.getuid?.() ?? 0}`, "python/bin/python");
  return spawnSync(python, ["-c", `import ${module}`]).status === 0 ? python : undefined;
}

const DAY = 86_400_000;

export type Wanted = { readonly name?: string; readonly purpose?: "client" | "server"; readonly expired?: boolean };
export type Authority = Certificate & { issue(wanted?: Wanted): Promise<Certificate> };

export async function makeAuthority(): Promise<Authority> {
  const ca = await makeCertificate({ name: "an authority", key: "ec", purpose: "authority" });
  return {
    ...ca,
    issue: ({ name = "a client", purpose = "client", expired = false } = {}) =>
      makeCertificate({
        name,
        key: "ec",
        purpose,
        issuer: ca,
        valid: [new Date(Date.now() - 2 * DAY), new Date(Date.now() + (expired ? -DAY : DAY))],
        hosts: { dns: ["localhost"], ip: ["127.0.0.1"] },
      }),
  };
}

/** What a server without client certificates never does. */
export const refusing: TlsAccept = {
  accept: () => {},
  refuse: (_socket: TLSSocket, why) => {
    throw new Error(`refused: ${why}`);
  },
};
