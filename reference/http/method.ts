/** What a method promises (rfc9110#9.2). */
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

/** Read-only in intent (rfc9110#9.2.1); a method nobody has defined here is not known to be. */
export const isSafe = (method: string): boolean => METHODS.get(method)?.safe === true;
/** May be repeated when its answer was lost (rfc9110#9.2.2). */
export const isIdempotent = (method: string): boolean => METHODS.get(method)?.idempotent === true;
/** Its response may be stored for reuse (rfc9110#9.2.3). */
export const isCacheable = (method: string): boolean => METHODS.get(method)?.cacheable === true;
