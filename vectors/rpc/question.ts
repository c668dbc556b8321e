import type { SpecRef } from "../../reference/core/index.ts";
import type { DialectName } from "../../reference/rpc/index.ts";
import type { CodecAnswer } from "../codec.ts";
import { about, ACCEPTED, type Question, type Questions, refusal, show, unexpected } from "../question.ts";
import type { AnyVector, Kind, MessagesVector, READINGS, Told, WRITINGS } from "./source/craft.ts";
import { WRITTEN } from "./written.ts";

/** Whose names fields and content types have. */
export type { DialectName };

/** What a codec is asked: to read the messages of a stream, to read one value, or to write one. */
export type Asked =
  | ({ readonly op: "rpc-messages" } & Pick<MessagesVector, "side" | "cuts" | "ended" | "encoding" | "limit">)
  | { readonly op: "rpc-read"; readonly of: (typeof READINGS)[number]; readonly dialect: DialectName; readonly given: unknown }
  | { readonly op: "rpc-write"; readonly of: (typeof WRITINGS)[number]; readonly dialect: DialectName; readonly given: unknown };

/** What a codec may do. */
export type Sight =
  /** It read exactly this, and reported no error. */
  | { readonly see: "read"; readonly messages: readonly Told[] }
  /** It reported an error after this; with another status, if it reports one, that is wrong. */
  | { readonly see: "refused"; readonly messages: readonly Told[]; readonly code?: number }
  /** It wrote something that means what was given, in the dialect `rpc` unless it is named. */
  | { readonly see: "written"; readonly of: keyof typeof WRITTEN; readonly given: unknown; readonly dialect?: DialectName };
export type Permitted = { readonly see: Sight; readonly by?: SpecRef };

/** The same in the other dialect: vectors have the names of `rpc`. */
export function inDialect<T>(value: T, dialect: DialectName): T {
  if (dialect === "rpc") return value;
  const text = JSON.stringify(value)
    .replaceAll(/"rpc(?=[-_])/g, '"grpc')
    .replaceAll(/(application\/)(g?)(rpc)/gi, (_, type: string, g: string, rpc: string) => `${type}${g === "" ? "g" : ""}${rpc}`);
  return JSON.parse(text) as T;
}

/** The request of a vector. */
export function askedOf(kind: Kind, vector: AnyVector, dialect: DialectName): Asked {
  if ("cuts" in vector) {
    const { side, cuts, ended, encoding, limit } = vector;
    return {
      op: "rpc-messages",
      side,
      cuts,
      ended,
      ...(encoding === undefined ? {} : { encoding }),
      ...(limit === undefined ? {} : { limit }),
    };
  }
  // The kind of a vector is that of its file, which decides what `of` may be.
  return { op: kind, of: vector.of, dialect, given: inDialect(vector.given, dialect) } as Asked;
}

/** The part of a vector that decides what is right. */
type Judged = Pick<AnyVector, "result" | "messages" | "or" | "by"> & {
  readonly of?: string;
  readonly given?: unknown;
  readonly code?: number;
};

/** What the specification permits in answer to a vector, the strict answer first. */
export function permittedOf(kind: Kind, vector: Judged, dialect: DialectName): readonly [Permitted, ...Permitted[]] {
  const { result, by, or = [], of = "", given, code } = vector;
  const messages = inDialect(vector.messages, dialect);
  const refused: Sight = { see: "refused", messages: result === "acceptable" ? [] : messages, ...(code === undefined ? {} : { code }) };
  if (result === "invalid") return [{ see: refused }];
  const strict: Sight =
    kind === "rpc-write" && isJudged(of) ? { see: "written", of, given: inDialect(given, dialect), dialect } : { see: "read", messages };
  const others = or.map((other): Permitted => ({ see: { see: "read", messages: inDialect(other.messages, dialect) }, by: other.by }));
  return [{ see: strict }, ...others, ...(by === undefined ? [] : [{ see: refused, by }])];
}
const isJudged = (of: string): of is keyof typeof WRITTEN => Object.hasOwn(WRITTEN, of);

/** One line about how an answer differs from a sight; undefined if it does not. */
export function unlike(see: Sight, answer: CodecAnswer): string | undefined {
  if (answer.is !== "messages" && answer.is !== "error") return unexpected(answer);
  const messages = answer.is === "messages" ? answer.messages : [];
  const { error } = answer;
  if (see.see === "written") return error === undefined ? WRITTEN[see.of](see.given, messages, `${see.dialect ?? "rpc"}-`) : refusal(error);
  if (see.see === "read") return error === undefined ? difference(see.messages, messages) : refusal(error);
  if (error === undefined) return ACCEPTED;
  const code = answer.is === "messages" ? answer.code : undefined;
  if (see.code !== undefined && code !== undefined && code !== see.code) return `the status of the refusal is ${code}, not ${see.code}`;
  return difference(see.messages, messages);
}

function difference(due: readonly Told[], got: readonly Told[]): string | undefined {
  const [expected, actual] = [comparable(due), comparable(got)];
  for (const [i, one] of expected.entries()) {
    const other = actual[i];
    if (other === undefined) return `message ${i + 1} is missing: ${show(one)}`;
    for (const [name, value] of Object.entries(one))
      if (!isSame(name, value, other[name])) return `message ${i + 1}: ${name} is ${show(other[name])}, not ${show(value)}`;
  }
  return actual.length > expected.length ? `message ${expected.length + 1} is unexpected: ${show(actual[expected.length])}` : undefined;
}
/** Of metadata only the order of values of one name counts. */
const comparable = (messages: readonly Told[]): readonly Told[] =>
  messages.every(({ name }) => typeof name === "string")
    ? messages.toSorted((a, b) => (String(a["name"]) < String(b["name"]) ? -1 : String(a["name"]) > String(b["name"]) ? 1 : 0))
    : messages;

/** Timers have a resolution: a time that is read may be a millisecond off, and computed in floating point. */
const TOLERANCE = { share: 1e-9, nanoseconds: 1e6 };
const isSame = (name: string, due: unknown, got: unknown): boolean => {
  if (name !== "nanoseconds" || (typeof got !== "string" && typeof got !== "number")) return due === got;
  const time = Number(due);
  return Math.abs(Number(got) - time) <= Math.max(time * TOLERANCE.share, TOLERANCE.nanoseconds);
};

function question(kind: Kind, vector: AnyVector): Question {
  const { op, ...request } = askedOf(kind, vector, "rpc");
  const permitted = permittedOf(kind, vector, "rpc");
  return {
    request: { op, ...request },
    judge(answer) {
      const wrong = permitted.map(({ see }) => unlike(see, answer));
      return wrong.includes(undefined) ? undefined : wrong[0];
    },
  };
}

/** The questions about RPC, by kind. */
export const QUESTIONS: Questions = {
  "rpc-messages": about((vector: AnyVector) => question("rpc-messages", vector)),
  "rpc-read": about((vector: AnyVector) => question("rpc-read", vector)),
  "rpc-write": about((vector: AnyVector) => question("rpc-write", vector)),
};
