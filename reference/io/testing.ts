import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { generate } from "selfsigned";
import type { Certificate } from "./certificates.ts";
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
  const made = await generate([{ name: "commonName", value: "an authority" }], {
    keyType: "ec",
    algorithm: "sha256",
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const ca = { cert: made.cert, key: made.private };
  return {
    ...ca,
    issue: async ({ name = "a client", purpose = "client", expired = false } = {}) => {
      const issued = await generate([{ name: "commonName", value: name }], {
        keyType: "ec",
        algorithm: "sha256",
        ca,
        notBeforeDate: new Date(Date.now() - 2 * DAY),
        notAfterDate: new Date(Date.now() + (expired ? -DAY : DAY)),
        extensions: [
          { name: "keyUsage", digitalSignature: true, critical: true },
          purpose === "client" ? { name: "extKeyUsage", clientAuth: true } : { name: "extKeyUsage", serverAuth: true },
          {
            name: "subjectAltName",
            altNames: [
              { type: 2, value: "localhost" },
              { type: 7, ip: "127.0.0.1" },
            ],
          },
        ],
      });
      return { cert: issued.cert, key: issued.private };
    },
  };
}

/** What a server without client certificates never does. */
export const refusing: TlsAccept = {
  accept: () => {},
  refuse: (_socket: TLSSocket, why) => {
    throw new Error(`refused: ${why}`);
  },
};
