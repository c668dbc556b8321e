import type { FieldOf, Part } from "../../wire/rpc/parts.ts";
import { messageOfParts } from "../../wire/rpc/parts.ts";
import type { RpcFlaw } from "./flaw.ts";
import { pageOf } from "./process.ts";
import type { StandardFlaw } from "./standard-flaw.ts";

/** Servers that are wrong in the standard services only. */

const [NO_HEALTH, SERVING] = [0, 1];
const [HOST, ORIGINAL, FILES, NUMBERS, SERVICES, ERROR] = [1, 2, 4, 5, 6, 7];
type Fields = readonly FieldOf<Part>[];
/** Changes one field of an answer; without a value it is left out. */
const changed =
  (field: number, value?: Part) =>
  (answer: Fields): Fields =>
    answer.flatMap((one) => (one[0] !== field ? [one] : value === undefined ? [] : [[field, value] as const]));
const FIRST_FILE = messageOfParts([[1, messageOfParts([[1, "other.proto"]])]]);

const STANDARD: Readonly<Record<string, StandardFlaw & Pick<RpcFlaw, "about" | "over">>> = {
  "unknown health": { about: "says UNKNOWN of every name", health: () => NO_HEALTH },
  "all healthy": { about: "says SERVING of names that it does not know", health: () => SERVING },
  "watch ends": { about: "ends Watch after the first message", watch: "ends" },
  "watch repeats": { about: "says each health twice", watch: "repeats" },
  "watch waits": { about: "says nothing until the health changes", watch: "waits" },
  "no list": { about: "lists no health", listsNothing: true },
  "no files": { about: "has no files", reflects: changed(FILES, messageOfParts([])) },
  "other files": { about: "answers with another file", reflects: changed(FILES, FIRST_FILE) },
  "no services": { about: "lists no services", reflects: changed(SERVICES, messageOfParts([])) },
  "no original": { about: "does not repeat the question", reflects: changed(ORIGINAL) },
  "no host": { about: "does not repeat the host", reflects: changed(HOST) },
  "other numbers": {
    about: "invents extensions",
    reflects: changed(NUMBERS, messageOfParts([[2, 100]])),
  },
  "internal errors": { about: "has the code INTERNAL for what is not there", reflects: changed(ERROR, messageOfParts([[1, 13]])) },
  "empty for errors": { about: "answers with no files for what is not there", reflects: changed(ERROR) },
  "ends at errors": { about: "ends a stream at the first error", endsAtError: true },
  "one answer": { about: "answers the first question of a stream only", reflects: (answer, nth) => (nth === 0 ? answer : []) },
  "answers unasked": { about: "answers a stream that has asked nothing", unasked: true },
  "pages too late": { about: "begins a page after the start id", page: ({ ids, start, most }) => pageOf({ ids, start: start + 1, most }) },
  "pages from the first": { about: "begins each page with the first id", page: ({ ids, most }) => pageOf({ ids, start: 0, most }) },
  "pages backwards": { about: "begins a page with the last id", page: (page) => ({ ...pageOf(page), ids: pageOf(page).ids.toReversed() }) },
  "pages without limit": { about: "heeds no limit", page: ({ ids, start }) => pageOf({ ids, start, most: 0 }) },
  "pages without end": { about: "has always a further page", page: (page) => ({ ...pageOf(page), end: false }) },
  "negative pages": {
    about: "has nothing from a negative id on",
    page: (page) => (page.start < 0 ? { ids: [], end: true } : pageOf(page)),
  },
  "only pages of one": {
    about: "has nothing for a large limit",
    page: (page) => (page.most > 1_000 ? { ids: [], end: true } : pageOf(page)),
  },
  "server 0": { about: "has a server without an id", serverId: () => 0 },
  "no sockets": { about: "shows no sockets", noSockets: true },
  "other sockets": { about: "shows a socket with another id than it lists", otherSocketId: true },
  "finds anything": { about: "finds an entity for every id", findsAnything: true },
  "keeps sockets": { about: "shows closed connections", keepsSockets: true },
  "no listener": { about: "shows no listening socket", noListener: true },
  "lists listener": { about: "shows the listening socket among the connections", listsListener: true },
  "listener of clients": { about: "has a remote address for the listening socket", shown: (one) => ({ remote: one.local, ...one }) },
  "counts no calls": { about: "counts no calls", counted: () => ({ started: 0, succeeded: 0, failed: 0 }) },
  "counts all as failed": { about: "counts every call as failed", counted: (all) => ({ ...all, succeeded: 0, failed: all.started }) },
  "counts all as good": { about: "counts every call as succeeded", counted: (all) => ({ ...all, succeeded: all.started, failed: 0 }) },
  "counts no streams": { about: "counts no streams", shown: (one) => ({ ...one, started: 0, succeeded: 0, failed: 0 }) },
  "statuses of streams": {
    about: "counts a stream as failed if its call failed",
    shown: (one) => ({ ...one, succeeded: one.succeeded - one.bad, failed: one.failed + one.bad }),
  },
  "all streams succeed": {
    about: "counts streams that were reset as succeeded",
    shown: (one) => ({ ...one, succeeded: one.succeeded + one.failed, failed: 0 }),
  },
  "early success": {
    about: "counts a stream as succeeded when it begins",
    shown: (one) => ({ ...one, succeeded: one.started - one.failed }),
  },
  "counts calls for messages": {
    about: "counts one message each way for a call",
    shown: (one) => ({ ...one, sent: one.started, received: one.started }),
  },
  "counts late": {
    about: "counts messages when their call has ended",
    shown: (one) => (one.succeeded + one.failed < one.started ? { ...one, sent: 0, received: 0 } : one),
  },
  "counts its own": {
    about: "counts a stream and a message too many",
    shown: (one) => ({ ...one, started: one.started + 1, sent: one.sent + 1, received: one.received + 1 }),
  },
  "no times": { about: "shows no times", noTimes: true },
  "local streams": { about: "shows a time of a stream that it began", localStreams: true },
  "other addresses": {
    about: "shows other addresses",
    shown: (one) => ({
      ...one,
      local: { address: "127.0.0.9", port: one.local.port },
      ...(one.remote === undefined ? {} : { remote: { address: "127.0.0.9", port: one.remote.port } }),
    }),
  },
  "other ports": { about: "shows port 1 for its own", shown: (one) => ({ ...one, local: { ...one.local, port: 1 } }) },
  "claims TLS": { about: "shows TLS without having it", claimsTls: true },
  "hides TLS": { about: "shows nothing of its TLS", over: "TLS", secured: () => undefined },
  "invents clients": {
    about: "shows a certificate that no client has sent",
    over: "TLS",
    secured: (one) => ({ ...one, remote: one.local }),
  },
  "swaps certificates": {
    about: "shows the certificate of its client for its own, and the other way round",
    over: "mutual TLS",
    secured: (one) => ({ ...one, local: one.remote, remote: one.local }),
  },
  "other windows": { about: "shows windows that nobody has granted", windows: ([local, remote]) => [local + 1, remote + 1] },
};

export const STANDARD_FLAWS: Readonly<Record<string, RpcFlaw>> = Object.fromEntries(
  Object.entries(STANDARD).map(([name, { about, over, ...standard }]) => [name, { about, standard, ...(over !== undefined && { over }) }]),
);
