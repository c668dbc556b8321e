import { createServer, type Socket } from "node:net";
import { type Case, type Outcome, type Step } from "../vocabulary.ts";
import { head } from "../cases/phrases.ts";
import { portOf } from "../../peers/index.ts";

/** A server for tests of the driver. */
export type Stub = AsyncDisposable & { readonly url: string };

export async function stub(serve: (socket: Socket, nth: number) => void): Promise<Stub> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    serve(socket, sockets.size);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  };
  return { url: `http://127.0.0.1:${portOf(server)}/`, [Symbol.asyncDispose]: close };
}

/** Answers every head with what `answer` returns; undefined ends the connection. */
export const answering =
  (answer: (head: string, nth: number) => string | undefined) =>
  (socket: Socket): void => {
    let pending = "";
    let nth = 0;
    socket.on("data", (octets: Buffer) => {
      pending += octets.toString("latin1");
      for (let end = pending.indexOf("\r\n\r\n"); end >= 0; end = pending.indexOf("\r\n\r\n")) {
        const one = pending.slice(0, end + 4);
        pending = pending.slice(end + 4);
        nth += 1;
        const text = answer(one, nth);
        if (text !== undefined) socket.write(Buffer.from(text, "latin1"));
        if (text === undefined || /connection: close/i.test(text)) {
          socket.end();
          return;
        }
      }
    });
    socket.on("end", () => socket.end());
  };

export const ok = (more = "", content = "ok"): string =>
  `HTTP/1.1 200 OK\r\nDate: ${new Date().toUTCString()}\r\nContent-Length: ${content.length}\r\n${more}\r\n${content}`;
export const closing = (status = "200 OK"): string =>
  `HTTP/1.1 ${status}\r\nDate: ${new Date().toUTCString()}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;
/** The response of a correct server to a head. */
export const good = (text: string): string => (/connection: close/i.test(text) ? closing() : ok());

/** A case about nothing in particular. */
export const caseOf = (steps: readonly Step[], allowed: readonly [Outcome, ...Outcome[]], more: Partial<Case> = {}): Case => ({
  id: "http1/a-case",
  spec: "rfc9112#3.2",
  covers: ["rfc9112#3.2/host-missing"],
  level: "MUST",
  role: "server",
  title: "The server does as it should.",
  steps,
  control: [{ do: "send", text: head("GET {path} HTTP/1.1", "Host: {authority}") }],
  allowed,
  ...more,
});
