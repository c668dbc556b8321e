/** The numbers of RFC 6455. Independent of `reference/`, which they judge. */

export const OPCODES = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;
export type OpcodeName = keyof typeof OPCODES;

const NAMES = new Map<number, OpcodeName>(Object.entries(OPCODES).map(([name, code]) => [code, name as OpcodeName]));
/** The name of an opcode; `opcode 3` for one without a name. */
export const opcodeName = (opcode: number): OpcodeName | `opcode ${number}` => NAMES.get(opcode) ?? `opcode ${opcode}`;
/** Opcodes from 8 are those of control frames (rfc6455#5.5). */
export const isControl = (opcode: number): boolean => opcode >= 8;

/** Appended to the key before it is hashed (rfc6455#1.3). */
export const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
/** The longest payload of a control frame (rfc6455#5.5). */
export const LONGEST_CONTROL = 125;

/** Codes that no Close frame has: below 1000 they are not used, and 1005, 1006 and 1015 stand for what was not sent (rfc6455#7.4). */
export const isNeverSent = (code: number): boolean => code < 1000 || [1005, 1006, 1015].includes(code);

/** Codes that a Close frame may have: defined, registered, and those of libraries and applications (rfc6455#7.4). */
export const maySend = (code: number): boolean =>
  (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) || (code >= 3000 && code <= 4999);
