import { createHash } from "node:crypto";
import type { Field } from "../../../reference/core/index.ts";
import { Fields, type RequestHead } from "../../../reference/http/index.ts";
import {
  acceptConnect,
  acceptHttp1,
  answerDeflate,
  type ClientPolicy,
  type DeflatePolicy,
  offerConnect,
  offerDeflate,
  offerHttp1,
  type OriginPolicy,
  readConnectAnswer,
  readDeflateAnswer,
  readExtensions,
  readHttp1Answer,
  type ServerPolicy,
  writeExtensions,
} from "../../../reference/websocket/index.ts";
import { among, below, chance, type Draw, tried } from "./draw.ts";
import { keysFrom } from "./websocket-machine.ts";

const sha1 = (text: string): Uint8Array => createHash("sha1").update(text).digest();
type Line = readonly [name: string, value: string];

const bitsOf = (draw: Draw): number => (chance(draw, 0.06) ? among(draw, [7, 16, 9.5, 0]) : 8 + below(draw, 8));
function policyOf(draw: Draw): DeflatePolicy {
  return {
    ...(chance(draw, 0.4) ? { serverTakeover: chance(draw, 0.4) } : {}),
    ...(chance(draw, 0.4) ? { clientTakeover: chance(draw, 0.4) } : {}),
    ...(chance(draw, 0.4) ? { serverBits: bitsOf(draw) } : {}),
    ...(chance(draw, 0.4) ? { clientBits: bitsOf(draw) } : {}),
    ...(chance(draw, 0.4) ? { offersClientBits: chance(draw, 0.5) } : {}),
  };
}

const PARAMETERS = [
  "server_no_context_takeover",
  "client_no_context_takeover",
  "server_max_window_bits",
  "client_max_window_bits",
  "client_max_window_bits",
] as const;
const VALUES = [
  "8",
  "9",
  "10",
  "12",
  "14",
  "15",
  "7",
  "16",
  "08",
  "1",
  "",
  "x",
  '"10"',
  '"1\\0"',
  '"',
  '""',
  '"10',
  '10"',
  '"a,b"',
  "150",
  "1 0",
  '"\\"',
] as const;
const SPACES = ["", "", "", " ", "\t", "  "] as const;
function extensionText(draw: Draw): string {
  const name = chance(draw, 0.8)
    ? "permessage-deflate"
    : among(draw, ["x-foo", "", "a b", "permessage-deflate2", "Permessage-Deflate", '"x"', "é"]);
  let text = name;
  for (let left = below(draw, 4); left > 0; left--) {
    const parameter = chance(draw, 0.9) ? among(draw, PARAMETERS) : among(draw, ["other", "", "é", "a b", '"q"']);
    const isBits = parameter.endsWith("bits");
    const value = chance(draw, isBits ? 0.75 : 0.06)
      ? `${among(draw, SPACES)}=${among(draw, SPACES)}${chance(draw, 0.75) ? String(8 + below(draw, 8)) : among(draw, VALUES)}`
      : "";
    text += `${among(draw, SPACES)};${among(draw, SPACES)}${parameter}${value}`;
  }
  return text;
}
function extensionLines(draw: Draw): string[] {
  if (chance(draw, 0.03)) {
    const count = among(draw, [63, 64, 65, 66]);
    return [chance(draw, 0.5) ? Array.from({ length: count }, (_, i) => `x${i}`).join(",") : `x${";p".repeat(count - 1)}`];
  }
  return Array.from({ length: 1 + below(draw, 2) }, () =>
    Array.from({ length: chance(draw, 0.7) ? 1 : below(draw, 4) }, () => extensionText(draw)).join(
      `${among(draw, SPACES)},${among(draw, SPACES)}`,
    ),
  );
}

const NAMES = ["chat", "superchat", "v1.touch", "x"] as const;
const namesOf = (draw: Draw): string[] => Array.from({ length: 1 + below(draw, 3) }, () => among(draw, NAMES));
const ORIGINS = [
  "http://example.com",
  "HTTP://EXAMPLE.com:80",
  "https://example.com",
  "https://example.com:443",
  "http://example.com:8080",
  "http://[::1]",
  "null",
  "file",
  "example.com",
  "http://",
  "*",
] as const;
function serverPolicy(draw: Draw): ServerPolicy {
  const origins: OriginPolicy | undefined = chance(draw, 0.5)
    ? undefined
    : chance(draw, 0.3)
      ? (origin) => origin.length % 2 === 0
      : Array.from({ length: below(draw, 3) }, () => among(draw, ORIGINS));
  const list = namesOf(draw);
  const subprotocols = chance(draw, 0.4)
    ? undefined
    : chance(draw, 0.7)
      ? list
      : (offered: readonly string[]) => (chance(draw, 0.15) ? "never-offered" : offered[offered.length - 1]);
  return {
    ...(origins === undefined ? {} : { origins }),
    ...(subprotocols === undefined ? {} : { subprotocols }),
    ...(chance(draw, 0.6) ? { deflate: policyOf(draw) } : {}),
  };
}

const say = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (part === undefined ? null : typeof part === "function" ? "function" : part));
const saidFields = (fields: readonly Field[]): string => fields.map(({ name, value }) => `${name}: ${value}`).join(" | ");

/** A request with fields of a handshake: some are absent, wrong, twice, or in another form. */
export function requestOf(draw: Draw, isConnect: boolean): RequestHead {
  const lines: Line[] = [];
  const put = (name: string, good: string, bad: readonly [string, ...string[]], missing = 0.03): void => {
    if (chance(draw, missing)) return;
    lines.push([name, chance(draw, 0.1) ? among(draw, bad) : good]);
    if (chance(draw, 0.03)) lines.push([name, chance(draw, 0.5) ? good : among(draw, bad)]);
  };
  if (!isConnect) {
    put("Upgrade", among(draw, ["websocket", "websocket", "WebSocket", "h2c, websocket", "websocket , x"]), [
      "h2c",
      "websocket/13",
      "",
      "web socket",
      "x,y",
    ]);
    put("Connection", among(draw, ["Upgrade", "Upgrade", "keep-alive, Upgrade", "upgrade"]), ["keep-alive", "", "upgrades", "a b", "é"]);
    put("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==", [
      "dGhlIHNhbXBsZSBub25jZR==",
      "dGhlIHNhbXBsZSBub25jZQ=",
      "dGhlIHNhbXBsZSBub25jZ===",
      "",
      "dGhlIHNhbXBsZSBub25j-Q==",
      "xdGhlIHNhbXBsZSBub25jZQ==",
      "dGhlIHNhbXBsZSBub25jZQ==x",
    ]);
  }
  put("Sec-WebSocket-Version", "13", ["8", "12", "14", "0", "255", "256", "013", "13 ", "", "x", "-1", "13, 8", "1000"]);
  if (chance(draw, 0.4))
    put("Origin", among(draw, ORIGINS), ["http://evil.example", "null", "", "http://example.com/path", "HTTP://example.com"], 0);
  if (chance(draw, 0.5))
    put(
      "Sec-WebSocket-Protocol",
      namesOf(draw).join(among(draw, [",", ", ", " ,", ",,"])),
      ["", ",", "a b", "é", "chat, chat", "chat;x"],
      0,
    );
  if (chance(draw, 0.6)) for (const line of extensionLines(draw)) lines.push(["Sec-WebSocket-Extensions", line]);
  return {
    version: isConnect ? (chance(draw, 0.7) ? "HTTP/2" : "HTTP/3") : chance(draw, 0.03) ? "HTTP/1.0" : "HTTP/1.1",
    method: isConnect
      ? chance(draw, 0.05)
        ? "GET"
        : "CONNECT"
      : chance(draw, 0.03)
        ? among(draw, ["POST", "HEAD", "get", "CONNECT"])
        : "GET",
    scheme: chance(draw, 0.6) ? "http" : "https",
    authority: among(draw, [
      "example.com",
      "example.com",
      "example.com:80",
      "example.com:443",
      "EXAMPLE.com",
      "[::1]",
      "other.example:8080",
      "",
    ]),
    path: "/chat",
    ...(isConnect && chance(draw, 0.97)
      ? { protocol: among(draw, ["websocket", "websocket", "websocket", "WebSocket", "webtransport", ""]) }
      : {}),
    fields: Fields.from(lines),
  } as RequestHead;
}

/** A server judges a request; a client then judges that server's response, most often with a change. */
export function handshakeLife(draw: Draw): string {
  const lines: string[] = [];
  const isConnect = chance(draw, 0.35);
  const policy: ClientPolicy = {
    ...(chance(draw, 0.5)
      ? { subprotocols: chance(draw, 0.9) ? [...new Set(namesOf(draw))] : among(draw, [["chat", "chat"], ["a b"], []]) }
      : {}),
    ...(chance(draw, 0.6) ? { deflate: policyOf(draw) } : {}),
    ...(chance(draw, 0.3) ? { origin: among(draw, ORIGINS) } : {}),
  };
  const offer = tried(() => (isConnect ? offerConnect(policy) : offerHttp1(policy, keysFrom(draw))));
  lines.push(say(policy), typeof offer === "string" ? offer : `${saidFields(offer.fields)} ${offer.key} ${say(offer.deflate)}`);
  const own = typeof offer !== "string" && chance(draw, 0.4);
  const drawn = requestOf(draw, isConnect);
  const request = own ? { ...drawn, fields: Fields.from(offer.fields.map(({ name, value }) => [name, value] as const)) } : drawn;
  const server = serverPolicy(draw);
  const found = tried(() => (isConnect ? acceptConnect(request, server) : acceptHttp1(request, server, sha1)));
  lines.push(say({ ...request, fields: request.fields.list }), say(server));
  if (typeof found === "string") return [...lines, found].join("\n");
  lines.push(`${say({ ...found, fields: [] })} ${saidFields(found.fields)}`);
  if (typeof offer === "string") return lines.join("\n");
  const response: Line[] = found.fields.map(({ name, value }) => [name, value]);
  if (!isConnect)
    response.push(
      ["Upgrade", among(draw, ["websocket", "WebSocket", "websocket", "h2c", "websocket, h2c"])],
      ["Connection", among(draw, ["Upgrade", "upgrade", "keep-alive, Upgrade", "close"])],
    );
  if (chance(draw, 0.3)) response.push(["Sec-WebSocket-Extensions", extensionLines(draw)[0] ?? ""]);
  if (chance(draw, 0.15)) response.push(["Sec-WebSocket-Protocol", among(draw, NAMES)]);
  if (chance(draw, 0.1)) response.push(["Sec-WebSocket-Accept", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="]);
  const answer = Fields.from(response.filter(() => !chance(draw, 0.04)));
  const status = chance(draw, 0.75) ? (isConnect ? 200 : 101) : among(draw, [100, 101, 199, 200, 201, 204, 299, 300, 401, 500]);
  const judged = tried(() => (isConnect ? readConnectAnswer(status, answer, offer) : readHttp1Answer(status, answer, offer, sha1)));
  lines.push(`${status} ${say([...answer])}`, say(judged));
  return lines.join("\n");
}

/** The grammar of extensions, and the parameters of permessage-deflate. */
export function extensionLife(draw: Draw): string {
  const lines: string[] = [];
  for (let left = 4; left > 0; left--) {
    const given = extensionLines(draw);
    const read = readExtensions(given);
    lines.push(say(given), read === undefined ? "invalid" : `${say(read)} ${writeExtensions(read)}`);
    const [policy, other] = [policyOf(draw), policyOf(draw)];
    lines.push(say(policy), say(other));
    const offer = tried(() => offerDeflate(policy));
    lines.push(say(offer));
    const offers = chance(draw, 0.6) && typeof offer !== "string" ? [...(read ?? []).slice(0, below(draw, 2)), offer] : (read ?? []);
    const answer = tried(() => answerDeflate(offers, other));
    lines.push(say(answer));
    const judged = typeof answer === "object" && chance(draw, 0.5) ? answer.answer : read?.[0];
    if (judged !== undefined) lines.push(say(tried(() => readDeflateAnswer(judged, policy)) ?? "unfit"));
  }
  return lines.join("\n");
}
