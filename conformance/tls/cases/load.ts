import type { Case } from "../vocabulary.ts";

/** All cases of a role. */
export async function loadCases(role: "server" | "client"): Promise<readonly Case[]> {
  const files =
    role === "server"
      ? [import("./server/rfc5280-6.1-path-validation.ts"), import("./server/4.4.2.4-client-authentication.ts")]
      : [
          import("./client/rfc5280-6.1-server-certificates.ts"),
          import("./client/rfc9110-4.3.4-names.ts"),
          import("./client/4.4.2-client-certificates.ts"),
        ];
  return (await Promise.all(files)).flatMap(({ cases }) => cases);
}
