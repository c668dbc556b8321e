import { Agent, request } from "node:http";
import type { Asked } from "./requests.ts";

/** What came back, as far as two servers can be compared. */
export type Answered = {
  readonly status: number;
  /** Without its parameters. */
  readonly type: string;
  /** Octets of a body that is no JSON are of no interest. */
  readonly envelope: Envelope | undefined;
};
/** The JSON object that every answer of the interface is, not yet checked (Prometheus docs, querying/api.md, "Format overview"). */
export type Envelope = {
  readonly status?: unknown;
  readonly data?: unknown;
  readonly errorType?: unknown;
  readonly error?: unknown;
  readonly warnings?: unknown;
  readonly infos?: unknown;
};

/** Sends one request, whatever is odd about it. */
export function send(agent: Agent, url: string, { method, path, body, type }: Asked): Promise<Answered> {
  const { hostname, port } = new URL(url);
  // What is no character of an address is sent as its octets in UTF-8.
  const target = Buffer.from(`/${path}`).toString("latin1");
  const headers = {
    ...(type === undefined || type === "" ? {} : { "content-type": type }),
    ...(body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }),
  };
  return new Promise((resolve, reject) => {
    const sent = request({ agent, hostname, port, method, path: target, headers }, (response) => {
      const parts: Buffer[] = [];
      response
        .on("data", (part: Buffer) => void parts.push(part))
        .on("end", () => {
          const [contentType = ""] = (response.headers["content-type"] ?? "").split(";");
          resolve({ status: response.statusCode ?? 0, type: contentType, envelope: jsonOf(contentType, Buffer.concat(parts)) });
        })
        .on("error", reject);
    });
    sent.on("error", reject).end(body);
  });
}

function jsonOf(type: string, octets: Buffer): Envelope | undefined {
  return type === "application/json" && octets.length > 0 ? (JSON.parse(octets.toString()) as Envelope) : undefined;
}
