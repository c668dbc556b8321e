import { binary, encodingOf, valueOf } from "./answers.ts";
import { callsOf } from "./client-conclude.ts";
import type { Request } from "./client-connection.ts";
import { timeoutMs } from "./client-values.ts";
import type { ClientView } from "./client-view.ts";

/** Properties of every request that the text demands (rpc-http2#requests). Each returns what breaks it, in words. */
type Monitor = (request: Request, stage: ClientView) => string | undefined;

const fieldsOf = ({ head }: Request): readonly (readonly [string, string])[] => head?.fields ?? [];
const is = (name: string, wanted: (stage: ClientView) => string | readonly string[]): Monitor => {
  return (request, stage) => {
    const value = valueOf(fieldsOf(request), name);
    const right = [wanted(stage)].flat();
    return value !== undefined && right.includes(value)
      ? undefined
      : `its ${name} is ${value === undefined ? "missing" : `"${value}"`}, not ${right.join(" or ")}`;
  };
};
/** Names that belong to a call, in the order of the grammar; metadata follows. */
const isOfCall = (name: string, { text }: ClientView): boolean =>
  ["te", "content-type", "user-agent"].includes(name) || name.startsWith(text("{rpc}-"));

const MONITORS: Readonly<Record<string, Monitor>> = {
  method: is(":method", () => "POST"),
  scheme: is(":scheme", ({ asked }) => (asked?.tls === undefined ? "http" : "https")),
  te: is("te", () => "trailers"),
  path: (request, { asked }) => {
    const known = callsOf(asked).map(({ path }) => path);
    return known.includes(request.path ?? "") ? undefined : `its path is ${request.path}, not ${known.join(" or ")}`;
  },
  authority: ({ head }) => (valueOf(head?.fields ?? [], ":authority") === "" ? "its authority is empty" : undefined),
  "content-type": (request, { text }) => {
    const value = valueOf(fieldsOf(request), "content-type");
    const type = text("application/{rpc}");
    return value === type || value?.startsWith(`${type}+`) === true ? undefined : `its content type is ${value ?? "missing"}, not ${type}`;
  },
  "user-agent-present": (request) => (valueOf(fieldsOf(request), "user-agent") === undefined ? "it has no user-agent" : undefined),
  "user-agent-form": (request, { text }) => {
    const value = valueOf(fieldsOf(request), "user-agent");
    return value === undefined || new RegExp(`(?:^|\\s)${text("{rpc}")}-[^/\\s]+/\\S+`).test(value)
      ? undefined
      : `its user-agent is "${value}"`;
  },
  "timeout-form": (request, { text }) => {
    const value = valueOf(fieldsOf(request), text("{rpc}-timeout"));
    const ms = timeoutMs(value);
    return value === undefined || (ms !== undefined && ms > 0) ? undefined : `its timeout is "${value}"`;
  },
  "no-timeout": (request, { text }) => {
    const value = valueOf(fieldsOf(request), text("{rpc}-timeout"));
    return value === undefined ? undefined : `it has the timeout ${value}`;
  },
  "timeout-first": (request, { text }) => {
    const names = fieldsOf(request)
      .map(([name]) => name)
      .filter((name) => !name.startsWith(":"));
    const at = names.indexOf(text("{rpc}-timeout"));
    return at <= 0 ? undefined : `${names[0]} stands before its timeout`;
  },
  "call-before-metadata": (request, stage) => {
    const names = fieldsOf(request)
      .map(([name]) => name)
      .filter((name) => !name.startsWith(":"));
    const first = names.findIndex((name) => !isOfCall(name, stage));
    const late = first < 0 ? undefined : names.slice(first).find((name) => isOfCall(name, stage));
    return late === undefined ? undefined : `${late} stands behind metadata`;
  },
  "pseudo-fields": (request) => {
    const names = fieldsOf(request).map(([name]) => name);
    const last = names.findLastIndex((name) => name.startsWith(":"));
    const wrong = names.find((name, at) => name.startsWith(":") !== at <= last);
    return wrong === undefined ? undefined : `${wrong} stands before a pseudo-header field`;
  },
  "connection-fields": (request) => {
    const wrong = fieldsOf(request).find(([name]) =>
      ["connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"].includes(name),
    );
    return wrong === undefined ? undefined : `it has the field ${wrong[0]}`;
  },
  "field-names": (request) => {
    const wrong = fieldsOf(request).find(([name]) => !/^:?[0-9a-z_.-]+$/.test(name));
    return wrong === undefined ? undefined : `it has a field with the name "${wrong[0]}"`;
  },
  "field-values": (request) => {
    const wrong = fieldsOf(request).find(([, value]) => !/^[ -~]*$/.test(value));
    return wrong === undefined ? undefined : `the value of ${wrong[0]} has other characters than visible ASCII`;
  },
  "binary-values": (request) => {
    const wrong = fieldsOf(request).find(
      ([name, value]) => name.endsWith("-bin") && value.split(",").some((one) => binary(one) === undefined),
    );
    return wrong === undefined ? undefined : `the value of ${wrong[0]} is not Base64: ${wrong[1]}`;
  },
  "binary-unpadded": (request) => {
    const wrong = fieldsOf(request).find(([name, value]) => name.endsWith("-bin") && value.includes("="));
    return wrong === undefined ? undefined : `the value of ${wrong[0]} is padded: ${wrong[1]}`;
  },
  "encoding-names": (request, { text }) => {
    const value = valueOf(fieldsOf(request), text("{rpc}-accept-encoding"));
    return value === undefined || /^[!#$%&'*+.^_`|~0-9a-z-]+(?:[ ]*,[ ]*[!#$%&'*+.^_`|~0-9a-z-]+)*$/i.test(value)
      ? undefined
      : `its list of encodings is "${value}"`;
  },
  "end-of-stream": ({ endedBy }) => (endedBy === "HEADERS" ? "it ends with HEADERS" : undefined),
  "one-section": ({ finals }) => (finals.length > 1 ? `it has ${finals.length} header sections` : undefined),
  flags: ({ messages: { messages } }) => {
    const wrong = messages.find(({ flags }) => flags > 1);
    return wrong === undefined ? undefined : `a message has the flags ${wrong.flags}`;
  },
  "whole-messages": ({ endedBy, messages: { left } }) =>
    endedBy !== undefined && left > 0 ? `its last ${left} octets are not a whole message` : undefined,
  "flag-with-encoding": (request, stage) =>
    (encodingOf(request, stage) ?? "identity") === "identity" && request.messages.messages.some(({ flags }) => flags === 1)
      ? "a message is compressed, but it names no encoding"
      : undefined,
  "not-compressed": ({ messages: { messages } }) => (messages.some(({ flags }) => flags === 1) ? "a message is compressed" : undefined),
  "no-previous-attempts": (request, { text }) =>
    valueOf(fieldsOf(request), text("{rpc}-previous-rpc-attempts")) === undefined ? undefined : "it has a number of previous attempts",
};

export const monitorNames: readonly string[] = Object.keys(MONITORS);

/** What breaks the property in the requests of the case; undefined if it holds. */
export function monitor(name: string, stage: ClientView): string | undefined {
  const check = MONITORS[name];
  if (check === undefined) throw new Error(`there is no monitor "${name}"`);
  if (stage.requests.length === 0) return "No request came.";
  for (const [at, request] of stage.requests.entries()) {
    const broken = check(request, stage);
    if (broken !== undefined) return `Of request ${at + 1}, ${broken}.`;
  }
  return undefined;
}
