/**
 * Octets on disk that are not what the format says: which file, where in it, and what is wrong. Thrown while a block is read, caught where the block ends:
 * what is damaged is reported and left out, the rest stays readable.
 */
export class Damage extends Error {
  override readonly name = "Damage";
  readonly path: string;
  /** In octets from the file's beginning. */
  readonly at: number;
  readonly what: string;

  constructor(path: string, at: number, what: string) {
    super(`${path} is damaged at ${at}: ${what}.`);
    this.path = path;
    this.at = at;
    this.what = what;
  }
}

/** Takes note of what is damaged. */
export type Report = (damage: Damage) => void;
