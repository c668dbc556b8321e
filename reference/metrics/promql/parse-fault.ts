import type { Span } from "./ast.ts";

/** Why a text is no expression, and where. */
export type ParseFault = { readonly is: "fault"; readonly message: string; readonly span: Span };
export const parseFault = (message: string, span: Span): ParseFault => ({ is: "fault", message, span });

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
