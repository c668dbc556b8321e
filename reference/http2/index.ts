/** HTTP/2 (rfc9113): the connection, and the types that cross its boundary. */
export { Connection, settingsPayload, type Options } from "./connection.ts";
export type { Upgraded } from "./upgrade.ts";
export type { Actions, Event, Machine } from "./contract.ts";
export { ErrorCode, errorCode } from "./error-code.ts";
export { FAULTS, fault, type Fault, type FaultName } from "./faults.ts";
export { Flag, FrameType, HEAD_LENGTH, readFrame, readFrames, readHead, writeFrame, writeHead } from "./frame/index.ts";
export type { Frame, Head, Setting, Unknown } from "./frame/index.ts";
export { ConnectionLife, type LifeOptions } from "./connection-life.ts";
export { Keepalive, type KeepaliveOptions } from "./keepalive.ts";
export type { PermittedPings } from "./ping-strikes.ts";
export { DEFAULT_LIMITS, type Limits } from "./limits.ts";
export { CLIENT_PREFACE } from "./receive/preface.ts";
export { INITIAL_SETTINGS, SettingId, type SettingName, type Settings } from "./settings/table.ts";
export { CONNECTION, MAX_STREAM_ID, streamId, type Side, type StreamId } from "./stream/id.ts";
