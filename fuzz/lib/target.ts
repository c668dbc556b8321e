/** A property that must hold for every input. */
export type Target = {
  /** Folder and file, such as `hpack/decoder`. */
  readonly name: string;
  /** The property, as a sentence. */
  readonly about: string;
  /** Throws if the property does not hold for this input. Must be deterministic. */
  run(input: Uint8Array): void;
  /** Inputs to start with. */
  readonly seeds: readonly Uint8Array[];
  /** Octet strings that mutations insert whole. */
  readonly dictionary?: readonly Uint8Array[];
  /** The longest input to try. */
  readonly maxLength: number;
};
