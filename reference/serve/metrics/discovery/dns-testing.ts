import { createSocket } from "node:dgram";
import { createServer, type AddressInfo } from "node:net";

/** A DNS server for tests: answers from a table, over UDP, and over TCP for answers that are too long (rfc1035). */

const TYPES = { A: 1, NS: 2, CNAME: 5, MX: 15, TXT: 16, AAAA: 28, SRV: 33 } as const;
/** A record of the table: its data by type. */
export type Zone = Readonly<Record<string, readonly ZoneRecord[] | "SERVFAIL">>;
export type ZoneRecord =
  | { readonly type: "A" | "AAAA"; readonly address: readonly number[] }
  | { readonly type: "NS" | "CNAME"; readonly host: string }
  | { readonly type: "MX"; readonly host: string; readonly preference: number }
  | { readonly type: "TXT"; readonly texts: readonly string[] }
  | { readonly type: "SRV"; readonly host: string; readonly port: number };

const UDP_OCTETS = 512;
const [NAME_ERROR, SERVER_FAILURE] = [3, 2];

const u16 = (value: number): number[] => [value >> 8, value & 255];
const nameOctets = (name: string): number[] => [
  ...name
    .split(".")
    .filter((label) => label !== "")
    .flatMap((label) => [label.length, ...Buffer.from(label)]),
  0,
];

function dataOf(record: ZoneRecord): number[] {
  switch (record.type) {
    case "A":
    case "AAAA":
      return [...record.address];
    case "NS":
    case "CNAME":
      return nameOctets(record.host);
    case "MX":
      return [...u16(record.preference), ...nameOctets(record.host)];
    case "TXT":
      return record.texts.flatMap((text) => [text.length, ...Buffer.from(text, "latin1")]);
    case "SRV":
      return [0, 0, 0, 0, ...u16(record.port), ...nameOctets(record.host)];
  }
}

/** The answer to a query; cut to its head if it must be short and is not. */
function answerTo(query: Buffer, zone: Zone, limit: number): { readonly asked: string; readonly octets: Buffer } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  const question = query.subarray(12, at + 5);
  const name = labels.join(".").toLowerCase();
  const type = query.readUInt16BE(at + 1);
  const found = zone[name];
  const records = Array.isArray(found) ? (found as readonly ZoneRecord[]) : [];
  const fitting = records.filter((record) => TYPES[record.type] === type || record.type === "CNAME");
  const head = (flags: number, count: number): Buffer =>
    Buffer.from([...query.subarray(0, 2), ...u16(0x8180 | flags), 0, 1, ...u16(count), 0, 0, 0, 0]);
  const code = found === undefined ? NAME_ERROR : found === "SERVFAIL" ? SERVER_FAILURE : 0;
  const answers = fitting.map((record) => {
    const data = dataOf(record);
    return Buffer.from([0xc0, 12, ...u16(TYPES[record.type]), 0, 1, 0, 0, 0, 0, ...u16(data.length), ...data]);
  });
  const whole = Buffer.concat([head(code, answers.length), question, ...answers]);
  const octets = whole.length <= limit ? whole : Buffer.concat([head(0x0200, 0), question]);
  return { asked: `${name} ${Object.entries(TYPES).find(([, value]) => value === type)?.[0] ?? type}`, octets };
}

/** Starts the server. `asked` lists the questions; `zone` may be changed. */
export async function dnsServer(zone: Record<string, Zone[string]>, { host = "127.0.0.1", port = 0 } = {}) {
  const asked: string[] = [];
  const answer = (query: Buffer, limit: number): Buffer => {
    const { asked: one, octets } = answerTo(query, zone, limit);
    asked.push(one);
    return octets;
  };
  const tcp = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (octets: Buffer) => {
      const reply = answer(octets.subarray(2), 65_535);
      socket.end(Buffer.concat([Buffer.from(u16(reply.length)), reply]));
    });
  });
  await new Promise<void>((resolve) => void tcp.listen(port, host, resolve));
  const { port: bound } = tcp.address() as AddressInfo;
  const udp = createSocket("udp4", (query, from) => udp.send(answer(query, UDP_OCTETS), from.port, from.address));
  await new Promise<void>((resolve) => void udp.bind(bound, host, resolve));
  return {
    asked: asked as readonly string[],
    address: `${host}:${bound}`,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      udp.close();
      await new Promise((resolve) => tcp.close(resolve));
    },
  };
}

/** A name with records of all types. */
export const RECORDS: Zone = {
  "web.example": [
    { type: "SRV", host: "a.example", port: 9100 },
    { type: "SRV", host: "b.example", port: 9200 },
    { type: "A", address: [192, 0, 2, 1] },
    { type: "AAAA", address: [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1] },
    { type: "MX", host: "mail.example", preference: 10 },
    { type: "NS", host: "ns.example" },
  ],
};
