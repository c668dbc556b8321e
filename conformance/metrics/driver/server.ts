import { createHash } from "node:crypto";
import type { Driver, Feature, Played, Twin } from "../../harness/driver.ts";
import type { Reach } from "../../harness/subject/reach.ts";
import type { Verify } from "../../harness/subject/transport.ts";
import type { TranscriptLine } from "../../harness/result.ts";
import { printable } from "../../wire/octets.ts";
import type { OneSight, ServerCase, Sight, Step } from "../vocabulary.ts";
import { membersOf } from "../../harness/shapes.ts";
import { type Answer, QueryClient } from "./server-client.ts";
import { type Arrival, ensureData, succeeded } from "./server-data.ts";
import { featuresOf } from "./server-features.ts";
import { errorOf, unlike } from "./server-judge.ts";

export type ServerOptions = {
  /** The parent of its `/api/v1/`. */
  readonly url: string;
  /** How long to wait for one answer, in milliseconds. */
  readonly timeout: number;
  readonly verify: Verify;
  readonly reach?: Reach;
};

/** Performs cases on a metrics server, by requests on persistent connections. */
export class ServerDriver implements Driver<ServerCase> {
  readonly role = "server";
  /** The data set is in the past: the same question gets the same answer. */
  readonly steady = true;
  readonly #client: QueryClient;
  /** Whether the data set was there, or was pushed. */
  arrival: Arrival | undefined;

  constructor(options: ServerOptions) {
    this.#client = new QueryClient(options.url, options);
  }

  async probe(): Promise<{ features: ReadonlyMap<string, Feature>; version?: string }> {
    this.arrival = await ensureData(this.#client);
    const features = await featuresOf(this.#client);
    // A server without this endpoint is judged without a version; if it is gone, the first case reports that.
    const built = await this.#client.ask({ do: "ask", path: "status/buildinfo" }).catch(() => undefined);
    const version = versionIn(built?.json);
    return { features, ...(version === undefined ? {} : { version }) };
  }

  async play(c: ServerCase): Promise<Played> {
    const answers: Answer[] = [];
    const transcript: TranscriptLine[] = [];
    for (const step of c.steps) {
      const { answer, error, transcript: lines } = await this.#ask(step);
      transcript.push(...lines);
      if (answer === undefined) return { is: "other", reason: `It did not answer: ${error}.`, observed: "no answer", transcript };
      answers.push(answer);
    }
    const observed = answers.map(inWords).join("; then ");
    const wrong = c.allowed.map(({ see }) => unlikeEach(see.see === "all" ? see.of : [see], answers));
    const index = wrong.indexOf(undefined);
    if (index >= 0) return { is: "allowed", index, reason: "", observed, transcript };
    return { is: "other", reason: `${sentence(wrong[0] ?? observed)}.`, observed, transcript };
  }

  /** The control must succeed, and return data if it asks for the data set. */
  async control(c: ServerCase): Promise<Twin> {
    const [step] = c.control;
    const { answer, error, transcript } = await this.#ask(step);
    if (answer === undefined) return { is: "refused", reason: `it did not answer: ${error}`, transcript };
    if (!succeeded(answer)) return { is: "refused", reason: inWords(answer), transcript };
    if (!wantsData(c) || !step.path.startsWith("query") || !isEmpty(answer)) return { is: "accepted", reason: "", transcript };
    return { is: "refused", reason: "it has none of the requested data", transcript };
  }

  controlKey(c: ServerCase): string {
    return createHash("sha256")
      .update(JSON.stringify([c.control, wantsData(c)]))
      .digest("hex");
  }

  expected(c: ServerCase): string[] {
    return c.allowed.map(({ see, by }) => `${wanted(see)}${by === undefined ? "" : ` (${by})`}`);
  }

  close(): Promise<void> {
    this.#client.close();
    return Promise.resolve();
  }

  async #ask(step: Step): Promise<{ answer?: Answer; error?: string; transcript: TranscriptLine[] }> {
    const began = performance.now();
    const at = (): number => Math.round((performance.now() - began) * 10) / 10;
    const asked: TranscriptLine = { at: 0, way: "->", means: requestInWords(step) };
    try {
      const answer = await this.#client.ask(step);
      const content = printable(answer.text, 4_000);
      return {
        answer,
        transcript: [asked, { at: at(), way: "<-", means: `${answer.status} ${answer.fields["content-type"] ?? ""} ${content}` }],
      };
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown.message : String(thrown);
      return { error, transcript: [asked, { at: at(), way: "<-", means: `no answer: ${error}` }] };
    }
  }
}

/** Whether the control asks for the data set: not if a refusal is expected, nor if the case is its own control. */
const wantsData = ({ steps, control, allowed }: ServerCase): boolean =>
  allowed[0].see.see !== "refused" && JSON.stringify(steps) !== JSON.stringify(control);

function requestInWords({ path, params = [], method, form, fields = [] }: Step): string {
  const said = params.map(([name, value]) => `${name}=${value}`).join("  ");
  const more = fields.map(([name, value]) => `; ${name}: ${value}`).join("");
  return printable(`${method ?? (form === true ? "POST" : "GET")} api/v1/${path}  ${said}${more}`, 4_000);
}

function isEmpty({ json }: Answer): boolean {
  const { data } = membersOf(json);
  const { result } = membersOf(data);
  return data === null || (Array.isArray(result) && result.length === 0);
}

/** What is wrong with the first wrong answer. */
function unlikeEach(sights: readonly OneSight[], answers: readonly Answer[]): string | undefined {
  for (const [at, sight] of sights.entries()) {
    const answer = answers[at];
    const wrong = answer === undefined ? "the case has more sights than questions" : unlike(sight, answer);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function inWords(answer: Answer): string {
  if (!succeeded(answer)) return `${answer.status}: ${printable(errorOf(answer), 200)}`;
  return printable(JSON.stringify(membersOf(answer.json)["data"] ?? null), 200);
}

function wanted(see: Sight): string {
  const notes = "notes" in see && see.notes !== undefined ? `, with ${see.notes}` : "";
  switch (see.see) {
    case "all":
      return see.of.map(wanted).join("; then ");
    case "any":
      return see.of.map(wanted).join(", or ");
    case "scalar":
    case "string":
      return `the ${see.see} ${printable(JSON.stringify(see.sample[1]), 80)}${notes}`;
    case "vector":
    case "matrix":
      return `${see.ordered === true ? "in this order" : "a"} ${see.see} ${printable(JSON.stringify(see.rows), 200)}${notes}`;
    case "data":
      return `data like ${printable(JSON.stringify(see.data), 200)}${see.most === undefined ? "" : `, at most ${see.most}`}${notes}`;
    case "refused":
      return `${see.status.join(" or ")}${see.type === undefined ? "" : ` with ${see.type.join(" or ")}`}`;
  }
}

/** The version of a server in its `status/buildinfo`. Touchstone's own has there the version of its API, which clients look for, beside its own. */
export function versionIn(buildinfo: unknown): string | undefined {
  const { version: api, touchstoneVersion: version = api } = membersOf(membersOf(buildinfo)["data"]);
  return typeof version === "string" && version !== "" ? version : undefined;
}
