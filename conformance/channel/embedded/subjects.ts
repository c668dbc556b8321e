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

/** Our own agent. */
export const agent =
  (again: boolean): InProcessClient =>
  async (url, signal) => {
    const running = startAgent({
      url,
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
export const client: InProcessClient = async (url, signal) => {
  const side = new ClientSide("one");
  while (!signal.aborted) {
    const socket = await connectWebSocket(`${url}?${side.query}`, { subprotocols: ["touchstone.channel", CLIENT_TOKEN] }).catch(
      () => undefined,
    );
    if (socket !== undefined) await attend(side, socket, signal);
    await sleep(RETRY_MS);
  }
};

async function attend(side: ClientSide, socket: OpenWebSocket, signal: AbortSignal): Promise<void> {
  const stop = (): void => socket.abort();
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  side.connected({ send: (message) => void socket.send(message), close: (code, reason) => socket.close(code, reason) });
  socket.onMessage = (data) => {
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
  signal.removeEventListener("abort", stop);
}
