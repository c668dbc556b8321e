/** Third-party implementations: which are here, and how they are started. */
export { peersCommand } from "./command.ts";
export { allPeers, environment, peer, versionOf, type Peer, type PeerProtocol } from "./registry.ts";
export { clientCommand, startPeer, type RunningPeer } from "./start.ts";
