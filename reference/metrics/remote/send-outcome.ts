import type { WriteMessage } from "./write-request.ts";

/** What the answer to a request means for its samples (Prometheus specs, prw/remote_write_spec_2_0.md, "Retries & Backoff"). */
export type SendOutcome =
  | { readonly is: "accepted" }
  /** Sending it again would not help. */
  | { readonly is: "refused"; readonly why: string }
  /** `afterMs`: the receiver said when. */
  | { readonly is: "retry"; readonly why: string; readonly afterMs?: number };

export type Answer = { readonly status: number; readonly field: (name: string) => string | undefined; readonly text: string };

/** The longest wait that a receiver may ask for; without a limit one answer could stop a queue for years. */
export const MOST_RETRY_AFTER_MS: number = 60 * 60_000;
const WRITTEN: readonly string[] = ["samples", "histograms", "exemplars"].map((kind) => `x-prometheus-remote-write-${kind}-written`);

export function outcomeOf(
  answer: Answer,
  message: WriteMessage,
  { retry429, now }: { readonly retry429: boolean; readonly now: number },
): SendOutcome {
  const { status, field, text } = answer;
  if (status >= 200 && status < 300) {
    // A receiver of protocol 1 that does not look at the Content-Type reads nothing of such a request, and finds no mistake in it.
    if (message === "io.prometheus.write.v2.Request" && WRITTEN.every((name) => field(name) === undefined))
      return { is: "refused", why: `it answers ${status} without saying what it wrote: it does not know protocol 2` };
    return { is: "accepted" };
  }
  // What the body says is for people: it is passed on as it is.
  const why = `it answers ${status}${text === "" ? "" : `: ${text}`}`;
  if (status < 500 && (status !== 429 || !retry429)) return { is: "refused", why };
  const afterMs = retryAfter(field("retry-after"), now);
  return { is: "retry", why, ...(afterMs !== undefined && { afterMs }) };
}

/** Milliseconds of a Retry-After field: seconds, or a date (rfc9110#10.2.3). */
function retryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isNaN(ms) || ms < 0 ? undefined : Math.min(ms, MOST_RETRY_AFTER_MS);
}
