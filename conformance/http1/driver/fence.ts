import { silence } from "../../harness/connection/fenced.ts";
import { octetsOf } from "../../wire/http1/build.ts";
import { turn } from "../../wire/writes.ts";
import type { Case } from "../vocabulary.ts";
import { type Connection, saysClose } from "./connection.ts";
import type { Http1Stage } from "./stage.ts";

/** Requests that a subject must answer if it accepted everything before them: no verdict waits for silence alone. */

export type Fence = NonNullable<Case["fence"]>;

const GOOD = "GET {path} HTTP/1.1\r\nHost: {authority}\r\nConnection: close\r\n\r\n";
/** How long to wait for the end of a connection after a response with Connection: close, in milliseconds. */
const CLOSING_MS = 400;
/** The first connection of the fence: no case uses its number. */
const FENCE_CONNECTION = 1000;

/** Sends the fence, and sets `stage.fenced` if it is answered correctly; otherwise returns what went wrong, in words. */
export async function raise(fence: Fence, stage: Http1Stage, decided: () => boolean): Promise<string | undefined> {
  // Read what has arrived before writing.
  await turn();
  switch (fence) {
    case "request": {
      const connection = await stage.connection(stage.last);
      if (stage.known.persists) return askOn(connection, stage);
      // If a server ends every connection after the first response, send the fence on another one, after that end.
      const over = await stage.until(() => connection.ended !== undefined, stage.timeout);
      return over ? askAnew(stage, decided) : silence(stage);
    }
    case "new":
      return askAnew(stage, decided);
    case "half-close":
      return halfClose(await stage.connection(stage.last), stage);
    case "exit":
    case "none":
      await stage.until(() => decided() || stage.over, stage.timeout);
      return undefined;
  }
}

/** Sends a valid request on the same connection. Its response is the last: those before it belong to the case. */
async function askOn(connection: Connection, stage: Http1Stage): Promise<string | undefined> {
  if (connection.ended !== undefined || connection.endedByUs) return undefined;
  // A client sends nothing after its own close (rfc9112#9.6): the end of the connection is the answer.
  if (connection.sent.some((request) => request.complete && saysClose(request))) {
    const over = await stage.until(() => connection.ended !== undefined, stage.timeout);
    return over ? undefined : `within ${stage.timeout} ms the connection did not end`;
  }
  await connection.rest();
  if (connection.ended !== undefined) return undefined;
  const before = connection.responses.length;
  await connection.send(octetsOf(GOOD, stage.values));
  const isLast = (): boolean => {
    const last = connection.responses.at(-1);
    return last !== undefined && connection.responses.length > before && last.complete && saysClose(last);
  };
  const met = await stage.until(() => connection.ended !== undefined || isLast(), stage.known.closes ? stage.timeout : CLOSING_MS);
  // A response with Connection: close is the last; the end of the connection is observed too, if it comes.
  if (connection.ended === undefined && isLast()) await stage.until(() => connection.ended !== undefined, CLOSING_MS);
  return answered(connection, before, stage) ?? (met ? undefined : silence(stage));
}

function answered(connection: Connection, before: number, stage: Http1Stage): string | undefined {
  const last = connection.responses.at(-1);
  if (last === undefined || connection.responses.length <= before) return undefined;
  stage.fenced = last.complete && last.status === stage.known.status;
  if (stage.fenced) return undefined;
  return last.complete
    ? `the last response has status ${last.status}, and the good request that followed is answered with ${stage.known.status}`
    : "the last response is incomplete";
}

/** Sends a valid request on a new connection, twice, which gives the other connections time for outstanding octets. */
async function askAnew(stage: Http1Stage, decided: () => boolean): Promise<string | undefined> {
  for (let round = 0; round < 2 && !decided(); round++) {
    const { last } = stage;
    const connection = await stage.connection(FENCE_CONNECTION + round);
    stage.last = last;
    // Only the last round counts.
    stage.forget(FENCE_CONNECTION + round - 1);
    const why = await askOn(connection, stage);
    if (!stage.fenced) return `a good request on a new connection was not answered as the first one${why === undefined ? "" : ` (${why})`}`;
  }
  return undefined;
}

/** Ends our half: a message that ends with the connection is then complete. */
async function halfClose(connection: Connection, stage: Http1Stage): Promise<string | undefined> {
  if (connection.ended === undefined) {
    connection.end("half-close");
    await stage.until(() => connection.ended !== undefined, stage.timeout);
  }
  if (connection.ended === undefined) return silence(stage);
  stage.fenced = true;
  return undefined;
}
