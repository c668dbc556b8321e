/**
 * How the columns of the head grow. All that the head knows of a series lies in typed arrays, so that a million of them are some thirty arrays and
 * no object for a garbage collector to visit. An array that grows gives its memory away at once, instead of leaving it to the next collection.
 */

/** At least so many entries as are needed, and half of them more, so that growing costs little in the end; what is not used yet takes no memory. */
export const roomFor = (needed: number): number => Math.max(1_024, needed + (needed >>> 1));

export const widerU8 = (array: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(array.buffer.transfer(length));
export const widerU16 = (array: Uint16Array<ArrayBuffer>, length: number): Uint16Array<ArrayBuffer> =>
  new Uint16Array(array.buffer.transfer(length * 2));
export const widerU32 = (array: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> =>
  new Uint32Array(array.buffer.transfer(length * 4));
export const widerF64 = (array: Float64Array<ArrayBuffer>, length: number): Float64Array<ArrayBuffer> =>
  new Float64Array(array.buffer.transfer(length * 8));
