/** WebSocket (rfc6455): the connection, the types of its boundary, and its opening handshake. */
export { CloseCode, closeCodeName, isCloseCode } from "./close-code.ts";
export { Connection, type Options } from "./connection.ts";
export type { Actions, Event, Kind, Machine, Side } from "./contract.ts";
export type { Agreement, DeflateOptions, Deflater, Engine, Inflater } from "./deflate.ts";
export { FAULTS, fault, type Fault, type FaultName } from "./faults.ts";
export { Opcode, readFrame, writeFrame, type Frame, type OpcodeName } from "./frame.ts";
export { DEFAULT_LIMITS, type Limits } from "./limits.ts";
export { mask, rotateKey } from "./mask.ts";
export { acceptConnect, CONNECT_PROTOCOL, offerConnect, readConnectAnswer } from "./handshake-connect.ts";
export { acceptHttp1, acceptKey, offerHttp1, readHttp1Answer } from "./handshake-http1.ts";
export { HANDSHAKE_FAULTS, handshakeFault, type HandshakeFault, type HandshakeFaultName } from "./handshake-faults.ts";
export type { Accepted, Answer, ClientPolicy, Offer, Refused, ServerPolicy, Sha1 } from "./handshake.ts";
export type { OriginPolicy } from "./origin.ts";
export { readExtensions, writeExtensions, type Extension, type Parameter } from "./extensions.ts";
export { answerDeflate, offerDeflate, readDeflateAnswer, type DeflatePolicy } from "./permessage-deflate.ts";
