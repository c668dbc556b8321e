import { NEVER } from "../../core/index.ts";
import { now } from "../../io/index.ts";
import { CallFailed, type Hedging, type Metadata, Status } from "../../rpc/index.ts";
import { type AskedCall, Refusal } from "./attempt.ts";
import type { ReceivedMessages } from "./received-messages.ts";

/**
 * Sends copies of a call as its policy says, until one has headers; the others are cancelled (rpc-retries#summary-of-retry-and-hedging-logic). The caller sees the
 * metadata of that one alone.
 */
export function hedged(
  hedging: Hedging,
  asked: AskedCall,
  send: (copy: AskedCall) => Promise<ReceivedMessages<unknown>>,
): Promise<ReceivedMessages<unknown>> {
  const { promise, resolve, reject } = Promise.withResolvers<ReceivedMessages<unknown>>();
  const { options } = asked;
  const running = new Set<AbortController>();
  let winner: AbortController | undefined;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    isOver = true;
    clearTimeout(timer);
    for (const other of running) if (other !== winner) other.abort();
  };
  const sendDue = (): void => {
    clearTimeout(timer);
    if (isOver) return;
    // An attempt begins later than it is sent: it cannot end the call here.
    while (hedging.take(now())) void attempt(hedging.sent - 1);
    if (hedging.deadline !== NEVER) timer = setTimeout(sendDue, Math.max(1, hedging.deadline - now() + 1));
  };
  const attempt = async (attempts: number): Promise<void> => {
    const mine = new AbortController();
    running.add(mine);
    const signal = options.signal === undefined ? mine.signal : AbortSignal.any([options.signal, mine.signal]);
    const onHeaders = (metadata: Metadata): void => {
      winner ??= mine;
      if (winner === mine) options.onHeaders?.(metadata);
    };
    const onTrailers = (metadata: Metadata): void => {
      if (winner === mine) options.onTrailers?.(metadata);
    };
    const ended: AskedCall["ended"] = (status) => hedging.ended(status);
    try {
      const responses = await send({ ...asked, attempts, ended, options: { ...options, signal, onHeaders, onTrailers } });
      winner ??= mine;
      if (isOver || winner !== mine) {
        responses.stop();
        return;
      }
      end();
      resolve(responses);
    } catch (error) {
      running.delete(mine);
      if (isOver) return;
      const failure = error instanceof CallFailed ? error : new CallFailed(Status.INTERNAL, String(error), { cause: error });
      const verdict = hedging.failed(failure.status, failure instanceof Refusal ? failure.pushBack : undefined, now());
      if (verdict === "goes on") return sendDue();
      end();
      options.onTrailers?.(failure.metadata);
      reject(error as Error);
    }
  };
  sendDue();
  return promise;
}
