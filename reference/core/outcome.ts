/** The caller broke the rules of an interface. The message says what to do instead. */
export class Misuse extends Error {
  override readonly name = "Misuse";
  readonly code = "MISUSE";
}

/** We are wrong: a state that cannot be was reached. Worth a report, never worth catching. */
export class Bug extends Error {
  override readonly name = "Bug";
  readonly code = "BUG";
}
