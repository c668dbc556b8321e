import { createHash } from "node:crypto";
import { titled, type Draft, type Note, type RequestVector, type ResponseVector } from "./craft.ts";

/** Handshake heads, line by line. */

export const KEY = "dGhlIHNhbXBsZSBub25jZQ==";
/** The value of Sec-WebSocket-Accept for a key (rfc6455#4.2.2). */
export const acceptOf = (key: string): string => createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");

export type Lines = readonly string[];
const head = (start: string, lines: Lines): string => [start, ...lines, "", ""].join("\r\n");
const REQUEST: Lines = [
  "Host: server.example.com",
  "Upgrade: websocket",
  "Connection: Upgrade",
  `Sec-WebSocket-Key: ${KEY}`,
  "Sec-WebSocket-Version: 13",
];
const RESPONSE: Lines = ["Upgrade: websocket", "Connection: Upgrade", `Sec-WebSocket-Accept: ${acceptOf(KEY)}`];

/** The lines with those named in `change` replaced, or removed if undefined. */
function changed(lines: Lines, change: Readonly<Record<string, string | Lines | undefined>>): Lines {
  const replaced = new Set<string>();
  const kept = lines.flatMap((line) => {
    const name = line.slice(0, line.indexOf(":"));
    if (!(name in change)) return [line];
    replaced.add(name);
    return valuesOf(change[name]).map((value) => `${name}: ${value}`);
  });
  const added = Object.entries(change).flatMap(([name, value]) =>
    replaced.has(name) ? [] : valuesOf(value).map((one) => `${name}: ${one}`),
  );
  return [...kept, ...added];
}
const valuesOf = (value: string | Lines | undefined): Lines => (value === undefined ? [] : typeof value === "string" ? [value] : value);

type Server = RequestVector["server"];
type Change = Readonly<Record<string, string | Lines | undefined>>;
type Ask = { readonly start?: string; readonly server?: Server };
const request = (change: Change, start = "GET /chat HTTP/1.1"): string => head(start, changed(REQUEST, change));

export const accepted = ({
  note,
  spec,
  change,
  flags,
  start,
  server = {},
  ...chosen
}: { readonly note: Note; readonly spec: string; readonly change: Change; readonly flags: readonly string[] } & Ask & {
    readonly key?: string;
    readonly protocol?: string;
    readonly extensions?: string;
  }): Draft<RequestVector> => {
  const { key = KEY, ...rest } = chosen;
  return { ...titled(note), spec, octets: request(change, start), server, messages: [{ accept: acceptOf(key), ...rest }], result: "valid", flags };
};
export const denied = ({
  note,
  spec,
  change,
  fault,
  status,
  flags,
  start,
  server = {},
}: {
  readonly note: Note;
  readonly spec: string;
  readonly change: Change;
  readonly fault: string;
  readonly status: number;
  readonly flags: readonly string[];
} & Ask): Draft<RequestVector> => ({
  ...titled(note),
  spec,
  octets: request(change, start),
  server,
  messages: [],
  result: "invalid",
  fault,
  status,
  flags,
});

type Client = Omit<ResponseVector["client"], "key">;
const response = (change: Change, start = "HTTP/1.1 101 Switching Protocols"): string => head(start, changed(RESPONSE, change));
export const established = ({
  note,
  spec,
  change,
  flags,
  client = {},
  start,
  ...chosen
}: { readonly note: Note; readonly spec: string; readonly change: Change; readonly flags: readonly string[] } & {
  readonly client?: Client;
  readonly start?: string;
  readonly protocol?: string;
  readonly extensions?: string;
}): Draft<ResponseVector> => ({
  ...titled(note),
  spec,
  octets: response(change, start),
  client: { key: KEY, ...client },
  messages: [chosen],
  result: "valid",
  flags,
});
export const failed = ({
  note,
  spec,
  change,
  fault,
  flags,
  client = {},
  start,
}: { readonly note: Note; readonly spec: string; readonly change: Change; readonly fault: string; readonly flags: readonly string[] } & {
  readonly client?: Client;
  readonly start?: string;
}): Draft<ResponseVector> => ({
  ...titled(note),
  spec,
  octets: response(change, start),
  client: { key: KEY, ...client },
  messages: [],
  result: "invalid",
  fault,
  flags,
});
