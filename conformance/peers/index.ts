/** Third-party implementations: which are here, and how they are started. */
export { allPeers, environment, peer, versionOf, type Peer } from "./registry.ts";
export { clientCommand, startPeer, type RunningPeer } from "./start.ts";
