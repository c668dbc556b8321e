import { type AwsKeys, refusalOf } from "../../../metrics/discovery/index.ts";
import { type Reader, StatusFault } from "../discovery/reader.ts";
import { signed } from "./signature.ts";

/** A request to a service with the query protocol of Amazon Web Services. */
export type AwsCall = {
  readonly endpoint: string;
  readonly service: "ec2" | "sts";
  readonly region: string;
  readonly keys: AwsKeys;
  readonly params: readonly (readonly [name: string, value: string])[];
  readonly signal: AbortSignal;
};

/** A service refused a request. */
export class AwsRefusal extends Error {
  override readonly name = "AwsRefusal";
}

const ANSWER_MS = 60_000;
const TYPE = "application/x-www-form-urlencoded; charset=utf-8";

/** The text of the answer. Rejects with the code and the message of a refusal. */
export async function call(reader: Reader, { endpoint, service, region, keys, params, signal }: AwsCall): Promise<string> {
  const url = new URL(endpoint.includes("://") ? endpoint : `https://${endpoint}`).href;
  const body = params.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&");
  const fields = { "content-type": TYPE };
  const { "content-type": type, ...rest } = signed({ method: "POST", url, fields, body, service, region, keys, now: Date.now() });
  try {
    const all = Object.entries({ "content-type": type ?? TYPE, ...rest });
    return (await reader.read(url, { method: "POST", fields: all, body, signal, timeoutMs: ANSWER_MS })).text;
  } catch (error) {
    const refusal = error instanceof StatusFault ? refusalOf(error.content) : undefined;
    if (refusal === undefined) throw error;
    // The cause is the same in XML.
    // oxlint-disable-next-line preserve-caught-error
    throw new AwsRefusal(`${service} answers: ${refusal}`);
  }
}
