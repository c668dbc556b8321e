/** Third-party implementations: the list of them, and how to start one. */
export { allPeers, environment, peer, versionOf, type Peer } from "./registry.ts";
export { clientCommand, serverCommand, startPeer, type RunningPeer } from "./start.ts";
export { freePort, portOf } from "./port.ts";
