import type { TranscriptLine } from "../../harness/result.ts";
import type { Case, Refusal, Sight } from "../vocabulary.ts";

const REFUSAL: Readonly<Record<Refusal, string>> = {
  alert: "a TLS alert",
  response: "a response with another status than the good one",
  GOAWAY: "GOAWAY with an error",
  end: "the end of the connection without an alert",
};

function sightInWords(see: Sight): string {
  switch (see.see) {
    case "served":
      return "the good response";
    case "refused":
      return see.by.map((by) => REFUSAL[by]).join(" or ");
    case "request":
      return see.certificate === undefined
        ? "a request"
        : `a request of a client with ${see.certificate === "good" ? "its" : "no"} certificate`;
    case "no request":
      return "no request on the connection";
    case "failure":
      return "an exit status other than 0";
  }
}

/** The allowed outcomes of a case in words. */
export const expectedOf = ({ allowed }: Case): string[] => allowed.map(({ see }) => sightInWords(see));

/** Writes the transcript of one performance. */
export class Transcript {
  readonly lines: TranscriptLine[] = [];
  readonly #began = performance.now();

  add(way: TranscriptLine["way"], means: string): void {
    this.lines.push({ at: Math.round(performance.now() - this.#began), way, means });
  }
}
