import { Readable } from "node:stream";
import { createGzip, gzipSync } from "node:zlib";
import type { Request, Response } from "../../http/index.ts";

/** Shorter answers gain nothing. */
const WORTH_IT = 1_400;

/** The answer, compressed where the client takes it so (rfc9110#12.5.3). */
export function compressed({ fields, method }: Request, response: Response): Response {
  const { body } = response;
  if (method === "HEAD" || body === undefined || !takesGzip(fields.get("accept-encoding") ?? "")) return response;
  if ((typeof body === "string" || body instanceof Uint8Array) && body.length < WORTH_IT) return response;
  const packed =
    typeof body === "string" || body instanceof Uint8Array ? gzipSync(body) : Readable.from(body, { objectMode: false }).pipe(createGzip());
  return {
    ...response,
    fields: [...(response.fields ?? []), ["content-encoding", "gzip"], ["vary", "accept-encoding"]],
    body: packed,
  };
}

function takesGzip(accepted: string): boolean {
  return accepted.split(",").some((one) => {
    const [coding = "", ...parameters] = one.split(";").map((part) => part.trim().toLowerCase());
    return (coding === "gzip" || coding === "x-gzip") && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
}
