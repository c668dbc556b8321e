import type { Feature } from "../../harness/driver.ts";
import type { Ask, Case } from "../vocabulary.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";
import { membersOf } from "../../wire/http1/read.ts";
import { knows } from "../../harness/subject/client-program.ts";
import type { Http1ClientStage } from "./client-stage.ts";
import { PLAIN } from "./client-steps.ts";

/** Optional features that cases need of a client, found out by a few plain exchanges before the first case. */
export const CLIENT_FEATURES: Readonly<Record<string, string>> = {
  output: "the client prints the content of its responses, and nothing else",
  status: "the command ends with status 0 when its request was answered, and with another when the connection was reset without a response",
  second: "the command has {url2} (or the function reads `second`), and requests it after the first request",
  together: "the command has {together:…} beside {url2} (or the function reads `together`), and makes both requests",
  reuse: "its second request comes on the connection of the first",
  head: "the command has {head:…} (or the function reads `method`), and sends HEAD",
  post: "the command has {post:…} (or the function reads `method`), and sends POST",
  h2c: "its first request offers an upgrade to h2c",
  tls: "the client is given an https: address",
  clear: "the client is given an http: address",
};

/** One exchange of the probe. */
export type Trial = Pick<Case, "steps" | "ask">;
/** Performs an exchange, and returns its stage. */
export type Try = (trial: Trial) => Promise<Http1ClientStage>;

const answer = (text: string, nth = 1): Case["steps"][number] => ({ do: "answer", nth, text });
const plain = (content: string): string => PLAIN.replace("Length: 2\r\n\r\nok", `Length: ${content.length}\r\n\r\n${content}`);
const CONTENT = "touchstone\nwas here\n";

const GOOD: Trial = { steps: [answer(plain(CONTENT))] };
const BROKEN: Trial = { steps: [{ do: "answer", text: "", close: "reset" }] };
const TWICE: Trial = { steps: [answer(plain("one")), answer(plain("two"), 2)], ask: { twice: true } };
const TOGETHER: Trial = { ...TWICE, ask: { together: true } };
const asking = (method: NonNullable<Ask["method"]>): Trial => ({
  steps: [answer(method === "HEAD" ? plain("ok").slice(0, -2) : plain("ok"))],
  ask: { method },
});

export type Found = { readonly features: ReadonlyMap<string, Feature>; readonly stage: Http1ClientStage };

/** `stage` is that of the first exchange, from which the caller sees whether the client connects at all. */
export async function probeClient(perform: Try, client: string | InProcessClient): Promise<Found> {
  const stage = await perform(GOOD);
  type Name = Parameters<typeof knows>[1];
  const able = (name: Name): boolean => typeof client !== "string" || knows(client, name);
  const only = async (name: Name, trial: Trial): Promise<Http1ClientStage | undefined> => (able(name) ? perform(trial) : undefined);
  const [broken, twice, together, head, post] = await Promise.all([
    perform(BROKEN),
    only("second", TWICE),
    only("together", TOGETHER),
    only("head", asking("HEAD")),
    only("post", asking("POST")),
  ]);
  const [first, second] = twice?.requests ?? [];
  const offersH2c = membersOf(stage.requests[0]?.request.fields ?? [], "upgrade").includes("h2c");
  const reused = second !== undefined && second.on === first?.on;
  const method = (asked: Http1ClientStage | undefined): string | undefined => asked?.requests[0]?.request.method;
  const is = (has: boolean, how: string): Feature => ({ has, how });
  const lacks = (text: string): string => `its command has no ${text}`;
  const sent = (asked: Http1ClientStage | undefined, placeholder: string): string =>
    asked === undefined ? lacks(placeholder) : `it sent ${method(asked) ?? "nothing"}`;
  const features = new Map([
    ["output", is(stage.output === CONTENT, stage.output === "" ? "it printed nothing" : "it printed something other than the content")],
    ["status", is(stage.exit?.ok === true && broken.exit?.ok === false, statusInWords(stage, broken))],
    [
      "second",
      is(
        second !== undefined && twice?.exit?.ok === true,
        twice === undefined ? lacks("{url2}") : `it sent ${twice.requests.length} requests`,
      ),
    ],
    [
      "together",
      is(
        together?.requests.length === 2 && together.exit?.ok === true,
        together === undefined ? lacks("{together:…}") : `it sent ${together.requests.length} requests`,
      ),
    ],
    ["reuse", is(reused, twice === undefined ? lacks("{url2}") : "its second request came on a new connection")],
    ["head", is(method(head) === "HEAD", sent(head, "{head:…}"))],
    ["post", is(method(post) === "POST", sent(post, "{post:…}"))],
    ["h2c", is(offersH2c, offersH2c ? "it offered h2c" : "its first request offered no h2c")],
    ["tls", is(stage.values["scheme"] === "https", `the address is ${stage.values["scheme"]}:`)],
    ["clear", is(stage.values["scheme"] === "http", `the address is ${stage.values["scheme"]}:`)],
  ]);
  return { features, stage };
}

function statusInWords(good: Http1ClientStage, broken: Http1ClientStage): string {
  if (good.exit?.ok !== true) return "it did not end with status 0 when its request was answered";
  return broken.exit === undefined
    ? "it did not end when the connection was reset without a response"
    : "it ended with status 0 although the connection was reset without a response";
}
