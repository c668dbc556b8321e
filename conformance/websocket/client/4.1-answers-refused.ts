import type { RequirementRef } from "../../harness/case.ts";
import { permitted } from "../phrases.ts";
import type { Case, Handshake, Outcome } from "../vocabulary.ts";
import { answerOf, givesUp } from "./phrases.ts";

const R = "rfc6455#4.1/";
const ACCEPT = "Sec-WebSocket-Accept";
const upgrade = (value: string): Handshake => ({ instead: { Upgrade: value } });
const connection = (value: string): Handshake => ({ instead: { Connection: value } });
const accept = (value: string): Handshake => ({ instead: { [ACCEPT]: value } });
const extensions = (...lines: readonly string[]): Handshake => ({ more: lines.map((line) => `Sec-WebSocket-Extensions: ${line}`) });

type Wrong = readonly [id: string, what: string, answer: Handshake, ...others: Outcome[]];
/** Read as a list of protocols (rfc9110#7.8) the field names websocket. */
const asAList = permitted({ see: "all echoed" }, "rfc9110#7.8", "warn");
/** Who takes the first of two fields, or the last, has looked at one that is right. */
const one = permitted({ see: "all echoed" }, "rfc6455#11.3.3", "warn");

const UPGRADE: readonly Wrong[] = [
  ["missing", "without an Upgrade field", upgrade("none")],
  ["empty", "whose Upgrade field is empty", upgrade("")],
  ["h2c", "that goes over to h2c", upgrade("h2c")],
  ["longer", "that goes over to websockets", upgrade("websockets")],
  ["shorter", "that goes over to websocke", upgrade("websocke")],
  ["spaced", "that goes over to web socket", upgrade("web socket")],
  ["versioned", "that goes over to websocket/13", upgrade("websocket/13")],
  ["list", "that goes over to websocket and h2c", upgrade("websocket, h2c"), asAList],
  ["second-field", "with two Upgrade fields, one for websocket and one for h2c", { more: ["Upgrade: h2c"] }, asAList],
];
const CONNECTION: readonly Wrong[] = [
  ["missing", "without a Connection field", connection("none")],
  ["empty", "whose Connection field is empty", connection("")],
  ["close", "whose Connection field says close", connection("close")],
  ["keep-alive", "whose Connection field says keep-alive", connection("keep-alive")],
  ["longer", "whose Connection field says Upgraded", connection("Upgraded")],
  ["hyphen", "whose Connection field says Upgrade-Insecure", connection("Upgrade-Insecure")],
  ["spaced", "whose Connection field says keep-alive Upgrade, without a comma", connection("keep-alive Upgrade")],
  ["quoted", "whose Connection field has Upgrade in quotation marks", connection('"Upgrade"')],
];
const ACCEPTS: readonly Wrong[] = [
  ["missing", "without Sec-WebSocket-Accept", accept("none")],
  ["empty", "whose Sec-WebSocket-Accept is empty", accept("")],
  ["of-another-key", "with the Sec-WebSocket-Accept of another key", accept("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")],
  ["key-itself", "whose Sec-WebSocket-Accept is the key", accept("{key}")],
  ["without-guid", "whose Sec-WebSocket-Accept is the hash of the key alone", accept("{acceptOfKeyAlone}")],
  ["of-decoded-key", "whose Sec-WebSocket-Accept is that of the key's octets", accept("{acceptOfOctets}")],
  ["lower-case", "whose Sec-WebSocket-Accept is right but for the case of its letters", accept("{acceptLower}")],
  ["in-hexadecimal", "whose Sec-WebSocket-Accept is in hexadecimal", accept("{acceptHex}")],
  ["cut", "whose Sec-WebSocket-Accept is without its last sign", accept("{acceptCut}")],
  ["longer", "whose Sec-WebSocket-Accept has a sign too many", accept("{accept}=")],
  ["quoted", "whose Sec-WebSocket-Accept is in quotation marks", accept('"{accept}"')],
  ["space-inside", "whose Sec-WebSocket-Accept has a space inside", accept("{acceptSpaced}")],
  ["twice", "with the right Sec-WebSocket-Accept twice", { more: [`${ACCEPT}: {accept}`] }, one],
  ["right-then-wrong", "with a right and a wrong Sec-WebSocket-Accept", { more: [`${ACCEPT}: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=`] }, one],
  [
    "wrong-then-right",
    "with a wrong and a right Sec-WebSocket-Accept",
    { instead: { [ACCEPT]: "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" }, more: [`${ACCEPT}: {accept}`] },
    one,
  ],
  ["list", "with a list of two right values in Sec-WebSocket-Accept", accept("{accept}, {accept}")],
];
const EXTENSIONS: readonly Wrong[] = [
  ["unknown", "that names an extension which nobody knows", extensions("x-touchstone")],
  ["unknown-with-parameters", "that names an unknown extension with parameters", extensions("x-touchstone; a=1; b")],
  ["bzip2", "that names permessage-bzip2", extensions("permessage-bzip2")],
  ["longer", "that names permessage-deflated", extensions("permessage-deflated")],
  ["old", "that names x-webkit-deflate-frame", extensions("x-webkit-deflate-frame")],
  ["two-unknown", "that names two unknown extensions in two fields", extensions("x-touchstone", "x-other")],
];
/** What an empty field says is nothing: whoever takes it for nothing has read no extension in it. */
const nothingSaid = permitted({ see: "all echoed" }, "rfc9110#5.6.1", "warn");
const MALFORMED: readonly Wrong[] = [
  ["empty", "whose Sec-WebSocket-Extensions is empty", extensions(""), nothingSaid],
  ["commas-only", "whose Sec-WebSocket-Extensions has commas only", extensions(", ,"), nothingSaid],
  ["name-missing", "whose Sec-WebSocket-Extensions has a parameter without an extension", extensions("; a=1")],
  ["no-token", "whose Sec-WebSocket-Extensions has a name that is no token", extensions("x@touchstone")],
  ["two-words", "whose Sec-WebSocket-Extensions has two names without a comma", extensions("x-touchstone x-other")],
];

const group = (name: string, covers: RequirementRef, all: readonly Wrong[]): readonly Case[] =>
  all.map(([id, what, wrong, ...others]): Case => ({
    id: `websocket/client-${name}-${id}`,
    spec: "rfc6455#4.1",
    covers: [covers],
    level: "MUST",
    title: `An answer ${what} is given up.`,
    ...answerOf(wrong),
    allowed: givesUp(...others),
  }));

export const cases: readonly Case[] = [
  ...group("answer-upgrade", `${R}answer-upgrade`, UPGRADE),
  ...group("answer-connection", `${R}answer-connection`, CONNECTION),
  ...group("answer-accept", `${R}answer-accept`, ACCEPTS),
  ...group("answer-extension", `${R}answer-extension`, EXTENSIONS),
  ...group("answer-extensions", "rfc6455#9.1/syntax", MALFORMED),
  {
    id: "websocket/client-answer-deflate-unasked",
    spec: "rfc6455#4.1",
    covers: [`${R}answer-extension`],
    level: "MUST",
    title: "An answer that names permessage-deflate, which was not offered, is given up.",
    needs: ["no deflate"],
    ...answerOf(extensions("permessage-deflate")),
    allowed: givesUp(),
  },
];
