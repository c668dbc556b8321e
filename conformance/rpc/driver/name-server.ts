import { createSocket, type RemoteInfo } from "node:dgram";
import { createServer } from "node:net";

/** A server of names for the clients of one case (rfc1035): it answers from what the case says at that time, over UDP and TCP. */

const TYPES: Readonly<Record<number, RecordType>> = { 1: "A", 16: "TXT" };
export type RecordType = "A" | "TXT";
/** What it answers; nothing at all if it is silent. */
export type Names = {
  /** Of every name. */
  readonly addresses: readonly string[];
  /** Each of the strings of one record. */
  readonly texts: readonly (readonly string[])[];
  /** So many first questions for addresses fail. */
  readonly failures?: number;
  readonly silent?: true;
};

const [NO_ERROR, SERVER_FAILURE, NAME_ERROR] = [0, 2, 3];
const UDP_OCTETS = 512;
const HEADER = 12;
const TRIES = 10;
const u16 = (value: number): number[] => [value >> 8, value & 255];
/** The name of a record is that of the question; it is good for no time. */
const record = (type: number, data: readonly number[]): number[] => [
  0xc0,
  HEADER,
  ...u16(type),
  0,
  1,
  0,
  0,
  0,
  0,
  ...u16(data.length),
  ...data,
];
const dataOf: Readonly<Record<RecordType, (names: Names) => number[][]>> = {
  A: ({ addresses }) => addresses.map((one) => one.split(".").map(Number)),
  TXT: ({ texts }) => texts.map((strings) => strings.flatMap((text) => [Buffer.byteLength(text), ...Buffer.from(text)])),
};

type Question = { readonly name: string; readonly type: number; readonly end: number };

/** The first question of a query; undefined if there is none. */
function questionIn(query: Buffer): Question | undefined {
  const labels: string[] = [];
  let at = HEADER;
  for (;;) {
    const length = query[at];
    if (length === undefined || length > 63) return undefined;
    at += 1 + length;
    if (length === 0) break;
    labels.push(query.toString("latin1", at - length, at));
  }
  return at + 4 > query.length ? undefined : { name: labels.join("."), type: query.readUInt16BE(at), end: at + 4 };
}

export class NameServer {
  names: Names;
  /** What has been asked, in its order. */
  readonly asked: { readonly name: string; readonly type: RecordType; readonly at: number }[] = [];
  readonly #heard: (words: string) => void;
  #failures = 0;

  constructor(names: Names, heard: (words: string) => void) {
    this.names = names;
    this.#heard = heard;
  }

  /** Listens on loopback; returns its address and how to end it. */
  async listen(): Promise<{ readonly address: string; close(): void }> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#listen();
      } catch (error) {
        // Another program may have the same port of TCP.
        if (tries === TRIES) throw error;
      }
    }
  }
  async #listen(): Promise<{ readonly address: string; close(): void }> {
    const udp = createSocket("udp4");
    udp.on("message", (query: Buffer, { port, address }: RemoteInfo) => {
      const answer = this.#answer(query);
      if (answer !== undefined) udp.send(answer.length <= UDP_OCTETS ? answer : truncated(query), port, address);
    });
    await new Promise<void>((resolve) => udp.bind(0, "127.0.0.1", resolve));
    const { port } = udp.address();
    const tcp = createServer((socket) => {
      let read = Buffer.alloc(0);
      socket.on("error", () => {});
      socket.on("data", (data: Buffer) => {
        read = Buffer.concat([read, data]);
        if (read.length < 2 || read.length < 2 + read.readUInt16BE(0)) return;
        const answer = this.#answer(read.subarray(2));
        if (answer !== undefined) socket.end(Buffer.concat([Buffer.from(u16(answer.length)), answer]));
      });
    });
    await new Promise<void>((resolve, reject) => {
      tcp.once("error", (error) => {
        udp.close();
        reject(error);
      });
      tcp.listen(port, "127.0.0.1", resolve);
    });
    return {
      address: `127.0.0.1:${port}`,
      close: () => {
        udp.close();
        tcp.close();
      },
    };
  }

  #answer(query: Buffer): Buffer | undefined {
    const question = questionIn(query);
    if (question === undefined) return undefined;
    const type = TYPES[question.type];
    if (type !== undefined) {
      this.asked.push({ name: question.name, type, at: performance.now() });
      this.#heard(`it asks for ${type} of ${question.name}`);
    }
    if (this.names.silent === true) return undefined;
    if (type === "A" && this.#failures < (this.names.failures ?? 0)) {
      this.#failures += 1;
      return answered(query, question, { code: SERVER_FAILURE, records: [] });
    }
    const isConfig = question.name.startsWith("_");
    const data = type === undefined || isConfig !== (type === "TXT") ? [] : dataOf[type](this.names);
    const exists = isConfig ? this.names.texts.length > 0 : this.names.addresses.length > 0;
    return answered(query, question, { code: exists ? NO_ERROR : NAME_ERROR, records: data.map((one) => record(question.type, one)) });
  }
}

type Answer = { readonly code: number; readonly records: readonly (readonly number[])[] };

function answered(query: Buffer, { end }: Question, { code, records }: Answer): Buffer {
  const head = Buffer.from([query[0]!, query[1]!, 0x84, 0x80 | code, 0, 1, ...u16(records.length), 0, 0, 0, 0]);
  return Buffer.concat([head, query.subarray(HEADER, end), ...records.map((one) => Buffer.from(one))]);
}
/** Says that the answer is too long: the question is asked again over TCP. */
function truncated(query: Buffer): Buffer {
  const answer = answered(query, questionIn(query)!, { code: NO_ERROR, records: [] });
  answer[2]! |= 0x02;
  return answer;
}
