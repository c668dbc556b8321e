/** The terminal-session channel, without I/O: an agent offers a shell, clients attach to it, and a hub connects them. */
export { AgentSide, type Shell } from "./agent-side.ts";
export { ClientSide, type ClientEvent } from "./client-side.ts";
export type { NewScreen, Screen } from "./drawing.ts";
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
export type { Sizing } from "./terminals.ts";
export type { Member, Receiver } from "./member.ts";
