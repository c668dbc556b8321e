import { connectionError, get, handshake, firstExchange, post, promise, request, send } from "./phrases.ts";
import type { Case, FrameSpec } from "./vocabulary.ts";

const pushPromise = (stream: number, promised: number): FrameSpec => ({ ...promise(promised, request()), stream });

const fromClient = (id: Case["id"], title: string, before: FrameSpec[], wrong: FrameSpec, after: FrameSpec[]): Case => ({
  id,
  spec: "rfc9113#8.4",
  covers: ["rfc9113#8.4/server-refuses-push", "rfc9113#8.4.1/client-never", "rfc9113#5.1/not-expressly-permitted"],
  level: "MUST",
  role: "server",
  title,
  steps: [handshake, send(...before, wrong)],
  control: [handshake, send(...before, ...after)],
  allowed: connectionError("PROTOCOL_ERROR"),
});
const pushes = (c: Pick<Case, "id" | "spec" | "covers" | "title">, monitor: string): Case => ({
  ...c,
  level: "MUST",
  role: "server",
  needs: ["push"],
  steps: [...firstExchange, send(get(3))],
  control: [...firstExchange, send(get(3))],
  allowed: [{ see: { see: "holds", monitor } }],
});
const END: FrameSpec = { type: "DATA", stream: 1, flags: ["END_STREAM"], data: "content" };

export const cases: readonly Case[] = [
  fromClient(
    "http2/push-promise-from-client",
    "The server ends the connection when a client sends PUSH_PROMISE on its open stream.",
    [post(1)],
    pushPromise(1, 2),
    [END],
  ),
  fromClient(
    "http2/push-promise-from-client-of-its-own-stream",
    "The server ends the connection when a client promises a stream of its own number space.",
    [post(1)],
    pushPromise(1, 3),
    [END],
  ),
  fromClient(
    "http2/push-promise-from-client-with-continuation",
    "The server ends the connection when a client sends PUSH_PROMISE whose field block goes on in CONTINUATION.",
    [post(1)],
    { ...pushPromise(1, 2), flags: [] },
    [END],
  ),
  {
    id: "http2/push-never-enabled-by-the-server",
    spec: "rfc9113#8.4",
    covers: ["rfc9113#8.4/server-enable-push"],
    level: "MUST NOT",
    role: "server",
    title: "The server does not announce SETTINGS_ENABLE_PUSH with a value other than 0.",
    steps: [...firstExchange],
    control: [...firstExchange],
    allowed: [{ see: { see: "holds", monitor: "setting-values-legal" } }],
  },
  pushes(
    {
      id: "http2/pushed-request-complete",
      spec: "rfc9113#8.4.1",
      covers: ["rfc9113#8.4.1/complete"],
      title: "The server promises requests with a complete and valid set of fields.",
    },
    "request-fields-valid",
  ),
  pushes(
    {
      id: "http2/pushed-request-safe",
      spec: "rfc9113#8.4",
      covers: ["rfc9113#8.4/safe-and-cacheable", "rfc9113#8.4/no-content"],
      title: "The server promises only requests that are safe and cacheable, without content.",
    },
    "promised-requests-safe",
  ),
  pushes(
    {
      id: "http2/push-on-an-open-stream",
      spec: "rfc9113#8.4.1",
      covers: ["rfc9113#8.4.1/on-open-stream"],
      title: "The server sends promises on streams of the client whose response it has not ended.",
    },
    "promises-on-open-streams",
  ),
];
