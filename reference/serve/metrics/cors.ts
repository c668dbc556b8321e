import { RE2JS } from "re2js";
import { Misuse } from "../../core/index.ts";
import type { Request, Response } from "../../http/index.ts";

/** What a page of another origin may send and read (Fetch, "CORS protocol"). */
const ALLOWED: readonly (readonly [string, string])[] = [
  ["access-control-allow-methods", "GET, POST, OPTIONS"],
  ["access-control-allow-headers", "accept, authorization, content-type, origin"],
  ["access-control-expose-headers", "date"],
];

/** Lets browsers give responses to pages of other origins: those that the pattern matches as a whole, none without a pattern. */
export class Sharing {
  readonly #origins: RE2JS | undefined;

  /** Throws `Misuse` for an invalid pattern, which is in the syntax of RE2. */
  constructor(origins: string | undefined) {
    try {
      this.#origins = origins === undefined ? undefined : RE2JS.compile(origins);
    } catch (error) {
      throw new Misuse(`the pattern of origins, ${JSON.stringify(origins)}, is invalid: ${(error as Error).message}`);
    }
  }

  /** The response with the fields that the origin of the request needs. */
  response(request: Request, response: Response): Response {
    if (this.#origins === undefined) return response;
    const origin = request.fields.get("origin");
    const isShared = origin !== undefined && this.#origins.matches(origin);
    const more = isShared ? [["access-control-allow-origin", origin] as const, ...ALLOWED] : [];
    // Caches must not give the answer for one origin to another (rfc9110#12.5.5).
    return { ...response, fields: [...(response.fields ?? []), ["vary", "origin"], ...more] };
  }
}
