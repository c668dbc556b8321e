import { Answer, binary, encodingOf, valueOf } from "./answers.ts";
import type { View } from "./view.ts";

/** Properties of every answer that the grammar demands (rpc-http2#responses). Each returns what breaks it, in words. */
type Monitor = (answer: Answer, stage: View) => string | undefined;

const isOfProtocol = ({ head }: Answer): boolean => head !== undefined && Answer.statusOf(head) === "200";
/** The fields of an answer by name, wherever they stand. */
const all = (answer: Answer, name: string): string[] =>
  answer.finals.flatMap(({ fields }) => fields.filter(([one]) => one === name).map(([, value]) => value));

/** Whether an answer lists an encoding among those that its server accepts. */
const discloses =
  (name: string): Monitor =>
  (answer, { text }) =>
    all(answer, text("{rpc}-accept-encoding")).some((value) => value.split(",").some((one) => one.trim() === name))
      ? undefined
      : `its headers do not list ${name} as accepted`;

const MONITORS: Readonly<Record<string, Monitor>> = {
  "discloses-gzip": discloses("gzip"),
  "discloses-deflate": discloses("deflate"),
  "discloses-zstd": discloses("zstd"),
  "http-status": ({ head }) =>
    head === undefined || Answer.statusOf(head) === "200" ? undefined : `its HTTP status is ${Answer.statusOf(head)}, not 200`,
  "content-type": ({ head }, { text }) => {
    const value = valueOf(head?.fields ?? [], "content-type");
    const type = text("application/{rpc}");
    return value === type || value?.startsWith(`${type}+`) === true ? undefined : `its content type is ${value}, not ${type}`;
  },
  "status-present": (answer, { text }) =>
    answer.endedBy === undefined || valueOf(answer.last?.fields ?? [], text("{rpc}-status")) !== undefined
      ? undefined
      : "its trailers have no status",
  "status-once": (answer, { text }) => {
    const count = all(answer, text("{rpc}-status")).length;
    return count > 1 ? `it has the status ${count} times` : undefined;
  },
  "status-in-trailers": ({ head, isTrailersOnly }, { text }) =>
    !isTrailersOnly && valueOf(head?.fields ?? [], text("{rpc}-status")) !== undefined ? "its headers have a status" : undefined,
  "status-form": (answer, { text }) => {
    const wrong = all(answer, text("{rpc}-status")).find((value) => !/^(?:0|[1-9][0-9]*)$/.test(value));
    return wrong === undefined ? undefined : `its status is "${wrong}"`;
  },
  "status-known": (answer, { text }) => {
    const wrong = all(answer, text("{rpc}-status")).find((value) => Number(value) > 16);
    return wrong === undefined ? undefined : `there is no status ${wrong}`;
  },
  "message-encoding": (answer, { text }) => {
    const wrong = all(answer, text("{rpc}-message")).find((value) => !/^(?:[ -$&-~]|%[0-9A-F]{2})*$/.test(value));
    return wrong === undefined ? undefined : `its status message "${wrong}" is not percent-encoded`;
  },
  "end-of-stream": ({ endedBy, isDisordered }) => {
    if (isDisordered) return "it has DATA before its headers or after its trailers";
    return endedBy === "DATA" ? "it ends with DATA" : undefined;
  },
  "one-section-each": ({ finals }) => (finals.length > 2 ? `it has ${finals.length} header sections` : undefined),
  "pseudo-fields": ({ trailers }) =>
    trailers?.fields.some(([name]) => name.startsWith(":")) === true ? "its trailers have a pseudo-header field" : undefined,
  flags: ({ messages: { messages } }) => {
    const wrong = messages.find(({ flags }) => flags > 1);
    return wrong === undefined ? undefined : `a message has the flags ${wrong.flags}`;
  },
  "whole-messages": ({ endedBy, messages: { left } }) =>
    endedBy !== undefined && left > 0 ? `its last ${left} octets are not a whole message` : undefined,
  "flag-with-encoding": (answer, stage) => {
    const encoding = encodingOf(answer, stage) ?? "identity";
    return encoding === "identity" && answer.messages.messages.some(({ flags }) => flags === 1)
      ? "a message is compressed, but its headers name no encoding"
      : undefined;
  },
  "not-compressed": ({ messages: { messages } }) => (messages.some(({ flags }) => flags === 1) ? "a message is compressed" : undefined),
  "binary-values": ({ finals }) => {
    const wrong = finals
      .flatMap(({ fields }) => fields)
      .find(([name, value]) => name.endsWith("-bin") && value.split(",").some((one) => binary(one) === undefined));
    return wrong === undefined ? undefined : `the value of ${wrong[0]} is not Base64: ${wrong[1]}`;
  },
  "binary-unpadded": ({ finals }) => {
    const wrong = finals.flatMap(({ fields }) => fields).find(([name, value]) => name.endsWith("-bin") && value.includes("="));
    return wrong === undefined ? undefined : `the value of ${wrong[0]} is padded: ${wrong[1]}`;
  },
  "field-names": ({ finals }) => {
    const wrong = finals.flatMap(({ fields }) => fields).find(([name]) => !/^:?[0-9a-z_.-]+$/.test(name));
    return wrong === undefined ? undefined : `it has a field with the name "${wrong[0]}"`;
  },
};

export const monitorNames: readonly string[] = Object.keys(MONITORS);

/** What breaks the property in the answers of the case's calls; undefined if it holds, also of answers that are not of the protocol. */
export function monitor(name: string, stage: View): string | undefined {
  const check = MONITORS[name];
  if (check === undefined) throw new Error(`there is no monitor "${name}"`);
  for (const [stream, answer] of stage.connections.get(1)?.answers ?? []) {
    if (!stage.calls.has(stream) || (name !== "http-status" && !isOfProtocol(answer))) continue;
    const broken = check(answer, stage);
    if (broken !== undefined) return `Of call ${stream}, ${broken}.`;
  }
  return undefined;
}
