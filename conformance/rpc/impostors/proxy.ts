import { connect, createServer, type Socket } from "node:net";
import { listening, type RunningImpostor } from "../../harness/impostors/listening.ts";
import { flawOf } from "../../harness/impostors/named.ts";
import { Relay } from "./proxy-relay.ts";
import { PROXY_FLAWS } from "./proxy-flaws.ts";

/** Starts a wrong proxy of calls before an origin (host and port). */
export async function startWrongProxy(name: string, origin: string): Promise<RunningImpostor> {
  const flaw = flawOf(PROXY_FLAWS, name);
  const [host = "", port = ""] = origin.split(":");
  const dialled = new Set<Socket>();
  const dial = (): Socket => {
    const socket = connect({ host, port: Number(port), noDelay: true });
    dialled.add(socket);
    return socket.on("error", () => {}).once("close", () => dialled.delete(socket));
  };
  const server = createServer({ noDelay: true }, (client) => {
    if (flaw.mute === "slams") client.resetAndDestroy();
    else if (flaw.mute === "silent") client.resume();
    else Relay.serve(client, flaw, dial);
  });
  server.on("close", () => {
    for (const socket of dialled) socket.destroy();
  });
  return listening(server, "http");
}
