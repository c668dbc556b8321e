import { turn } from "../../wire/writes.ts";
import type { Case } from "../vocabulary.ts";
import type { ServedConnection } from "./client-connection.ts";
import type { WebSocketClientStage } from "./client-stage.ts";
import { knock } from "./fence.ts";

/**
 * Sends what a client must answer if it accepted everything before: a PING, and a message unless one is open. They are sent after a response
 * other than 101 too, and then we end the connection: a client that opened a WebSocket anyway answers them. Sets `stage.fenced` when the answers
 * arrive; otherwise returns what went wrong, in words.
 */
export async function raiseOnClient(
  fence: Case["fence"],
  stage: WebSocketClientStage,
  decided: () => boolean,
): Promise<string | undefined> {
  // Read what has arrived before writing.
  await turn();
  if (fence === "none") {
    await stage.until(() => decided() || stage.over, stage.timeout);
    return undefined;
  }
  const answered = [...stage.connections.values()].filter((one) => one.answered || one.endedByUs);
  const found = await Promise.all(answered.map((connection) => ask(connection, stage, decided)));
  const why = found.find((one) => one !== undefined);
  stage.fenced = why === undefined && answered.length > 0 && answered.every(({ open, fences }) => open && fences.length > 0);
  return why;
}

async function ask(connection: ServedConnection, stage: WebSocketClientStage, decided: () => boolean): Promise<string | undefined> {
  const ended = (): boolean => decided() || connection.ended !== undefined;
  // After a Close frame, or our end, nothing is sent: the end of the connection is the answer.
  if (connection.endedByUs || connection.ours.close !== undefined || connection.theirs.close !== undefined) {
    const over = await stage.until(ended, stage.timeout);
    return over ? undefined : `within ${stage.timeout} ms it did not end the connection`;
  }
  if (connection.ended !== undefined) return undefined;
  if (connection.open) {
    const why = await knock(connection, stage);
    // If a client neither continues nor ends the connection, we end our side and observe what it does.
    if (why === undefined || connection.ended !== undefined || connection.theirs.frames.length > 0) return why;
    connection.leave();
    await stage.until(ended, stage.timeout);
    return why;
  }
  await connection.send([
    { opcode: "ping", text: "nobody" },
    { opcode: "text", text: "nobody" },
  ]);
  connection.leave();
  const over = await stage.until(ended, stage.timeout);
  return over ? undefined : `within ${stage.timeout} ms after our end it did not end the connection`;
}
