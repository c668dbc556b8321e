/**
 * Octets on disk that are not what the format says: which file, where in it, and what is wrong. Thrown while a block is read, caught where the block ends:
 * what is damaged is reported and left out, the rest stays readable.
 */
export class Damage extends Error {
  override readonly name = "Damage";
  readonly code: string = "DAMAGE";
  readonly path: string;
  /** In octets from the file's beginning. */
  readonly at: number;
  readonly what: string;

  /** `done`: what was done about it, for who has to go on from there. */
  constructor(path: string, at: number, what: string, done = "") {
    super(`${path} is damaged at ${at}: ${what}.${done === "" ? "" : ` ${done}.`}`);
    this.path = path;
    this.at = at;
    this.what = what;
  }
}

/** Nothing is broken: another program has written what this one does not understand, and it is left to that one. */
export class Foreign extends Damage {
  override readonly code = "FOREIGN";
  constructor(path: string, at: number, what: string, done = "") {
    super(path, at, what, done);
    this.message = `${path} is not understood: ${what}.${done === "" ? "" : ` ${done}.`}`;
  }
}

/** Takes note of what is damaged. */
export type Report = (damage: Damage) => void;
