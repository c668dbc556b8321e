/** The caller broke the rules of an interface. The message says what to do instead. */
export class Misuse extends Error {
  override readonly name = "Misuse";
  readonly code = "MISUSE";
}

/** Our own mistake: the program reached an impossible state. Report it, never catch it. */
export class Bug extends Error {
  override readonly name = "Bug";
  readonly code = "BUG";
}
