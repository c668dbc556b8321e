import type { Span } from "../syntax/ast.ts";

/** Why a text is no expression, and where. */
export type ParseFault = {
  readonly is: "fault";
  readonly message: string;
  readonly span: Span;
  /** Whether the grammar has no such text, or it has and nothing can be meant by it: a wrong type, a modifier twice. */
  readonly concerns: "form" | "meaning";
};
export const parseFault = (message: string, { start, end }: Span, concerns: ParseFault["concerns"] = "form"): ParseFault => ({
  is: "fault",
  message,
  span: { start, end },
  concerns,
});

/** Carries a fault out of the parser's recursion; `parse` returns what is in it, and nothing else sees it. */
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
