import { connectionError, finalData, firstExchange, get, handshake, post, promise, request, send } from "../phrases.ts";
import type { Case, FrameSpec, Row } from "../../vocabulary.ts";

const pushPromise = (stream: number, promised: number): FrameSpec => ({ ...promise(promised, request()), stream });

const fromClient = ({
  before,
  wrong,
  after,
  ...row
}: Row & { readonly before: FrameSpec[]; readonly wrong: FrameSpec; readonly after: FrameSpec[] }): Case => ({
  spec: "rfc9113#8.4",
  covers: ["rfc9113#8.4/server-refuses-push", "rfc9113#8.4.1/client-never", "rfc9113#5.1/not-expressly-permitted"],
  level: "MUST",
  role: "server",
  steps: [handshake, send(...before, wrong)],
  control: [handshake, send(...before, ...after)],
  allowed: connectionError("PROTOCOL_ERROR"),
  ...row,
});
const pushes = ({ monitor, ...row }: Row<"spec" | "covers"> & { readonly monitor: string }): Case => ({
  level: "MUST",
  role: "server",
  needs: ["push"],
  steps: [...firstExchange, send(get(3))],
  control: [...firstExchange, send(get(3))],
  allowed: [{ see: { see: "holds", monitor } }],
  ...row,
});

/** Server push (rfc9113#8.4): refused from a client, and well-formed from a server. */
export const cases: readonly Case[] = [
  fromClient({
    id: "http2/push-promise-from-client",
    title: "The server ends the connection when a client sends PUSH_PROMISE on an open stream.",
    before: [post(1)],
    wrong: pushPromise(1, 2),
    after: [finalData],
  }),
  fromClient({
    id: "http2/push-promise-from-client-of-its-own-stream",
    title: "The server ends the connection when a client promises an odd stream.",
    before: [post(1)],
    wrong: pushPromise(1, 3),
    after: [finalData],
  }),
  fromClient({
    id: "http2/push-promise-from-client-with-continuation",
    title: "The server ends the connection when a client sends PUSH_PROMISE without END_HEADERS.",
    before: [post(1)],
    wrong: { ...pushPromise(1, 2), flags: [] },
    after: [finalData],
  }),
  {
    id: "http2/push-never-enabled-by-the-server",
    spec: "rfc9113#8.4",
    covers: ["rfc9113#8.4/server-enable-push"],
    level: "MUST NOT",
    role: "server",
    title: "The server does not send ENABLE_PUSH with a value other than 0.",
    steps: [...firstExchange],
    control: [...firstExchange],
    allowed: [{ see: { see: "holds", monitor: "setting-values-legal" } }],
  },
  pushes({
    id: "http2/pushed-request-complete",
    title: "The server promises requests with complete and valid fields.",
    spec: "rfc9113#8.4.1",
    covers: ["rfc9113#8.4.1/complete"],
    monitor: "request-fields-valid",
  }),
  pushes({
    id: "http2/pushed-request-safe",
    title: "The server promises only safe, cacheable requests without content.",
    spec: "rfc9113#8.4",
    covers: ["rfc9113#8.4/safe-and-cacheable", "rfc9113#8.4/no-content"],
    monitor: "promised-requests-safe",
  }),
  pushes({
    id: "http2/push-on-an-open-stream",
    title: "The server sends PUSH_PROMISE only on client streams whose response it has not ended.",
    spec: "rfc9113#8.4.1",
    covers: ["rfc9113#8.4.1/on-open-stream"],
    monitor: "promises-on-open-streams",
  }),
];
