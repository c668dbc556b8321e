/** The terminal-session channel: an agent offers a shell, clients attach to it, a hub stands between them. All without I/O. */
export { AgentSide, type Shell } from "./agent-side.ts";
export { ClientSide, type ClientHappening } from "./client-side.ts";
export { Hub, SESSIONS_PATH, type Admission, type Refusal, type Role } from "./hub.ts";
export { DEFAULT_CHANNEL_LIMITS, type ChannelLimits } from "./limits.ts";
export {
  isId,
  MOST_CELLS,
  readControl,
  TROUBLES,
  writeControl,
  type Ack,
  type AgentState,
  type Control,
  type Exit,
  type Malformed,
  type Offer,
  type Peer,
  type Resize,
  type Sender,
  type State,
  type Trouble,
  type TroubleCode,
} from "./protocol.ts";
export { Replay } from "./replay.ts";
export type { Member } from "./session.ts";
