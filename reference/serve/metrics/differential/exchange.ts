import { Agent, request } from "node:http";
import type { ApiRequest } from "./requests.ts";

/** The comparable part of a response. */
export type ApiResponse = {
  readonly status: number;
  /** The media type without parameters. */
  readonly type: string;
  /** The JSON content; other content is not compared. */
  readonly envelope: Envelope | undefined;
};
/** The JSON object of every API response, its members unchecked (Prometheus docs, querying/api.md, "Format overview"). */
export type Envelope = {
  readonly status?: unknown;
  readonly data?: unknown;
  readonly errorType?: unknown;
  readonly error?: unknown;
  readonly warnings?: unknown;
  readonly infos?: unknown;
};

/** Sends a request as it is, valid or not. */
export function send(agent: Agent, url: string, { method, path, body, type }: ApiRequest): Promise<ApiResponse> {
  const { hostname, port } = new URL(url);
  // node:http writes a target as Latin-1: this puts the octets of its UTF-8 on the wire.
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
