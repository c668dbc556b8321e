import type { SpecRef } from "../../../../reference/core/index.ts";
import type { RequirementRef } from "../../../harness/case.ts";
import { permitted } from "../phrases.ts";
import type { Case, Handshake, Outcome } from "../../vocabulary.ts";
import { responseOf, failsHandshake } from "./phrases.ts";

/** RFC 6455, section 4.1: responses with status 101 on which a client must fail the connection. */

const R = "rfc6455#4.1/";
const ACCEPT = "Sec-WebSocket-Accept";
const upgrade = (value: string): Handshake => ({ instead: { Upgrade: value } });
const connection = (value: string): Handshake => ({ instead: { Connection: value } });
const accept = (value: string): Handshake => ({ instead: { [ACCEPT]: value } });
const extensions = (...lines: readonly string[]): Handshake => ({ more: lines.map((line) => `Sec-WebSocket-Extensions: ${line}`) });

type Wrong = readonly [id: string, what: string, answer: Handshake, ...others: Outcome[]];
/** As a list of protocols (rfc9110#7.8), the field contains websocket. */
const asAList = permitted({ see: "all echoed" }, "rfc9110#7.8", "warn");
/** A client that uses one of two fields may have checked the correct one. */
const one = permitted({ see: "all echoed" }, "rfc6455#11.3.3", "warn");

const UPGRADE: readonly Wrong[] = [
  ["missing", "without Upgrade", upgrade("none")],
  ["empty", "with an empty Upgrade", upgrade("")],
  ["h2c", "that upgrades to h2c", upgrade("h2c")],
  ["longer", "that upgrades to websockets", upgrade("websockets")],
  ["shorter", "that upgrades to websocke", upgrade("websocke")],
  ["spaced", "that upgrades to web socket", upgrade("web socket")],
  ["versioned", "that upgrades to websocket/13", upgrade("websocket/13")],
  ["list", "that upgrades to websocket and h2c", upgrade("websocket, h2c"), asAList],
  ["second-field", "with two Upgrade fields, one for websocket and one for h2c", { more: ["Upgrade: h2c"] }, asAList],
];
const CONNECTION: readonly Wrong[] = [
  ["missing", "without Connection", connection("none")],
  ["empty", "with an empty Connection", connection("")],
  ["close", "with Connection: close", connection("close")],
  ["keep-alive", "with Connection: keep-alive", connection("keep-alive")],
  ["longer", "with Connection: Upgraded", connection("Upgraded")],
  ["hyphen", "with Connection: Upgrade-Insecure", connection("Upgrade-Insecure")],
  ["spaced", "with Connection: keep-alive Upgrade, without a comma", connection("keep-alive Upgrade")],
  ["quoted", "with quoted Upgrade in Connection", connection('"Upgrade"')],
];
const ACCEPTS: readonly Wrong[] = [
  ["missing", "without Sec-WebSocket-Accept", accept("none")],
  ["empty", "with an empty Sec-WebSocket-Accept", accept("")],
  ["of-another-key", "with the Sec-WebSocket-Accept of another key", accept("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")],
  ["key-itself", "with the key as Sec-WebSocket-Accept", accept("{key}")],
  ["without-guid", "whose Sec-WebSocket-Accept is the hash of the key without the GUID", accept("{acceptOfKeyAlone}")],
  ["of-decoded-key", "whose Sec-WebSocket-Accept is computed from the decoded key", accept("{acceptOfOctets}")],
  ["lower-case", "whose Sec-WebSocket-Accept is correct except for case", accept("{acceptLower}")],
  ["in-hexadecimal", "whose Sec-WebSocket-Accept is in hexadecimal", accept("{acceptHex}")],
  ["cut", "whose Sec-WebSocket-Accept lacks its last character", accept("{acceptCut}")],
  ["longer", "whose Sec-WebSocket-Accept has an extra character", accept("{accept}=")],
  ["quoted", "whose Sec-WebSocket-Accept is quoted", accept('"{accept}"')],
  ["space-inside", "whose Sec-WebSocket-Accept contains a space", accept("{acceptSpaced}")],
  ["twice", "with the correct Sec-WebSocket-Accept twice", { more: [`${ACCEPT}: {accept}`] }, one],
  ["right-then-wrong", "with a correct and a wrong Sec-WebSocket-Accept", { more: [`${ACCEPT}: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=`] }, one],
  [
    "wrong-then-right",
    "with a wrong and a correct Sec-WebSocket-Accept",
    { instead: { [ACCEPT]: "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" }, more: [`${ACCEPT}: {accept}`] },
    one,
  ],
  ["list", "with a list of two correct values in Sec-WebSocket-Accept", accept("{accept}, {accept}")],
];
const EXTENSIONS: readonly Wrong[] = [
  ["unknown", "with an unknown extension", extensions("x-touchstone")],
  ["unknown-with-parameters", "with an unknown extension with parameters", extensions("x-touchstone; a=1; b")],
  ["bzip2", "with permessage-bzip2", extensions("permessage-bzip2")],
  ["longer", "with permessage-deflated", extensions("permessage-deflated")],
  ["old", "with x-webkit-deflate-frame", extensions("x-webkit-deflate-frame")],
  ["two-unknown", "with two unknown extensions in two fields", extensions("x-touchstone", "x-other")],
];
/** An empty field lists no extension, and a client may read it that way. */
const nothingSaid = permitted({ see: "all echoed" }, "rfc9110#5.6.1", "warn");
const MALFORMED: readonly Wrong[] = [
  ["empty", "whose Sec-WebSocket-Extensions is empty", extensions(""), nothingSaid],
  ["commas-only", "whose Sec-WebSocket-Extensions has only commas", extensions(", ,"), nothingSaid],
  ["name-missing", "whose Sec-WebSocket-Extensions has a parameter without an extension", extensions("; a=1")],
  ["no-token", "whose Sec-WebSocket-Extensions has a name that is not a token", extensions("x@touchstone")],
  ["two-words", "whose Sec-WebSocket-Extensions has two names without a comma", extensions("x-touchstone x-other")],
];

const group = (name: string, covers: RequirementRef, all: readonly Wrong[]): readonly Case[] =>
  all.map(([id, what, wrong, ...others]): Case => ({
    id: `websocket/client-${name}-${id}`,
    spec: covers.slice(0, covers.indexOf("/")) as SpecRef,
    covers: [covers],
    level: "MUST",
    title: `The client fails the connection on a response ${what}.`,
    ...responseOf({ wrong }),
    allowed: failsHandshake(...others),
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
    title: "The client fails the connection if the response accepts permessage-deflate, which it did not offer.",
    needs: ["no deflate"],
    ...responseOf({ wrong: extensions("permessage-deflate") }),
    allowed: failsHandshake(),
  },
];
