/** The payload of a message that names none. */
export const PAYLOAD = "touchstone";
/** The values of a payload that counts, until they begin again: a part that is shifted or repeated shows. */
const CYCLE = Uint8Array.from({ length: 251 }, (_, at) => at);

/** The octets of a payload that counts; made fast, since a subject may give up while we are busy. */
export const counting = (size: number): Uint8Array => Buffer.alloc(size, CYCLE);

/** The octets of a payload: of the size, which counts, or a text. */
export const payloadOf = ({ payload = PAYLOAD, size }: { readonly payload?: string; readonly size?: number }): Uint8Array =>
  size === undefined ? new TextEncoder().encode(payload) : counting(size);
