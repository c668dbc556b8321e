import { connect, createServer } from "node:net";
import { portOf } from "../../../conformance/peers/index.ts";

/** The server chooses the number of its errors. */
const ERROR = 40;

/** The toy protocol: a line `ping N` is answered with `pong N`, any other line with `error` and any number. */
export const answerTo = (line: string): string => (/^ping \d+$/.test(line) ? line.replace("ping", "pong") : `error ${ERROR}`);

/** Sends a line, and returns the line that comes back. */
export const exchange = (url: string, line: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(Number(new URL(url).port), "127.0.0.1", () => socket.write(`${line}\n`));
    socket.on("error", reject).on("data", (octets) => {
      text += octets.toString("latin1");
      if (!text.endsWith("\n")) return;
      socket.destroy();
      resolve(text.trimEnd());
    });
  });

export type Listening = { readonly url: string; stop(): Promise<void> };

/** Answers every line that comes in. */
export async function listen(answer: (line: string) => string | Promise<string>): Promise<Listening> {
  const server = createServer((socket) => {
    let text = "";
    socket.on("error", () => socket.destroy());
    socket.on("data", (octets) => {
      text += octets.toString("latin1");
      if (!text.endsWith("\n")) return;
      void Promise.resolve(answer(text.trimEnd())).then((line) => socket.end(`${line}\n`));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
    });
  return { url: `toy://127.0.0.1:${portOf(server)}`, stop };
}

/** A proxy in front of an origin, host and port. */
export const passOn = (origin: string): Promise<Listening> => listen((line) => exchange(`toy://${origin}`, line));
