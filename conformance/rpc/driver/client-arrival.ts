/** A performance, as far as it waits for requests of a client. */
type Receiving<Request> = {
  readonly requests: readonly Request[];
  /** The client has reported. */
  readonly over: boolean;
  readonly timeout: number;
  until(isSo: () => boolean, ms: number): Promise<unknown>;
};

/** Waits for the head of a request, by its number from 1; returns why it did not come. */
export async function arrival<Request>(number: number, stage: Receiving<Request>): Promise<Request | string> {
  await stage.until(() => stage.requests.length >= number || stage.over, stage.timeout);
  const found = stage.requests[number - 1];
  if (found !== undefined) return found;
  return stage.over ? `it reported before request ${number} came` : `request ${number} did not come within ${stage.timeout} ms`;
}
