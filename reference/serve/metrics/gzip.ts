import { Readable } from "node:stream";
import { createGzip, gzipSync } from "node:zlib";
import type { Request, Response } from "../../http/index.ts";

/** Shorter responses fit in one packet anyway. */
const MIN_LENGTH = 1_400;

/** The response, compressed if the client accepts gzip (rfc9110#12.5.3). */
export function compressed({ fields, method }: Request, response: Response): Response {
  const { body } = response;
  if (method === "HEAD" || body === undefined || !acceptsGzip(fields.get("accept-encoding") ?? "")) return response;
  const isWhole = typeof body === "string" || body instanceof Uint8Array;
  if (isWhole && body.length < MIN_LENGTH) return response;
  return {
    ...response,
    fields: [...(response.fields ?? []), ["content-encoding", "gzip"], ["vary", "accept-encoding"]],
    body: isWhole ? gzipSync(body) : Readable.from(body, { objectMode: false }).pipe(createGzip()),
  };
}

function acceptsGzip(accepted: string): boolean {
  return accepted.split(",").some((one) => {
    const [coding = "", ...parameters] = one.split(";").map((part) => part.trim().toLowerCase());
    return (coding === "gzip" || coding === "x-gzip") && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
}
