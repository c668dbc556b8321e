/**
 * Growing typed arrays. The head keeps its series in about thirty typed arrays, with no object per series for the garbage collector to visit.
 * An array that grows hands its memory over at once instead of waiting for the next collection.
 */

/** The needed length and half as much again, so that growing is rare. Unused room takes no physical memory. */
export const roomFor = (needed: number): number => Math.max(1_024, needed + (needed >>> 1));

export const widerU8 = (array: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(array.buffer.transfer(length));
export const widerU16 = (array: Uint16Array<ArrayBuffer>, length: number): Uint16Array<ArrayBuffer> =>
  new Uint16Array(array.buffer.transfer(length * 2));
export const widerU32 = (array: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> =>
  new Uint32Array(array.buffer.transfer(length * 4));
export const widerF64 = (array: Float64Array<ArrayBuffer>, length: number): Float64Array<ArrayBuffer> =>
  new Float64Array(array.buffer.transfer(length * 8));
