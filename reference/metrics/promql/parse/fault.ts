import type { Span } from "../syntax/ast.ts";

/** Why a text is not a valid expression, and where. */
export type ParseFault = {
  readonly is: "fault";
  readonly message: string;
  readonly span: Span;
  /** A syntax error, or a semantic error: a wrong type, a duplicate modifier. */
  readonly concerns: "form" | "meaning";
};
export const parseFault = (message: string, { start, end }: Span, concerns: ParseFault["concerns"] = "form"): ParseFault => ({
  is: "fault",
  message,
  span: { start, end },
  concerns,
});

/** Carries a fault out of the recursion of the parser; `parse` catches it and returns the fault. */
export class Stop extends Error {
  readonly fault: ParseFault;
  constructor(fault: ParseFault) {
    super(fault.message);
    this.fault = fault;
  }
}

/** Ends the parse. */
export function stop(message: string, span: Span): never {
  throw new Stop(parseFault(message, span));
}
