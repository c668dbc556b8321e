import { performAll } from "../../../harness/connection/connection-driver.ts";
import { leaves } from "../../../harness/connection/sights.ts";
import type { Stop } from "../../../harness/connection/stage.ts";
import type { ReadField } from "../../../wire/http2/read.ts";
import { fromHex, join } from "../../../wire/octets.ts";
import { fateRequest, type Plan, readFate, request, SERVICE } from "../../../wire/rpc/contract.ts";
import { compressed, envelope } from "../../../wire/rpc/envelopes.ts";
import { requestJson } from "../../../wire/rpc/json.ts";
import { isGet, isText, WEB_FORMS, type WebForm } from "../../../wire/rpc/web-forms.ts";
import type { WebMessage, WebSight, WebStep } from "../../web-vocabulary.ts";
import { payloadOf } from "../payloads.ts";
import { payloadText } from "./answer.ts";
import type { Carrier, Sent } from "./carrier.ts";
import { sightInWords } from "./describe.ts";
import { WebCall, type WebStage } from "./stage.ts";

/** How long to wait before Fate is asked again, in milliseconds. */
const ASK_MS = 20;

type CallStep = Extract<WebStep, { do: "call" }>;

/** Performs the steps in order until one fails. */
export const perform = (steps: readonly WebStep[], stage: WebStage): Promise<Stop> => performAll(steps, (step) => one(step, stage));

async function one(step: WebStep, stage: WebStage): Promise<Stop> {
  switch (step.do) {
    case "via":
      stage.version = step.version;
      return undefined;
    case "call": {
      const carrier = await stage.carrier();
      const sent = sentOf(step, stage);
      stage.calls.set(step.call, new WebCall(carrier, askedOf(step.form, sent.fields)));
      await begin(carrier, sent, stage);
      return undefined;
    }
    case "say": {
      const call = stage.calls.get(step.call)!;
      call.carrier.say(written(step.messages, call.asked.form, { stage, inOctets: false }), step.end === true);
      return undefined;
    }
    case "await":
      return awaitSight(step.see, stage);
    case "leave":
      stage.recorder.remark("we drop the connection");
      stage.calls.get(step.call)?.carrier.drop();
      stage.calls.delete(step.call);
      return undefined;
    case "ask":
      return ask(step, stage);
  }
}

const begin = (carrier: Carrier, sent: Sent, stage: WebStage): Promise<void> =>
  carrier.begin(sent, (test) => stage.until(test, stage.timeout));

function awaitSight(sight: WebSight, stage: WebStage): Promise<Stop> {
  const calls = leaves<WebSight>(sight).flatMap((leaf) => ("call" in leaf ? [leaf.call] : []));
  const isOver = (): boolean => calls.length > 0 && calls.every((call) => stage.calls.get(call)?.carrier.received.isOver === true);
  return stage.expect(sight, sightInWords(sight), { isOver, ending: "the call" });
}

/** The encodings that a client of this request accepts: without a list, that of its request (rpc-connect#unary-request). */
function askedOf(form: WebForm, fields: readonly ReadField[]): WebCall["asked"] {
  const { isStream, contentType } = WEB_FORMS[form];
  const valueOf = (name: string): string | undefined => fields.find(([one]) => one === name)?.[1];
  const prefix = isStream ? "connect-" : "";
  const listed = valueOf(`${prefix}accept-encoding`) ?? valueOf(`${prefix}content-encoding`) ?? "";
  return { form, contentType, accepted: listed.split(",").map((one) => one.trim()) };
}

function sentOf(step: CallStep, stage: WebStage): Sent {
  const { form, method = "Unary", verb, fields = [], replace = {}, messages = [{}], inOctets = false, open, cut, query } = step;
  const path = step.path ?? `/${SERVICE}/${method}`;
  const { scheme, authority } = stage.target;
  const kept = usual(form).flatMap(([name, value]): ReadField[] => {
    const other = replace[name];
    return other === false ? [] : [[name, other ?? value]];
  });
  const all = [...kept, ...fields.map(([name, value]): ReadField => [name, stage.text(value)])];
  const common = { scheme, authority, fields: all };
  if (isGet(form)) {
    const target = `${path}?${queryOf(form, query, bare(messages[0] ?? {}, form, stage))}`;
    return { ...common, verb: verb ?? "GET", target, pieces: [], isOpen: false, hasContent: false };
  }
  const octets = written(messages, form, { stage, inOctets });
  return { ...common, verb: verb ?? "POST", target: path, pieces: piecesOf(octets, cut), isOpen: open === true, hasContent: true };
}

/** The fields that every call has. */
function usual(form: WebForm): readonly ReadField[] {
  const { dialect, contentType } = WEB_FORMS[form];
  if (dialect === "grpc-web")
    return [
      ["content-type", contentType],
      ["accept", contentType],
      ["x-grpc-web", "1"],
    ];
  if (isGet(form)) return [];
  return [
    ["content-type", contentType],
    ["connect-protocol-version", "1"],
  ];
}

function queryOf(form: WebForm, given: CallStep["query"], octets: Uint8Array): string {
  const { format } = WEB_FORMS[form];
  const usualQuery =
    format === "json"
      ? ([
          ["connect", "v1"],
          ["encoding", "json"],
          ["message", "{message}"],
        ] as const)
      : ([
          ["connect", "v1"],
          ["base64", "1"],
          ["encoding", "proto"],
          ["message", "{base64}"],
        ] as const);
  const base64 = Buffer.from(octets).toString("base64url");
  const values = (value: string): string =>
    value
      .replace("{message}", () => encodeURIComponent(Buffer.from(octets).toString()))
      .replace("{base64}", base64)
      .replace("{padded}", `${base64}${"%3D".repeat((4 - (base64.length % 4)) % 4)}`);
  return (given ?? usualQuery).map(([name, value]) => `${name}=${values(value)}`).join("&");
}

/** The octets of a message without an envelope. */
function bare(spec: WebMessage, form: WebForm, stage: WebStage): Uint8Array {
  const whole = contentOf(spec, form, stage);
  const octets = spec.compress === undefined || whole.length === 0 ? whole : compressed(whole, spec.compress);
  return octets.subarray(0, spec.keep);
}
function contentOf({ plan, hex, text, ...spec }: WebMessage, form: WebForm, stage: WebStage): Uint8Array {
  if (hex !== undefined) return fromHex(hex);
  if (text !== undefined) return Buffer.from(text);
  const octets = payloadOf(spec);
  const named: Plan | undefined = plan?.call === undefined ? plan : { ...plan, call: stage.text(plan.call) };
  return WEB_FORMS[form].format === "json" ? Buffer.from(requestJson(octets, named)) : request(octets, named);
}

/** The octets of messages in the form of their call. */
function written(
  messages: readonly WebMessage[],
  form: WebForm,
  { stage, inOctets }: { readonly stage: WebStage; readonly inOctets: boolean },
): Uint8Array {
  if (!WEB_FORMS[form].isStream) return join(messages.map((message) => bare(message, form, stage)));
  const octets = join(messages.map((message) => envelope(contentOf(message, form, stage), message)));
  return isText(form) && !inOctets ? Buffer.from(Buffer.from(octets).toString("base64")) : octets;
}
function piecesOf(octets: Uint8Array, cut: number | undefined): Uint8Array[] {
  if (cut === undefined) return [octets];
  const count = Math.max(1, Math.ceil(octets.length / cut));
  return Array.from({ length: count }, (_, at) => octets.subarray(at * cut, (at + 1) * cut));
}

/** A good call on a new connection; returns its answer, or why there is none. */
async function exchange(stage: WebStage, step: CallStep): Promise<WebCall | string> {
  const carrier = await stage.carrier();
  const sent = sentOf(step, stage);
  const call = new WebCall(carrier, askedOf(step.form, sent.fields));
  await begin(carrier, sent, stage);
  await stage.until(() => carrier.received.isOver, stage.timeout);
  if (!carrier.received.isOver) return `a good call was not answered within ${stage.timeout} ms`;
  return call.answer.status === 0 ? call : "a good call on a new connection was not answered well";
}
const goodForm = ({ dialect }: WebStage): WebForm => (dialect === "connect" ? "unary proto" : "web proto");

/** A good call on a new connection; returns why its answer is not good. */
export async function fence(stage: WebStage): Promise<Stop> {
  const payload = `fence ${stage.token}`;
  const found = await exchange(stage, { do: "call", call: 0, form: goodForm(stage), messages: [{ payload }] });
  if (typeof found === "string") return found;
  const [response] = found.answer.responses;
  return response !== undefined && payloadText(response.payload) === payload ? undefined : "a good call was answered with another payload";
}

async function ask({ name, until }: Extract<WebStep, { do: "ask" }>, stage: WebStage): Promise<Stop> {
  const ends = performance.now() + stage.timeout;
  for (;;) {
    const hex = Buffer.from(fateRequest(stage.text(name))).toString("hex");
    const found = await exchange(stage, { do: "call", call: 0, form: goodForm(stage), method: "Fate", messages: [{ hex }] });
    if (typeof found === "string") return found;
    const { content } = found.carrier.received;
    stage.fate = readFate(stage.dialect === "connect" ? content : content.subarray(5, 5 + Buffer.from(content).readUInt32BE(1)));
    const state = stage.fate?.state;
    if (state !== undefined && until.includes(state)) return undefined;
    if (performance.now() > ends) return `Fate reports that the call ${stage.text(name)} is ${state}, not ${until.join(" or ")}`;
    await new Promise((resolve) => setTimeout(resolve, ASK_MS));
  }
}
