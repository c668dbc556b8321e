import { createHash, createHmac } from "node:crypto";
import type { AwsKeys } from "../../../metrics/discovery/index.ts";

/** Signature version 4 of Amazon Web Services (its documentation: "Create a signed AWS API request"). */

export type ToSign = {
  readonly method: string;
  readonly url: string;
  /** Names in lower case. All of them are signed, and `host`. */
  readonly fields: Readonly<Record<string, string>>;
  readonly body: string;
  readonly service: string;
  readonly region: string;
  readonly keys: AwsKeys;
  /** Milliseconds since 1970. */
  readonly now: number;
};

const ALGORITHM = "AWS4-HMAC-SHA256";
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Uint8Array, text: string): Buffer => createHmac("sha256", key).update(text).digest();
/** All but unreserved characters as octets in hexadecimal. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (letter) => `%${letter.codePointAt(0)!.toString(16).toUpperCase()}`);
const sorted = (pairs: Iterable<readonly [string, string]>): (readonly [string, string])[] =>
  [...pairs].sort(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1));

/** The fields of a signed request: those given, the time, the token of temporary credentials, and `authorization`. */
export function signed({ method, url, fields, body, service, region, keys, now }: ToSign): Record<string, string> {
  const { host, pathname, searchParams } = new URL(url);
  const time = new Date(now).toISOString().replaceAll(/[:-]|\.\d{3}/g, "");
  const own = { ...fields, "x-amz-date": time, ...(keys.token !== undefined && { "x-amz-security-token": keys.token }) };
  const all = sorted(Object.entries({ ...own, host }));
  const names = all.map(([name]) => name).join(";");
  const request = [
    method,
    pathname
      .split("/")
      .map((part) => encoded(decodeURIComponent(part)))
      .join("/"),
    sorted([...searchParams].map(([name, value]) => [encoded(name), encoded(value)] as const))
      .map((pair) => pair.join("="))
      .join("&"),
    ...all.map(([name, value]) => `${name}:${value.trim().replaceAll(/ +/g, " ")}`),
    "",
    names,
    sha256(body),
  ].join("\n");
  const scope = `${time.slice(0, 8)}/${region}/${service}/aws4_request`;
  const key = scope.split("/").reduce<string | Buffer>((last, part) => hmac(last, part), `AWS4${keys.secretKey}`);
  const signature = hmac(key, [ALGORITHM, time, scope, sha256(request)].join("\n")).toString("hex");
  return { ...own, authorization: `${ALGORITHM} Credential=${keys.accessKey}/${scope}, SignedHeaders=${names}, Signature=${signature}` };
}
