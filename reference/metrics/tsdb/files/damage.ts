/**
 * Octets on disk that violate their format: the file, the position and the fault. Thrown while reading; callers report it, leave the damaged part out
 * and keep the rest readable.
 */
export class Damage extends Error {
  override readonly name = "Damage";
  readonly code: string = "DAMAGE";
  readonly path: string;
  /** In octets from the start of the file. */
  readonly at: number;
  readonly what: string;

  /** `done`: what was done about it, for the operator. */
  constructor(path: string, at: number, what: string, done = "") {
    super(`${path} is damaged at ${at}: ${what}.${done === "" ? "" : ` ${done}.`}`);
    this.path = path;
    this.at = at;
    this.what = what;
  }
}

/** Not damage: data in a format that this version does not know. It is left where it is. */
export class Foreign extends Damage {
  override readonly code = "FOREIGN";
  constructor(path: string, at: number, what: string, done = "") {
    super(path, at, what, done);
    this.message = `${path} has an unknown format: ${what}.${done === "" ? "" : ` ${done}.`}`;
  }
}

/** Receives damage as it is found. */
export type Report = (damage: Damage) => void;
