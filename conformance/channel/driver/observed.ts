import { printable } from "../../wire/octets.ts";
import type { Json } from "./line.ts";
import type { Party } from "./party.ts";
import type { Performance } from "./performance.ts";

/** Everything that a performance showed of its subject, in words that are equal in two performances unless the subject behaves differently. */

const SHOWN = 160;
/** Fields of a response that say something about a refusal or an agreement. */
const FIELDS = ["sec-websocket-protocol", "sec-websocket-version", "www-authenticate", "retry-after", "allow", "upgrade", "content-type"];
/** Members of a query, in the order of the protocol. */
const QUERY = ["run", "client", "from", "mode"];

/**
 * Heartbeats come at any time, and acknowledgements in any number: the last one counts. How much a shell has printed before an offer is chance.
 */
function lasting(messages: readonly Json[]): Json[] {
  const kept = messages
    .filter(({ type }) => type !== "ping" && type !== "pong")
    .map((one) => (one["type"] === "offer" ? { ...one, end: undefined } : one));
  const last = kept.findLast(({ type }) => type === "ack");
  return kept.filter((one) => one["type"] !== "ack" || one === last);
}

const octetsInWords = (what: string, text: string): readonly string[] =>
  text === "" ? [] : [`${text.length} octets of ${what} "${printable(text, SHOWN)}"`];

function partyInWords(party: Party): string {
  const { name, status, head, content, code, reason, messages, octets, screen, isRequest } = party;
  const fields = FIELDS.filter((one) => head?.fields.has(one) === true).map((one) => `${one}: ${head?.fields.get(one) ?? ""}`);
  const query = QUERY.filter((one) => party.query.has(one)).map((one) => `${one}=${party.query.get(one)}`);
  const begun = isRequest
    ? [`its request ${query.join("&")}`, party.protocols.filter((one) => !one.startsWith("token.")).join(", ")]
    : [status === 101 ? "" : `status ${status}`, ...fields, content === "" ? "" : `"${printable(content, SHOWN)}"`];
  const parts = [
    ...begun.filter((one) => one !== ""),
    ...lasting(messages).map((message) => JSON.stringify(message)),
    ...octetsInWords("a screen", screen),
    // A terminal may echo what is typed before its shell has turned that off.
    ...(party.sender === "agent" ? [] : octetsInWords("the terminal", octets)),
    ...(code === undefined ? [] : [`ended with ${code}${reason === "" ? "" : ` "${printable(reason)}"`}`]),
  ];
  return `${name}: ${parts.join(", ")}`;
}

/** Waits until what the steps cause has arrived, and says what was seen on each connection. */
export async function everythingSeen(performance: Performance): Promise<string> {
  const parties = [...performance.parties.values()];
  await performance.until(() => parties.every(({ isAnswered }) => isAnswered));
  for (let i = 0; i < 2; i++) await performance.fence();
  const words = parties.map(partyInWords).join("; ");
  // Names that belong to this performance.
  const named = Object.entries(performance.words).filter(([, value]) => value !== "");
  const known = named.reduce(
    (text, [name, value]) => text.replaceAll(new RegExp(`\\b${RegExp.escape(value)}\\b`, "g"), `{${name}}`),
    words,
  );
  return known.replaceAll(/\brun=(?!\{)[\w.-]+/g, "run={another run}");
}
