/** The properties of a method (rfc9110#9.2). */
type Properties = { readonly safe: boolean; readonly idempotent: boolean; readonly cacheable: boolean };

const METHODS: ReadonlyMap<string, Properties> = new Map([
  ["GET", { safe: true, idempotent: true, cacheable: true }],
  ["HEAD", { safe: true, idempotent: true, cacheable: true }],
  ["OPTIONS", { safe: true, idempotent: true, cacheable: false }],
  ["TRACE", { safe: true, idempotent: true, cacheable: false }],
  ["PUT", { safe: false, idempotent: true, cacheable: false }],
  ["DELETE", { safe: false, idempotent: true, cacheable: false }],
  ["POST", { safe: false, idempotent: false, cacheable: true }],
  ["CONNECT", { safe: false, idempotent: false, cacheable: false }],
]);

/** Read-only in intent (rfc9110#9.2.1); false for an unknown method. */
export const isSafe = (method: string): boolean => METHODS.get(method)?.safe === true;
/** Whether a request may be repeated if its response was lost (rfc9110#9.2.2). */
export const isIdempotent = (method: string): boolean => METHODS.get(method)?.idempotent === true;
/** Whether a response may be stored for reuse (rfc9110#9.2.3). */
export const isCacheable = (method: string): boolean => METHODS.get(method)?.cacheable === true;
