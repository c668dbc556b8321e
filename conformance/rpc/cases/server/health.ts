import { SERVICE } from "../../../wire/rpc/contract.ts";
import type { Fact, MessageFields, Sight, Step } from "../../vocabulary.ts";
import { all, call, lastly, type Row } from "./phrases.ts";

/** The health service, `grpc.health.v1.Health`. */

const HEALTH = "grpc.health.v1.Health";
const UNKNOWN = "touchstone.conformance.v1.NoSuchService";
const [SERVING, NOT_SERVING, SERVICE_UNKNOWN] = [1, 2, 3];

const asks = (number: number, method: string, fields: MessageFields = []): Step[] => [
  call(number, { path: `/${HEALTH}/${method}` }),
  lastly(number, [{ fields }]),
];
const of = (service: string): MessageFields => [[1, service]];
/** Its own health is none of the suite's business: it need only say it. */
const HEALTHY_OR_NOT: readonly Fact[] = [{ at: [1], from: SERVING, to: NOT_SERVING, count: [1, 1] }];
const says = (facts: readonly Fact[], number = 1): Sight => ({ see: "answer", call: number, says: [facts] });
const first = (facts: readonly Fact[], number = 1): Sight => ({ see: "messages", call: number, count: 1, says: [facts] });
const open = (number = 1): Sight => ({ see: "going on", call: number });
/** One message until now, and no end. */
const watched = (facts: readonly Fact[], number = 1): Sight =>
  all(first(facts, number), open(number), { see: "at most", call: number, count: 1 });

const ofHealth = (
  [id, title, covers]: readonly [id: string, title: string, covers: Row["covers"]],
  steps: readonly Step[],
  allowed: Row["allowed"],
  more: Pick<Row, "level" | "needs" | "control"> = {},
): Row => ({ id: `health-${id}`, title, covers, needs: ["health"], steps, allowed, ...more });

export const rows: readonly Row[] = [
  ofHealth(
    ["check-overall", "Check of the empty name says SERVING or NOT_SERVING.", "rpc-health#service-definition/overall"],
    asks(1, "Check"),
    says(HEALTHY_OR_NOT),
  ),
  ofHealth(
    [
      "check-empty-field",
      "Check of an empty name that is written out is answered like one of no name.",
      "rpc-health#service-definition/overall",
    ],
    asks(1, "Check", of("")),
    says(HEALTHY_OR_NOT),
  ),
  ofHealth(
    [
      "check-service",
      "Check of a service that the server has says SERVING or NOT_SERVING.",
      ["rpc-health#service-definition/registered", "rpc-health#contract/unknown-by-watch-only", "rpc-health#service-definition/status"],
    ],
    asks(1, "Check", of(SERVICE)),
    says(HEALTHY_OR_NOT),
  ),
  ofHealth(
    ["check-unknown", "Check of a name that the server does not know fails with NOT_FOUND.", "rpc-health#service-definition/not-found"],
    asks(1, "Check", of(UNKNOWN)),
    { see: "failed", call: 1, status: "NOT_FOUND" },
    { control: asks(1, "Check", of(SERVICE)) },
  ),
  ofHealth(
    [
      "check-other-case",
      "A name in other letters is another name: Check of it fails with NOT_FOUND.",
      "rpc-health#service-definition/not-found",
    ],
    asks(1, "Check", of(SERVICE.toUpperCase())),
    { see: "failed", call: 1, status: "NOT_FOUND" },
    { control: asks(1, "Check", of(SERVICE)) },
  ),
  ofHealth(
    [
      "watch-overall",
      "Watch of the empty name says its health at once, says it once, and goes on.",
      "rpc-health#service-definition/watch-first",
    ],
    [...asks(1, "Watch"), { do: "await", see: first([]) }],
    watched(HEALTHY_OR_NOT),
    { level: "SHOULD" },
  ),
  ofHealth(
    [
      "watch-unknown",
      "Watch of a name that the server does not know says SERVICE_UNKNOWN and goes on.",
      "rpc-health#contract/watch-unknown",
    ],
    [...asks(1, "Watch", of(UNKNOWN)), { do: "await", see: first([]) }],
    watched([{ at: [1], are: [SERVICE_UNKNOWN] }]),
  ),
  ofHealth(
    ["watch-two", "Two calls of Watch on one connection are answered each.", "rpc-health#service-definition/watch-first"],
    [...asks(1, "Watch", of(UNKNOWN)), ...asks(3, "Watch", of(UNKNOWN)), { do: "await", see: all(first([]), first([], 3)) }],
    all(watched([{ at: [1], are: [SERVICE_UNKNOWN] }]), watched([{ at: [1], are: [SERVICE_UNKNOWN] }], 3)),
  ),
  ofHealth(
    ["watch-cancelled", "A Watch that the client cancels leaves the others alone.", "rpc-health#service-definition/watch-first"],
    [
      ...asks(1, "Watch", of(UNKNOWN)),
      ...asks(3, "Watch", of(UNKNOWN)),
      { do: "await", see: all(first([]), first([], 3)) },
      { do: "reset", call: 1, code: "CANCEL" },
      ...asks(5, "Watch", of(UNKNOWN)),
      { do: "await", see: first([], 5) },
    ],
    all(watched([{ at: [1], are: [SERVICE_UNKNOWN] }], 3), watched([{ at: [1], are: [SERVICE_UNKNOWN] }], 5)),
  ),
  ofHealth(
    ["list", "List has the names that the server knows, among them that of its service, each with its health.", "rpc-health#contract/list"],
    asks(1, "List"),
    says([
      { at: [1, 1], include: SERVICE },
      { at: [1, 2, 1], from: SERVING, to: NOT_SERVING },
    ]),
    { needs: ["health", "health-list"], level: "SHOULD" },
  ),
];
