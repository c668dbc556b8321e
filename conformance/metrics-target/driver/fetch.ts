import { gunzipSync } from "node:zlib";
import { dial, HTTP1, type Target } from "../../harness/subject/transport.ts";
import { type RawField, ResponseReader } from "../../wire/http1/read.ts";
import { lacking } from "../../wire/request-fields.ts";
import { ACCEPT, type Step } from "../vocabulary.ts";

/** Asks for the page over a connection of its own, and keeps all that came. */

/** After a complete response: how long more octets, or the end of the connection, are waited for. */
const CLOSING_MS = 250;
/** More octets than any page has end the reading. */
const MOST_OCTETS = 268_435_456;

/** An answer as it came. `status` 0: none. */
export type Answer = {
  readonly status: number;
  readonly fields: readonly RawField[];
  /** The content as it came, and without gzip; undefined if it is not what Content-Encoding says. */
  readonly raw: Uint8Array;
  readonly body: Uint8Array | undefined;
  /** Whether the content is as long as the head says, and nothing follows it. */
  readonly isWhole: boolean;
  /** Octets behind the response. */
  readonly extra: number;
  /** Milliseconds since 1970, when the request was sent and the answer was there. */
  readonly asked: number;
  readonly answered: number;
  /** Why there is no whole answer; empty if there is one. */
  readonly problem: string;
  readonly request: string;
};

/** The values of a field, joined; undefined without it. */
export function fieldOf({ fields }: Answer, name: string): string | undefined {
  const all = fields.filter((one) => one.name.toLowerCase() === name).map(({ value }) => value);
  return all.length === 0 ? undefined : all.join(", ");
}

/** Sends one request and reads until the end of the connection. */
export async function fetchPage(target: Target, step: Step, timeout: number): Promise<Answer> {
  const { accept, coding = "identity", method = "GET", query } = step;
  const path = query === undefined ? target.path : `${target.path}${target.path.includes("?") ? "&" : "?"}${query}`;
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${target.authority}`,
    "Connection: close",
    ...(accept === undefined ? [] : [`Accept: ${ACCEPT[accept]}`]),
    ...(coding === null ? [] : [`Accept-Encoding: ${coding}`]),
  ];
  const names = lines.slice(1).map((line) => [line.slice(0, line.indexOf(":"))] as const);
  const more = lacking(names, target.fields).map(([name, value]) => `${name}: ${value}`);
  const request = lines.filter((line) => !line.startsWith("Host") && !line.startsWith("Connection")).join("; ");
  const asked = Date.now();
  const socket = await dial(target, timeout, HTTP1);
  const reader = new ResponseReader(() => method);
  const problem = await new Promise<string>((resolve) => {
    let closing: NodeJS.Timeout | undefined;
    const end = (why: string): void => {
      clearTimeout(timer);
      clearTimeout(closing);
      socket.destroy();
      resolve(why);
    };
    const timer = setTimeout(() => end(`no whole answer within ${timeout} ms`), timeout);
    socket.on("data", (octets) => {
      reader.push(octets);
      if (reader.length > MOST_OCTETS) end(`more than ${MOST_OCTETS} octets`);
      else if (reader.responses[0]?.complete === true) closing ??= setTimeout(() => end(""), CLOSING_MS);
    });
    socket.once("end", () => {
      reader.end("fin");
      end("");
    });
    socket.once("error", () => {
      reader.end("reset");
      end("the connection is reset");
    });
    socket.write(`${[...lines, ...more].join("\r\n")}\r\n\r\n`);
  });
  const [response] = reader.responses;
  const extra = reader.garbage.reduce((sum, { octets }) => sum + octets.length, 0);
  const isComplete = response?.complete === true;
  return {
    status: response?.status ?? 0,
    fields: response?.fields ?? [],
    raw: response?.content ?? new Uint8Array(),
    body: response === undefined ? undefined : unpacked(response.content, response.fields),
    isWhole: isComplete && extra === 0,
    extra,
    asked,
    answered: Date.now(),
    problem: isComplete ? "" : problem || "the connection ends before the answer does",
    request,
  };
}

function unpacked(content: Uint8Array, fields: readonly RawField[]): Uint8Array | undefined {
  const coding = fields.findLast(({ name }) => name.toLowerCase() === "content-encoding")?.value.toLowerCase() ?? "identity";
  if (coding === "identity" || content.length === 0) return content;
  if (coding !== "gzip" && coding !== "x-gzip") return undefined;
  try {
    return gunzipSync(content, { maxOutputLength: MOST_OCTETS });
  } catch {
    return undefined;
  }
}
