/** What can be wrong with the coding of an integer or a string (rfc7541#5). */
export type CodingFault =
  | "integerTruncated"
  | "integerTooLarge"
  | "stringTruncated"
  | "stringTooLong"
  | "huffmanEos"
  | "huffmanPaddingTooLong"
  | "huffmanPaddingWrong";

const NOTHING = new Uint8Array(0);

/**
 * Where the reading of a block of field lines stands. A fault is sticky: it moves the cursor to the end, so that the codec above
 * checks `fault` once for each representation and not after each part of it.
 */
export class Cursor {
  octets: Uint8Array = NOTHING;
  at = 0;
  end = 0;
  fault: CodingFault | undefined;

  open(block: Uint8Array): this {
    this.octets = block;
    this.at = 0;
    this.end = block.length;
    this.fault = undefined;
    return this;
  }
  /** Lets go of the block. */
  close(): void {
    this.octets = NOTHING;
    this.at = 0;
    this.end = 0;
  }
  fail(fault: CodingFault): void {
    this.fault ??= fault;
    this.at = this.end;
  }
}
