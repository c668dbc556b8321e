import { pathToFileURL } from "node:url";
import { isRecord } from "../../conformance/harness/shapes.ts";
import type { StartedSubject, Suite } from "../../conformance/harness/suite.ts";
import type { InProcessClient, RunningProxy, StartProxy, Subject } from "../../conformance/harness/subject/subject.ts";
import type { FromSubject, Ready, SubjectAddress, ToSubject } from "./ipc.ts";

/** A program that starts one embedded subject and performs the harness's requests, which arrive as messages. It exits with its parent. */
const send = (message: FromSubject): void => void process.send?.(message);
const why = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Stops the subject, which may have processes and directories. */
let stop = async (): Promise<void> => {};
const leave = (): void => void stop().finally(() => process.exit(0));
process.on("disconnect", leave);

const calls = new Map<number, AbortController>();
const proxies = new Map<number, RunningProxy>();

/** Content, or the report of a client that reads descriptions. */
const carried = (value: unknown): unknown =>
  typeof value === "string" || value instanceof Uint8Array || isRecord(value) ? value : undefined;
const plain = ({ url, http2Url, version }: RunningProxy): Omit<RunningProxy, "stop"> => ({
  url,
  ...(http2Url === undefined ? {} : { http2Url }),
  ...(version === undefined ? {} : { version }),
});

async function answer(id: number, work: () => Promise<unknown>): Promise<void> {
  try {
    send({ is: "done", id, value: await work() });
  } catch (error) {
    send({ is: "thrown", id, why: why(error) });
  }
}

async function callClient(client: InProcessClient, { id, url, request }: ToSubject & { readonly is: "call" }): Promise<void> {
  const abort = new AbortController();
  calls.set(id, abort);
  await answer(id, async () => carried(await client(url, abort.signal, request)));
  calls.delete(id);
}

async function startProxy(start: StartProxy, { id, origin }: ToSubject & { readonly is: "start proxy" }): Promise<void> {
  await answer(id, async () => {
    const running = await start(origin);
    proxies.set(id, running);
    return plain(running);
  });
}

function perform(subject: Subject, message: ToSubject): void {
  if (message.is === "stop") leave();
  else if (message.is === "call" && "client" in subject && typeof subject.client === "function") void callClient(subject.client, message);
  else if (message.is === "call" && "url" in subject && subject.start !== undefined) void callClient(subject.start, message);
  else if (message.is === "abort") calls.get(message.id)?.abort();
  else if (message.is === "start proxy" && "proxy" in subject && typeof subject.proxy === "function")
    void startProxy(subject.proxy, message);
  else if (message.is === "stop proxy") void answer(message.id, async () => proxies.get(message.of)?.stop());
}

function described(subject: Subject, { pid, tls = false, credentials }: Omit<StartedSubject<Subject>, "subject" | "stop">): Ready {
  if ("url" in subject)
    return {
      is: "server",
      url: subject.url,
      ...(pid !== undefined && { pid }),
      ...(subject.start !== undefined && { starts: true }),
      ...(credentials !== undefined && { credentials }),
    };
  if ("codec" in subject) return { is: "command", command: subject.codec, tls };
  if ("client" in subject) {
    const { client } = subject;
    return typeof client === "string" ? { is: "command", command: client, tls } : { is: "client", takesRequest: client.length >= 3, tls };
  }
  return typeof subject.proxy === "string" ? { is: "command", command: subject.proxy, tls } : { is: "proxy" };
}

const { suite: module, role, index } = JSON.parse(process.argv[2] ?? "{}") as SubjectAddress;
try {
  const { suite } = (await import(pathToFileURL(module).href)) as { readonly suite: Suite };
  const started = await suite.roles[role]?.embedded.subjects[index]?.start();
  if (started === undefined) throw new Error(`${module} has no embedded ${role} ${index}`);
  const { subject } = started;
  stop = async () => started.stop?.();
  process.on("message", (message: ToSubject) => perform(subject, message));
  send({ is: "ready", what: described(subject, started) });
} catch (error) {
  send({ is: "failed", why: why(error) });
}
