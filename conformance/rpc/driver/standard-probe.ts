import type { Feature } from "../../harness/driver.ts";
import { STATUSES } from "../../wire/rpc/statuses.ts";
import { isPart, partsAt } from "../../wire/rpc/parts.ts";
import type { MessageFields, Step } from "../vocabulary.ts";
import { contentsOf, statusOf } from "./answers.ts";
import { search } from "./channelz.ts";
import type { RpcStage } from "./stage.ts";
import { perform } from "./steps.ts";

/** Which standard services a server has: each is asked an easy question, and has it if the answer is not UNIMPLEMENTED. */

type Question = readonly [feature: string, path: string, ...messages: MessageFields[]];
const LIST: MessageFields = [[7, ""]];
const EXTENDED: MessageFields = [[4, "touchstone.extensions.v1.Extended"]];
const QUESTIONS: readonly Question[] = [
  ["health", "/grpc.health.v1.Health/Check", []],
  ["health-list", "/grpc.health.v1.Health/List", []],
  ["reflection", "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo", LIST, EXTENDED],
  ["reflection-v1alpha", "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", LIST, EXTENDED],
  ["channelz", "/grpc.channelz.v1.Channelz/GetServers", []],
];
/** Those that ask for the list of services, and then for a symbol; the places of the names in the one answer, and of files in the other. */
const LISTS = [2, 3];
const LISTED = [6, 1, 1];
const FILES = [4];
const CHANNELZ = "grpc.channelz.v1.Channelz";
const numberOf = (nth: number): number => 2 * nth + 1;
const ASKED: readonly Step[] = [
  { do: "handshake" },
  ...QUESTIONS.flatMap(([, path, ...messages], nth): Step[] => [
    { do: "call", call: numberOf(nth), path },
    { do: "say", call: numberOf(nth), messages: messages.map((fields) => ({ fields })), end: true },
  ]),
];

export async function standardServices(open: () => RpcStage): Promise<ReadonlyMap<string, Feature>> {
  const stage = open();
  try {
    await perform(ASKED, stage);
    const { main } = stage;
    await stage.until(() => stage.over || QUESTIONS.every((_, nth) => main.answer(numberOf(nth)).isOver), stage.timeout);
    const features = new Map(
      QUESTIONS.map(([feature, path], nth): [string, Feature] => {
        const status = statusOf(main.answer(numberOf(nth)), stage);
        const how = `${path} was answered with ${status === undefined ? "no status" : (STATUSES[status] ?? status)}`;
        return [feature, { has: status !== undefined && STATUSES[status] !== "UNIMPLEMENTED", how }];
      }),
    );
    const answers = LISTS.flatMap((nth) => contentsOf(main.answer(numberOf(nth)), stage)).filter((octets) => octets !== undefined);
    const isDescribed = answers.some((octets) => partsAt(octets, LISTED).some((one) => isPart(one, CHANNELZ)));
    const isExtended = answers.some((octets) => partsAt(octets, FILES).length > 0);
    const { tls } = main.ends ?? {};
    return new Map([
      ...features,
      ["own-socket", features.get("channelz")?.has === true ? await ownSocket(stage) : { has: false, how: "it has no channelz" }],
      ["described-channelz", { has: isDescribed, how: `its reflection does not list ${CHANNELZ}` }],
      ["described-extensions", { has: isExtended, how: "its reflection does not know vectors/rpc/extensions.proto" }],
      ["clear-text", { has: tls === undefined, how: "the connections are over TLS" }],
      ["tls", { has: tls !== undefined, how: "the connections are in clear text" }],
      [
        "our-certificate",
        { has: tls?.ours !== undefined, how: "our connections have no client certificate: give one with --cert and --key" },
      ],
      [
        "no-certificate-of-ours",
        { has: tls !== undefined && tls.ours === undefined, how: "our connections are in clear text, or have a client certificate" },
      ],
    ]);
  } finally {
    await stage.drop();
  }
}

/** A server that shows sockets, but none of our port, is behind something that changes addresses. One that shows none is judged. */
async function ownSocket(stage: RpcStage): Promise<Feature> {
  const found = await search(stage);
  const isOther = typeof found === "object" && "shown" in found && found.shown > 0;
  return { has: !isOther, how: "channelz shows sockets, but none from the port of our connection" };
}
