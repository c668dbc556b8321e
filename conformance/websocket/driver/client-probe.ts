import type { Feature } from "../../harness/driver.ts";
import { membersOf } from "../../wire/http1/read.ts";
import { printable } from "../../wire/octets.ts";
import { FAIL_REQUEST, LIMIT_NAMES, limitFeature, LIMITS_REQUEST, limitsIn } from "../limits.ts";
import { TOLD_REQUEST } from "../telling.ts";
import type { Ask, Case } from "../vocabulary.ts";
import type { WebSocketClientStage } from "./client-stage.ts";

/** Optional features that cases need of a client, found out by a few plain connections before the first case. */
export const CLIENT_FEATURES: Readonly<Record<string, string>> = {
  http1: "it opens WebSockets over HTTP/1.1",
  http2: "it opens WebSockets over HTTP/2 (rfc8441)",
  subprotocol: "with ?protocols=chat,superchat in its address, it offers these sub-protocols",
  "offers deflate": "its handshake offers permessage-deflate",
  "offers a server window": "it does so with server_max_window_bits, below 15",
  "offers no takeover": "it does so with server_no_context_takeover",
  deflate: "it offers permessage-deflate, and goes on when we agree to it",
  "no deflate": "it does not offer permessage-deflate",
  "client window": "its offer of permessage-deflate has client_max_window_bits",
  "no client window": "it offers permessage-deflate, without client_max_window_bits",
  "asks nothing": "it offers permessage-deflate without restrictions on either side",
  "asks a server window": "its offer of permessage-deflate has server_max_window_bits, below 15",
  "asks no takeover": "its offer of permessage-deflate has server_no_context_takeover",
  compresses: "with permessage-deflate a long message of one letter comes back compressed",
  tells: `it prints a line "${TOLD_REQUEST} it JSON" with what it was told about the end of its connection`,
  large: "a message of 1 MiB comes back",
  "fails on request": `on the text message "${FAIL_REQUEST}" its program fails, and it closes the connection`,
  ...Object.fromEntries(
    LIMIT_NAMES.map((name) => [limitFeature(name), `the answer to the text message "${LIMITS_REQUEST}" names ${name}`]),
  ),
  tls: "the client is given a wss: address",
  clear: "the client is given a ws: address",
};

/** Performs steps, and returns their stage. */
export type Try = (steps: Case["steps"], ask?: Ask) => Promise<{ readonly stage: WebSocketClientStage; readonly stop: string | undefined }>;
/** What the probe found out, and its first stage; `reason` if no case can be performed with such a client. */
export type Found = { readonly features: ReadonlyMap<string, Feature>; readonly stage: WebSocketClientStage; readonly reason?: string };

const MEBI = 1_048_576;
const LETTERS = { opcode: "text", fill: { text: "a", count: 2000 }, deflate: {} } as const;
const GOOD: Case["steps"] = [{ do: "open" }];
const LARGE: Case["steps"] = [{ do: "open" }, { do: "send", frames: [{ opcode: "binary", fill: { text: "m", count: MEBI } }] }];
const CLOSED: Case["steps"] = [{ do: "open" }, { do: "send", frames: [{ opcode: "close", code: 1000 }] }, { do: "hear" }];
const textOf = (text: string): Case["steps"] => [{ do: "open" }, { do: "send", frames: [{ opcode: "text", text }] }];
const AGREED: Case["steps"] = [{ do: "open", more: ["{deflate}"] }];
const PACKED: Case["steps"] = [...AGREED, { do: "send", frames: [LETTERS] }];

const is = (has: boolean, how: string): Feature => ({ has, how });
const offerOf = (stage: WebSocketClientStage): string | undefined =>
  membersOf(stage.connections.get(1)?.request?.fields ?? [], "sec-websocket-extensions").find((one) =>
    one.startsWith("permessage-deflate"),
  );

/** `stage` is that of the first connection, from which the caller sees whether the client connects at all. */
export async function probeClient(perform: Try): Promise<Found> {
  const { stage, stop } = await perform(GOOD);
  if (!stage.fenced) {
    const why = stop ?? "it ended the connection";
    return {
      features: new Map(),
      stage,
      reason: `The client does not echo messages: ${why}. It must send every message back.`,
    };
  }
  const offer = offerOf(stage);
  const [asked, closed, told, failing, large, agreed, packed] = await Promise.all([
    perform(GOOD, { protocols: ["chat", "superchat"] }),
    perform(CLOSED),
    perform(textOf(LIMITS_REQUEST)),
    perform(textOf(FAIL_REQUEST)),
    perform(LARGE),
    offer === undefined ? undefined : perform(AGREED),
    offer === undefined ? undefined : perform(PACKED),
  ]);
  const protocols = membersOf(asked.stage.connections.get(1)?.request?.fields ?? [], "sec-websocket-protocol");
  const [message] = packed?.stage.connections.get(1)?.theirs.messages ?? [];
  const has = agreed?.stage.fenced === true;
  const said = offer === undefined ? "its handshake does not offer permessage-deflate" : `it offers "${printable(offer)}"`;
  const [mebi] = large.stage.connections.get(1)?.theirs.messages ?? [];
  const scheme = stage.values()["scheme"];
  const hasWindow = offer?.includes("client_max_window_bits") === true;
  const carrier = stage.connections.get(1)?.carriedBy;
  const version = `it opens WebSockets over ${carrier === "http2" ? "HTTP/2" : "HTTP/1.1"}`;
  const limits = /server_max_window_bits="?(?:[89]|1[0-4])\b/.test(offer ?? "");
  const keepsNone = offer?.includes("server_no_context_takeover") === true;
  const [answer] = told.stage.connections.get(1)?.theirs.messages ?? [];
  const named = limitsIn(Buffer.from(answer?.payload ?? []).toString());
  const limited = named.length === 0 ? "it sent the question about its limits back, or nothing" : `it named ${printable(named.join(", "))}`;
  const fails = failing.stage.connections.get(1)?.theirs.close !== undefined;
  const features = new Map([
    ...LIMIT_NAMES.map((name) => [limitFeature(name), is(named.includes(name), limited)] as const),
    ["fails on request", is(fails, fails ? "it sent a Close frame" : "it sent the request to fail back, or nothing")],
    ["http1", is(carrier === "http1", version)],
    ["http2", is(carrier === "http2", version)],
    ["offers deflate", is(offer !== undefined, said)],
    ["offers a server window", is(limits, said)],
    ["offers no takeover", is(keepsNone, said)],
    [
      "subprotocol",
      is(protocols.join() === "chat,superchat", protocols.length === 0 ? "it offers no sub-protocol" : `it offers ${protocols.join(", ")}`),
    ],
    ["deflate", is(has, offer === undefined || has ? said : "it does not go on when we agree to it")],
    ["no deflate", is(offer === undefined, said)],
    ["client window", is(has && hasWindow, said)],
    ["no client window", is(has && !hasWindow, said)],
    ["asks nothing", is(has && offer !== undefined && !/server_|client_no/.test(offer), said)],
    ["asks a server window", is(has && limits, said)],
    ["asks no takeover", is(has && keepsNone, said)],
    ["compresses", is(message?.compressed === true, has ? "it came back as it is, or not at all" : said)],
    ["tells", is(closed.stage.reports.size > 0, closed.stage.reports.get(1) ?? "it prints no report")],
    ["large", is(mebi?.payload.length === MEBI, "a message of 1 MiB did not come back")],
    ["tls", is(scheme === "wss", `the address is ${scheme}:`)],
    ["clear", is(scheme === "ws", `the address is ${scheme}:`)],
  ]);
  return { features, stage };
}
