import { SERVICE } from "../../wire/rpc/contract.ts";
import { readMessage } from "../../wire/protobuf.ts";
import { type FieldOf, messageOfParts, type Part, partsAt } from "../../wire/rpc/parts.ts";
import type { ImpostorProcess } from "./process.ts";
import type { StandardFlaw } from "./standard-flaw.ts";

/** The standard services of an impostor: health, reflection and channelz. */

const OK = 0;
const NOT_FOUND = 5;
const SERVING = 1;
const SERVICE_UNKNOWN = 3;
const HEALTH = "/grpc.health.v1.Health/";
const CHANNELZ = "/grpc.channelz.v1.Channelz/";
const REFLECTION = /^\/grpc\.reflection\.(v1|v1alpha)\.ServerReflection\//;

/** A call of an impostor. */
export type StandardCall = {
  readonly path: string;
  next(): Promise<Uint8Array | undefined>;
  message(octets: Uint8Array): void;
  end(status: number): void;
};

/** Serves a call of a standard service; false for a call of another one. */
export async function serveStandard(call: StandardCall, flaw: StandardFlaw, process: ImpostorProcess): Promise<boolean> {
  const { path } = call;
  if (path.startsWith(HEALTH)) await health(path.slice(HEALTH.length), call, flaw);
  else if (path.startsWith(CHANNELZ)) await channelz(path.slice(CHANNELZ.length), call, process);
  else if (REFLECTION.test(path)) await reflection(call, flaw);
  else return false;
  return true;
}

async function channelz(method: string, call: StandardCall, process: ImpostorProcess): Promise<void> {
  const request = readMessage((await call.next()) ?? new Uint8Array());
  const answer = process.ask(method, (field) => request?.number(field) ?? 0);
  if (typeof answer === "number") return call.end(answer);
  call.message(answer);
  return call.end(OK);
}

const saying = (status: number): Uint8Array => messageOfParts([[1, status]]);
async function health(method: string, call: StandardCall, flaw: StandardFlaw): Promise<void> {
  const name = readMessage((await call.next()) ?? new Uint8Array())?.text(1) ?? "";
  const right = name === "" || name === SERVICE ? SERVING : SERVICE_UNKNOWN;
  const status = flaw.health?.(right) ?? right;
  if (method === "List") {
    const entry = messageOfParts([
      [1, SERVICE],
      [2, saying(flaw.health?.(SERVING) ?? SERVING)],
    ]);
    call.message(flaw.listsNothing === true ? new Uint8Array() : messageOfParts([[1, entry]]));
    return call.end(OK);
  }
  if (method === "Check") {
    if (status === SERVICE_UNKNOWN) return call.end(NOT_FOUND);
    call.message(saying(status));
    return call.end(OK);
  }
  if (flaw.watch === "waits") return undefined;
  call.message(saying(status));
  if (flaw.watch === "repeats") call.message(saying(status));
  if (flaw.watch === "ends") call.end(OK);
  return undefined;
}

/** A file with what it declares: enough of a descriptor for a question. */
type File = {
  readonly name: string;
  readonly space: string;
  readonly service?: string;
  readonly imports: readonly string[];
  readonly symbols: readonly string[];
  /** Whether it declares the extensions. */
  readonly extends?: true;
};
const PACKAGE = SERVICE.slice(0, SERVICE.lastIndexOf("."));
const EXTENSIONS = "touchstone.extensions.v1";
const EXTENDED = `${EXTENSIONS}.Extended`;
const NUMBERS = [100, 110];
const named = (name: string): Uint8Array => messageOfParts([[1, name]]);
const DECLARED: readonly FieldOf<Part>[] = [
  [4, messageOfParts([[6, named("numbers")]])],
  [7, named("note")],
];
const ofReflection = (version: string): File => {
  const space = `grpc.reflection.${version}`;
  return { name: `${version}.proto`, space, service: "ServerReflection", imports: [], symbols: [`${space}.ServerReflection`] };
};
const FILES: readonly File[] = [
  {
    name: "conformance.proto",
    space: PACKAGE,
    service: "Conformance",
    imports: [],
    symbols: ["", ".BidiStream"]
      .map((end) => `${SERVICE}${end}`)
      .concat(["Request", "Plan.delay_ms", "Compression", "CANCELLED"].map((name) => `${PACKAGE}.${name}`)),
  },
  { name: "time.proto", space: "google.protobuf", imports: [], symbols: [] },
  {
    name: "channelz.proto",
    space: "grpc.channelz.v1",
    service: "Channelz",
    imports: ["time.proto"],
    symbols: ["grpc.channelz.v1.Channelz"],
  },
  {
    name: "extensions.proto",
    space: EXTENSIONS,
    imports: [],
    symbols: [EXTENDED, `${EXTENSIONS}.note`],
    extends: true,
  },
  ofReflection("v1"),
  ofReflection("v1alpha"),
];
const descriptorOf = ({ name, space, service, imports, extends: isExtending }: File): Uint8Array =>
  messageOfParts([
    [1, name],
    [2, space],
    ...imports.map((one) => [3, one] as const),
    ...(isExtending === true ? DECLARED : []),
    ...(service === undefined ? [] : [[6, named(service)] as const]),
  ]);

async function reflection(call: StandardCall, flaw: StandardFlaw): Promise<void> {
  let nth = 0;
  for (let question = await call.next(); question !== undefined; question = await call.next()) {
    const right = answerTo(question);
    const answer = flaw.reflects?.(right, nth) ?? right;
    nth += 1;
    if (flaw.endsAtError === true && answer.some(([field]) => field === 7)) return call.end(NOT_FOUND);
    if (answer.length > 0) call.message(messageOfParts(answer));
  }
  if (nth === 0 && flaw.unasked === true) call.message(messageOfParts(answerTo(new Uint8Array())));
  return call.end(OK);
}

/** Whether a question for an extension is for one of ours. */
const isDeclared = (question: Part): boolean => {
  const asked = typeof question === "object" ? readMessage(question) : undefined;
  return asked?.text(1) === EXTENDED && NUMBERS.includes(asked.number(2));
};
const error = (code: number): FieldOf<Part> => [7, messageOfParts([[1, code]])];
function answerTo(question: Uint8Array): readonly FieldOf<Part>[] {
  const asked = readMessage(question);
  const host = asked?.text(1) ?? "";
  const text = (field: number): string | undefined => (partsAt(question, [field]).length > 0 ? asked?.text(field) : undefined);
  const files = (file: File | undefined): FieldOf<Part> => {
    if (file === undefined) return error(NOT_FOUND);
    const all = [file, ...FILES.filter(({ name }) => file.imports.includes(name))];
    return [4, messageOfParts(all.map((one) => [1, descriptorOf(one)] as const))];
  };
  const answer = (): FieldOf<Part> => {
    const [name, symbol, type] = [text(3), text(4), text(6)];
    const [extension] = partsAt(question, [5]);
    if (name !== undefined) return files(FILES.find((file) => file.name === name));
    if (symbol !== undefined) return files(FILES.find(({ symbols }) => symbols.includes(symbol)));
    if (extension !== undefined) return files(FILES.find(({ extends: isExtending }) => isExtending === true && isDeclared(extension)));
    if (type !== undefined)
      return [5, messageOfParts([[1, type], ...(type === EXTENDED ? NUMBERS.map((number) => [2, number] as const) : [])])];
    return text(7) === undefined
      ? error(NOT_FOUND)
      : [6, messageOfParts([SERVICE, "grpc.channelz.v1.Channelz"].map((one) => [1, messageOfParts([[1, one]])] as const))];
  };
  return [...(host === "" ? [] : [[1, host] as const]), [2, question], answer()];
}
