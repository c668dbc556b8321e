import { instant } from "../../../reference/core/index.ts";
import { Connection, DEFAULT_LIMITS, FAULTS, STRICT } from "../../../reference/http1/index.ts";
import { INPUTS, printTables, STANDINGS, STATES, TURNS } from "../../../reference/http1/state.ts";
import type { Draw } from "./http1-draw.ts";
import { octetsOf, Report } from "./http1-report.ts";
import { leniencies } from "./http1-setup.ts";

const T0 = instant(0);
const HOST = "Host: a\r\n";
/** Each puts one octet at one place of a message. */
const PLACES: readonly ((octet: string) => string)[] = [
  (o) => `${o}ET / HTTP/1.1\r\n${HOST}\r\n`,
  (o) => `GE${o} / HTTP/1.1\r\n${HOST}\r\n`,
  (o) => `GET${o}/ HTTP/1.1\r\n${HOST}\r\n`,
  (o) => `GET /${o} HTTP/1.1\r\n${HOST}\r\n`,
  (o) => `GET /a${o}b HTTP/1.1\r\n${HOST}\r\n`,
  (o) => `GET /%${o}0 HTTP/1.1\r\n${HOST}\r\n`,
  (o) => `GET / HTTP/1.${o}\r\n${HOST}\r\n`,
  (o) => `GET / HTTP/${o}.1\r\n${HOST}\r\n`,
  (o) => `GET / HTTP/1.1${o}\n${HOST}\r\n`,
  (o) => `GET / HTTP/1.1\r${o}${HOST}\r\n`,
  (o) => `GET / HTTP/1.1\r\n${HOST}${o}: b\r\n\r\n`,
  (o) => `GET / HTTP/1.1\r\n${HOST}X${o}: b\r\n\r\n`,
  (o) => `GET / HTTP/1.1\r\n${HOST}X:${o}b\r\n\r\n`,
  (o) => `GET / HTTP/1.1\r\n${HOST}X: a${o}b\r\n\r\n`,
  (o) => `GET / HTTP/1.1\r\n${HOST}X: a${o}\r\n\r\n`,
  (o) => `GET / HTTP/1.1\r\n${HOST}${o}\n`,
  (o) => `GET / HTTP/1.1\r\nHost: a${o}b\r\n\r\n`,
  (o) => `GET / HTTP/1.1\r\n${HOST}Connection: x${o}\r\n\r\n`,
  (o) => `POST / HTTP/1.1\r\n${HOST}Content-Length: ${o}\r\n\r\nabcdefghi`,
  (o) => `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n${o}\r\nabcdefghijklmno\r\n0\r\n\r\n`,
  (o) => `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n1${o}\r\n0123456789abcdefghijklmnopqrstuvwxyz`,
  (o) => `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n1;${o}\r\na\r\n0\r\n\r\n`,
  (o) => `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n1;a=${o}\r\na\r\n0\r\n\r\n`,
  (o) => `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n1;a="${o}"\r\na\r\n0\r\n\r\n`,
  (o) => `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n1\r\na${o}\n0\r\n\r\n`,
  (o) => `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n1\r\na\r${o}0\r\n\r\n`,
  (o) => `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n0\r\nX: ${o}\r\n\r\n`,
];
const ANSWERS: readonly ((octet: string) => string)[] = [
  (o) => `${o}TTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n`,
  (o) => `HTTP/1.${o} 200 OK\r\nContent-Length: 0\r\n\r\n`,
  (o) => `HTTP/1.1${o}200 OK\r\nContent-Length: 0\r\n\r\n`,
  (o) => `HTTP/1.1 20${o} OK\r\nContent-Length: 0\r\n\r\n`,
  (o) => `HTTP/1.1 ${o}00 OK\r\nContent-Length: 0\r\n\r\n`,
  (o) => `HTTP/1.1 200${o}OK\r\nContent-Length: 0\r\n\r\n`,
  (o) => `HTTP/1.1 200 O${o}K\r\nContent-Length: 0\r\n\r\n`,
];

/** Every octet of a slice of all 256, at one place, in one go or octet by octet. */
export function octetLife(d: Draw): string {
  const report = new Report();
  const isClient = d.once(5);
  const place = d.of(isClient ? ANSWERS : PLACES);
  const lenient = leniencies(d);
  const isChopped = d.once(3);
  const from = d.below(16) * 16;
  for (let octet = from; octet < from + 16; octet++) {
    const connection = new Connection({ side: isClient ? "client" : "server", lenient }, T0);
    if (isClient) connection.request({ method: "GET", target: "/" }, [{ name: "Host", value: "a", sensitive: false }], true);
    const octets = octetsOf(place(String.fromCharCode(octet)));
    if (octet === from) report.say(`> ${JSON.stringify(place("?"))} from ${octet}`);
    if (!isChopped) report.events(connection.receive(octets, T0));
    else for (let at = 0; at < octets.length; at++) report.events(connection.receive(octets.slice(at, at + 1), T0));
    report.sent(connection.take());
    report.properties(connection);
  }
  return report.finish();
}

/** The tables that a program can read. */
export const tables = (): string =>
  [printTables(), ...[FAULTS, DEFAULT_LIMITS, STRICT, STATES, INPUTS, STANDINGS, TURNS].map((table) => JSON.stringify(table))].join("\n");
