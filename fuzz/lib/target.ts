/** Something to fuzz: a property that must hold for every input. */
export type Target = {
  /** `hpack/decoder`: folder and file. */
  readonly name: string;
  /** The property, as a sentence. */
  readonly about: string;
  /** Throws when the property does not hold for this input. Must be deterministic: the same input, the same result. */
  run(input: Uint8Array): void;
  /** Inputs to begin with. */
  readonly seeds: readonly Uint8Array[];
  /** Octets worth inserting whole. */
  readonly dictionary?: readonly Uint8Array[];
  /** Longest input to try. */
  readonly maxLength: number;
};
