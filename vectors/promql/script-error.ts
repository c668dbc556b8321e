/** A script is invalid: the line, and why. */
export class ScriptError extends Error {
  override readonly name = "ScriptError";
  readonly line: number;
  constructor(line: number, why: string) {
    super(`line ${line}: ${why}`);
    this.line = line;
  }
}
