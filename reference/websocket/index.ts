/** WebSocket (rfc6455): the connection, the types that cross its boundary, and its opening handshake. */
export { CloseCode, closeCodeName, isCloseCode } from "./close-code.ts";
export { Connection, type Options } from "./connection.ts";
export type { Actions, Event, Kind, Machine, Side } from "./contract.ts";
export type { Agreement, DeflateOptions, Deflater, Engine, Inflater } from "./deflate.ts";
export { FAULTS, fault, type Fault, type FaultName } from "./faults.ts";
export { Opcode, readFrame, writeFrame, type Frame, type OpcodeName } from "./frame.ts";
export { DEFAULT_LIMITS, type Limits } from "./limits.ts";
export { mask, rotateKey } from "./mask.ts";
