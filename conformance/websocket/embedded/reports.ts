import type { Ending, OnOpen, WebSocketOptions } from "../../../reference/serve/websocket/index.ts";
import { NAME_FIELD, TOLD_REQUEST, toldAbout } from "../telling.ts";

type Request = Parameters<OnOpen>[1];
type OnRefused = NonNullable<WebSocketOptions["onRefused"]>;
/** Names whose ends nobody has asked for. */
const MOST = 10_000;

/** What a program was told, in the words of the report. */
export const reportOf = ({ code, reason, clean, fault }: Ending): object => ({
  code,
  reason,
  clean,
  fault: fault?.name,
  rule: fault?.spec,
});

/** The ends of named connections, for the questions of the suite. */
export class Reports {
  readonly #ends = new Map<string, Promise<object>>();

  watch(request: Request, ended: Promise<Ending>): void {
    this.#keep(request, ended.then(reportOf));
  }
  readonly refused: OnRefused = ({ name, status, spec }, why, request) => {
    this.#keep(request, Promise.resolve({ code: 1006, reason: "", clean: false, fault: name, rule: spec, status, why }));
  };
  /** The answer to a question; undefined if the text is something else. */
  answer(text: string): Promise<string> | undefined {
    if (!text.startsWith(`${TOLD_REQUEST} `)) return undefined;
    const name = text.slice(TOLD_REQUEST.length + 1);
    const ended = this.#ends.get(name);
    this.#ends.delete(name);
    return Promise.resolve(ended).then((report) => toldAbout(name, report ?? null));
  }

  #keep(request: Request, report: Promise<object>): void {
    const name = request.fields.get(NAME_FIELD.toLowerCase());
    if (name !== undefined && this.#ends.size < MOST) this.#ends.set(name, report);
  }
}
