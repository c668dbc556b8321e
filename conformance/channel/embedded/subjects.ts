import { setTimeout as sleep } from "node:timers/promises";
import { ClientSide, startAgent } from "../../../reference/serve/channel/index.ts";
import { connectWebSocket, type OpenWebSocket } from "../../../reference/serve/websocket/index.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";

/**
 * The shell that an agent offers to the suite: it prints "ready", then every line that it reads. `fill N` prints N times "x", `size` the rows
 * and the columns, `exit N` ends it.
 */
const SHELL = [
  "stty raw -echo; echo ready",
  "while IFS= read -r line; do",
  '  case "$line" in',
  '    "exit "*) exit "${line#exit }";;',
  '    "fill "*) head -c "${line#fill }" /dev/zero | tr "\\0" x; echo;;',
  "    size) stty size;;",
  '    *) printf "%s\\n" "$line";;',
  "  esac",
  "done",
].join("\n");

const TOKEN = "agents-of-the-conformance-suite";
/** A program of a browser has no other way to give its token. */
const CLIENT_TOKEN = "token.clients-of-the-conformance-suite";
const RETRY_MS = 20;
const BEAT_MS = 100;

/** Times after which a subject notices a dead line, short enough for cases, and how it declares them. */
const HASTY = { askMs: 400, deadMs: 1_200 };
const declared = (url: string): string => `${url}?asks=${HASTY.askMs}`;

/** Our own agent. */
export const agent =
  (again: boolean, isHasty = false): InProcessClient =>
  async (url, signal) => {
    const running = startAgent({
      url: isHasty ? declared(url) : url,
      ...(isHasty && { heartbeat: HASTY }),
      token: TOKEN,
      command: "sh",
      args: ["-c", SHELL],
      again,
      retryMs: RETRY_MS,
      mostRetryMs: 4 * RETRY_MS,
    });
    signal.addEventListener("abort", () => running.close());
    await running.done;
  };

/** A client of the reference that connects again when its connection is lost. Its user types all output that is shown. */
const attending = async (side: ClientSide, url: string, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    const socket = await connectWebSocket(`${url}${side.query}`, { subprotocols: ["touchstone.channel", CLIENT_TOKEN] }).catch(
      () => undefined,
    );
    if (socket !== undefined) await attend(side, socket, signal);
    await sleep(RETRY_MS);
  }
};

export const client: InProcessClient = (url, signal) => attending(new ClientSide("one"), `${url}?`, signal);
/** The same, which notices a dead line soon. */
export const hastyClient: InProcessClient = (url, signal) => attending(new ClientSide("one", false, HASTY), `${declared(url)}&`, signal);

async function attend(side: ClientSide, socket: OpenWebSocket, signal: AbortSignal): Promise<void> {
  const stop = (): void => socket.abort();
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  side.connected({ send: (message) => void socket.send(message), close: (code, reason) => socket.close(code, reason) }, performance.now());
  const heart = setInterval(() => {
    if (side.beat(performance.now())) stop();
  }, BEAT_MS);
  socket.onMessage = (data) => {
    side.heard(performance.now());
    if (typeof data === "string") {
      side.text(data);
      return;
    }
    const before = side.received;
    const end = side.binary(data);
    side.shown(end);
    // What draws the screen is not output.
    side.type(data.slice(data.length - (end - before)));
  };
  await socket.closed;
  side.lost();
  clearInterval(heart);
  signal.removeEventListener("abort", stop);
}
