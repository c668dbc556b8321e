/** A script cannot be read: which line, and why. */
export class ScriptError extends Error {
  override readonly name = "ScriptError";
  readonly line: number;
  constructor(line: number, why: string) {
    super(`line ${line}: ${why}`);
    this.line = line;
  }
}
