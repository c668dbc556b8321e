import { type Fenceable, silence } from "../../harness/connection/fenced.ts";
import { turn } from "../../wire/writes.ts";
import type { Case, FrameSpec } from "../vocabulary.ts";
import type { Connection, Conversation } from "./connection.ts";
import type { WebSocketStage } from "./stage.ts";

/** Frames that a subject must answer if it accepted everything before them: no verdict waits for silence alone. */

/** How to detect that the subject continues. */
export type Fence = NonNullable<Case["fence"]>;

/** The connection of the fence: no case uses its number. */
const FENCE_CONNECTION = 1000;
const WORD = "fence";
/** How much longer to wait after each mebibyte that the subject has to send back, in milliseconds. */
const EACH_MEBI_MS = 1_000;
/** The same for each frame. */
const EACH_FRAME_MS = 0.2;
const MEBI = 1_048_576;
const PONG = 10;

/** A connection with a fence, whichever side we are. */
type Asked = Conversation & { readonly fences: string[]; send(frames: readonly FrameSpec[]): Promise<void> };

/** Sends the fence, and sets `stage.fenced` if it is answered correctly; otherwise returns what went wrong, in words. */
export async function raise(fence: Fence, stage: WebSocketStage, decided: () => boolean): Promise<string | undefined> {
  // Read what has arrived before writing.
  await turn();
  if (fence === "none") {
    await stage.until(() => decided() || stage.over, stage.timeout);
    return undefined;
  }
  if (fence === "new") return askAnew(stage);
  const opened = [...stage.connections.values()].filter(({ endedByUs }) => !endedByUs);
  if (opened.length === 0) return undefined;
  const found = await Promise.all(opened.map((connection) => ask(connection, stage, decided)));
  const why = found.find((one) => one !== undefined);
  // If the steps ended every connection cleanly, nothing is left to answer.
  stage.fenced = why === undefined && opened.every(({ fences }) => fences.length > 0);
  return why;
}

/** Opens a new WebSocket, and fences on that. */
async function askAnew(stage: WebSocketStage): Promise<string | undefined> {
  const connection = await stage.connection(FENCE_CONNECTION);
  await connection.ask({});
  await stage.until(() => connection.open || connection.response?.complete === true || connection.ended !== undefined, stage.timeout);
  const why = connection.open
    ? await ask(connection, stage, () => false)
    : `a good handshake on a new connection was not answered with ${connection.opens}`;
  stage.fenced = why === undefined;
  return why;
}

async function ask(connection: Connection, stage: WebSocketStage, decided: () => boolean): Promise<string | undefined> {
  if (!connection.open) {
    const answered = (): boolean => connection.open || connection.response?.complete === true || connection.ended !== undefined;
    if (!(await stage.until(() => decided() || answered(), stage.timeout))) return silence(stage);
    if (!connection.open) return undefined;
  }
  // After a Close frame nothing is sent: the end of the connection is the answer.
  if (connection.ours.close !== undefined || connection.theirs.close !== undefined) {
    const over = await stage.until(() => decided() || connection.ended !== undefined, stage.timeout);
    return over ? undefined : `within ${stage.timeout} ms the connection did not end`;
  }
  if (connection.ended !== undefined) return undefined;
  return knock(connection, stage);
}

/** Why no peer would read what the subject sends: frames that are masked by the wrong side end the connection (rfc6455#5.1). */
export const unreadableBy = ({ theirs }: Pick<Conversation, "theirs">): string | undefined =>
  theirs.oddities.find(({ kind }) => kind === "masked")?.words;

/** Sends a PING, and a message unless one is open; both must be answered. */
export async function knock(connection: Asked, stage: Fenceable): Promise<string | undefined> {
  const word = `${WORD} ${connection.on}-${connection.fences.length + 1}`;
  const whole = !connection.ours.inMessage;
  connection.fences.push(word);
  const before = connection.theirs.messages.length;
  await connection.send([{ opcode: "ping", text: word }, ...(whole ? [{ opcode: "text", text: word } as const] : [])]);
  const is = (payload: Uint8Array): boolean => Buffer.from(payload).equals(Buffer.from(word));
  const ponged = (): boolean => connection.theirs.of(PONG).some(({ payload }) => is(payload));
  const returned = (): boolean => !whole || connection.theirs.messages.slice(before).some(({ payload }) => is(payload));
  const patience =
    stage.timeout + Math.ceil((connection.ours.octets / MEBI) * EACH_MEBI_MS + connection.ours.frames.length * EACH_FRAME_MS);
  await stage.until(() => (ponged() && returned()) || connection.ended !== undefined, patience);
  const unreadable = unreadableBy(connection);
  if (unreadable !== undefined) return unreadable;
  if (ponged() && returned()) return undefined;
  if (connection.ended !== undefined) return "the connection ended before the next message was answered";
  if (connection.theirs.close !== undefined) return `within ${stage.timeout} ms after its Close frame the connection did not end`;
  if (!ponged() && !returned()) return silence(stage);
  return ponged()
    ? "it answered the PING that followed, but did not send the message back"
    : "it sent the message that followed back, but did not answer the PING";
}
