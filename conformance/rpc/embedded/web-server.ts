import { serveRpc } from "../../../reference/serve/rpc/index.ts";
import { conformance } from "./service.ts";

/** Our own server in the dialects for browsers and plain HTTP. */
export async function startWebServer(): Promise<AsyncDisposable & { readonly url: string }> {
  return serveRpc([conformance()], { dialect: ["grpc-web", "connect"], date: false, graceMs: 100, onCallError: () => {} });
}
