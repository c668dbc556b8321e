import type { Place } from "../place.ts";

/** The text is not a contract. Thrown by the parser and caught at its face: what callers see is a `Problem`. */
export class SyntaxProblem extends Error {
  override readonly name = "SyntaxProblem";
  readonly place: Place;

  constructor(place: Place, message: string) {
    super(message);
    this.place = place;
  }
}
