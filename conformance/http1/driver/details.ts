import { type RawField, type ReadMessage, type ReadResponse, valueOf } from "../../wire/http1/read.ts";
import { REPORT_TYPE } from "../reports.ts";
import { octetsInWords } from "./describe.ts";
import type { Conversation } from "./conversation.ts";
import type { CameRequest } from "./sights.ts";

/** What messages had besides the statuses that `describe.ts` lists: `--same-as` compares it with an earlier run. */

/** Fields whose lines count, as they came. Of every other field only the name does: its value may differ from run to run. */
const PROTOCOL: ReadonlySet<string> = new Set(
  (
    "accept-ranges allow connection content-length content-range content-type expect host http2-settings " +
    "keep-alive max-forwards proxy-connection retry-after te trailer transfer-encoding upgrade vary via"
  ).split(" "),
);
/** Messages of one connection that are described; of the others the last one is. */
const DESCRIBED = 4;
/** Characters of the content of an error response. */
const SHOWN = 120;

const fieldDetails = ({ name, line }: RawField): string => (PROTOCOL.has(name.toLowerCase()) ? line : (line.split(":", 1)[0] ?? ""));
const section = (fields: readonly RawField[]): string => fields.map(fieldDetails).join(", ");

function messageDetails(message: ReadMessage, content: string): string {
  const { start, fields, framing, trailers } = message;
  const end = trailers.length === 0 ? "" : `, then ${section(trailers)}`;
  return `${start} (${section(fields)}) ${framing} ${content}${end}`;
}
const responseDetails = (response: ReadResponse): string =>
  messageDetails(
    response,
    // What an error response says is part of how a server refuses; digits in it may be a time or a place.
    response.status >= 400 || valueOf(response.fields, "content-type") === REPORT_TYPE
      ? octetsInWords(response.content, response.status >= 400 ? SHOWN : undefined).replaceAll(/\d+/g, response.status >= 400 ? "0" : "$&")
      : response.complete
        ? String(response.content.length)
        : "",
  );

const some = <T>(messages: readonly T[]): readonly T[] =>
  messages.length > DESCRIBED ? [...messages.slice(0, DESCRIBED - 1), ...messages.slice(-1)] : messages;

/** The responses on each connection. */
export const responsesInDetail = (conversations: readonly Conversation[]): string =>
  conversations
    .map(({ responses, interim }) =>
      some([...responses.flatMap((one) => [...one.interim, one]), ...interim])
        .map(responseDetails)
        .join(" "),
    )
    .join("; ");

/** The requests of a client, or those that reached the origin of a proxy. */
export const requestsInDetail = (requests: readonly CameRequest[]): string =>
  some(requests)
    .map(({ request }) => messageDetails(request, request.complete ? String(request.content.length) : ""))
    .join(" ");
