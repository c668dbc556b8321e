import type { FrameSpec } from "../../wire/websocket/build.ts";
import { type RequestDraft, OFFER, type WebSocketClientFlaw } from "./flaw.ts";
import { WEBSOCKET_SERVER_FLAWS } from "./server-flaws.ts";

/** The flaws of servers that are about frames and messages: a client can have them too. */
const SHARED = Object.entries(WEBSOCKET_SERVER_FLAWS)
  .filter(([name]) => name !== "wants-whole-handshakes")
  .flatMap(([name, { refuses, answers, dies, streams, mute, slams, parrots, ...flaw }]) =>
    [refuses, answers, dies, streams, mute, slams, parrots].every((one) => one === undefined) ? [[name, flaw] as const] : [],
  );

const asks = (about: string, ask: NonNullable<WebSocketClientFlaw["asks"]>): WebSocketClientFlaw => ({ about, asks: ask });
const refuses = (about: string, refuse: NonNullable<WebSocketClientFlaw["refuses"]>): WebSocketClientFlaw => ({ about, refuses: refuse });
const set = ({ fields }: RequestDraft, name: string, ...values: readonly string[]): void => {
  const kept = fields.filter(([one]) => one !== name);
  fields.splice(0, fields.length, ...kept, ...values.map((value): [string, string] => [name, value]));
};
const EXTENSIONS = "Sec-WebSocket-Extensions";
const PROTOCOL = "Sec-WebSocket-Protocol";
const KEY = "Sec-WebSocket-Key";

/** A response in its usual spelling. */
const PLAIN =
  /^HTTP\/1\.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: [\w+/]{27}=(?:\r\nSec-WebSocket-(?:Extensions: permessage-deflate(?:; server_no_context_takeover)?(?:; server_max_window_bits=12)?|Protocol: (?:chat|superchat)))?$/;
/** The same over HTTP/2, as `http2-client.ts` writes it: names are in lower case. */
const PLAIN_OVER_HTTP2 =
  /^HTTP\/1\.1 101 Whatever\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: [\w+/]{27}=(?:\r\nsec-websocket-(?:extensions: permessage-deflate(?:; server_no_context_takeover)?(?:; server_max_window_bits=12)?|protocol: (?:chat|superchat)))?$/;
const isPlain = (head: string): boolean => PLAIN.test(head) || PLAIN_OVER_HTTP2.test(head);
const CONSTANT = Buffer.from("AQIDBAUGBwgJCgsMDQ4PEA==", "base64").toString("base64");

const unmasked = (frame: FrameSpec): FrameSpec => ({ ...frame, mask: "none" });
const isData = ({ opcode }: FrameSpec): boolean => opcode === "text" || opcode === "binary";
const counted = (nth: number): Uint8Array => Uint8Array.from([24, 16, 8, 0], (shift) => (nth * 3) >>> shift);

/** Three new octets a key, of which the last begins the next key. */
const overlapping = (nth: number): Uint8Array => Uint8Array.from([0, 1, 2, 3], (at) => Math.imul(nth * 3 + at + 1, 0x9e37_79b1) >>> 24);
/** A key as wide as it should be, but for the lowest bit of its second octet. */
const halved = (nth: number): Uint8Array =>
  Uint8Array.from([0, 1, 2, 3], (at) => (Math.imul(nth * 4 + at + 1, 0x9e37_79b1) >>> 24) & (at === 1 ? 0xfe : 0xff));

/** Flaws in requests. */
const HANDSHAKES: Readonly<Record<string, WebSocketClientFlaw>> = {
  "asks-by-post": asks("asks by POST", (draft) => void (draft.method = "POST")),
  "asks-in-http-1-0": asks("asks in HTTP/1.0", (draft) => void (draft.version = "HTTP/1.0")),
  "asks-for-the-root": asks("asks for / whatever its address says", (draft) => void (draft.target = "/")),
  "asks-without-query": asks("leaves its query away", (draft, url) => void (draft.target = url.pathname)),
  "asks-with-two-slashes": asks("asks for // where its address has no path", (draft) => {
    if (draft.target === "/") draft.target = "//";
  }),
  "names-another-host": asks("names another host", (draft) => set(draft, "Host", "elsewhere")),
  "asks-for-another-protocol": asks("asks to go over to websockets", (draft) => set(draft, "Upgrade", "websockets")),
  "names-no-upgrade": asks("does not name Upgrade in Connection", (draft) => set(draft, "Connection", "keep-alive")),
  "sends-a-short-key": asks("has a key of 8 octets", (draft) => set(draft, KEY, "AQIDBAUGBwg=")),
  "has-one-key": asks("has the same key every time", (draft) => set(draft, KEY, CONSTANT)),
  "asks-for-version-8": asks("asks for version 8", (draft) => set(draft, "Sec-WebSocket-Version", "8")),
  "sends-an-odd-origin": asks("says of its origin what is none", (draft) => set(draft, "Origin", "touchstone at home")),
  "offers-oddly": asks("offers extensions in an invalid list", (draft) => set(draft, EXTENSIONS, `${OFFER}; =1`)),
  "offers-a-strange-parameter": asks("offers an unknown parameter", (draft) => set(draft, EXTENSIONS, `${OFFER}; touchstone`)),
  "offers-protocols-twice": asks("offers a sub-protocol twice", (draft) => {
    if (draft.fields.some(([name]) => name === PROTOCOL)) set(draft, PROTOCOL, "chat, superchat", "chat");
  }),
  "offers-an-empty-list": asks("offers an empty list where it has no sub-protocol to offer", (draft) => {
    if (!draft.fields.some(([name]) => name === PROTOCOL)) set(draft, PROTOCOL, "");
  }),
  "writes-odd-fields": asks("writes a field with a space before its colon", (draft) => void draft.fields.push(["X-Odd ", "1"])),
  "speaks-early": { about: "sends a PING right after its handshake", early: { opcode: "ping", text: "early" } },
};

/** Flaws in reading responses. */
const ANSWERS: Readonly<Record<string, WebSocketClientFlaw>> = {
  "offers-no-compression": asks("accepts everything, and offers no compression", (draft) => set(draft, EXTENSIONS)),
  "offers-with-wishes": asks("accepts everything, and offers compression with parameters for the server", (draft) =>
    set(draft, EXTENSIONS, "permessage-deflate; server_no_context_takeover; server_max_window_bits=12"),
  ),
  "wants-plain-answers": refuses("gives up answers that are not written as everybody writes them", (head) => !isPlain(head)),
  "wants-plain-answers-and-clings": {
    ...refuses("gives them up, and does not end the connection", (head) => !isPlain(head)),
    clings: true,
  },
  "says-close-to-answers": { ...refuses("says Close to answers that it gives up", (head) => !isPlain(head)), saysClose: true },
  "wants-answers-alone": refuses("gives up answers that come with frames", (_, rest) => rest !== ""),
  "wants-whole-answers": {
    about: "needs the response in one read",
    dislikes: (octets, peer) => !peer.open && !Buffer.from(octets).toString("latin1").startsWith("HTTP/1.1 101 S"),
  },
  "forgets-early-frames": { about: "discards octets in the same read as the response", forgets: true },
  "holds-on": { about: "keeps the connection open after the server closed it", closes: { stays: true } },
  "tires-of-waiting": { about: "does not notice a late end of the connection", whenLeft: "stay" },
  "says-close-without-a-protocol": {
    ...refuses("says Close where no sub-protocol was chosen", (head) => !head.includes(PROTOCOL)),
    saysClose: true,
  },
  "speaks-when-left": { about: "sends a PING when the connection does not end at once", whenLeft: { opcode: "ping", text: "well?" } },
};

/** Flaws in masking. */
const MASKS: Readonly<Record<string, WebSocketClientFlaw>> = {
  "does-not-mask": { about: "masks nothing", sends: (frame) => [unmasked(frame)] },
  "masks-messages-only": { about: "masks messages only", sends: (frame) => [isData(frame) ? frame : unmasked(frame)] },
  "masks-no-close": { about: "masks all but its Close frame", sends: (frame) => [frame.opcode === "close" ? unmasked(frame) : frame] },
  "fails-unmasked": {
    about: "fails the connection by a Close frame that is not masked",
    meets: ({ opcode }) => (opcode === 3 ? { code: 1002 } : undefined),
    sends: (frame) => [frame.opcode === "close" && frame.code === 1002 ? unmasked(frame) : frame],
  },
  "counts-its-keys": { about: "counts its masking keys", key: counted },
  "has-one-masking-key": { about: "has one masking key", key: () => Uint8Array.of(1, 2, 3, 4) },
  "overlaps-its-keys": { about: "begins each masking key with the last octet of the one before", key: overlapping },
  "loses-a-bit-of-its-keys": { about: "never sets the lowest bit of an octet of its masking keys", key: halved },
  "masks-by-zeros": { about: "masks with zeros", key: () => new Uint8Array(4) },
};

/** WebSocket clients with one flaw each. The blunt ones come first: they fail most cases at once. */
export const WEBSOCKET_CLIENT_FLAWS: Readonly<Record<string, WebSocketClientFlaw>> = {
  lenient: { about: "accepts everything as what it looks like, any answer included" },
  silent: { about: "connects, and says nothing", mute: true },
  leaves: { about: "ends the connection at once", leaves: true },
  slams: { about: "ends the connection on any answer", slams: true },
  "asks-a-stream-for-another": {
    about: "over HTTP/2 asks for another protocol, scheme and path, with Upgrade",
    http2: {
      asks: (fields) => [
        ...fields.map(
          ([name, value]) => [name, { ":protocol": "websockets", ":scheme": "ws", ":path": "/nowhere" }[name] ?? value] as const,
        ),
        ["upgrade", "websocket"],
      ],
    },
  },
  "resets-its-stream": { about: "over HTTP/2 ends its stream by RST_STREAM", http2: { resets: true } },
  ...HANDSHAKES,
  ...MASKS,
  ...Object.fromEntries(SHARED),
  ...ANSWERS,
};
