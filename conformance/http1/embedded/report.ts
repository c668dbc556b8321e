import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import type { Handler } from "../../../reference/serve/index.ts";
import { REPORT_FIELD, REPORT_PATH, REPORT_TYPE } from "../reports.ts";

type Request = Parameters<Handler>[0];
type Exchange = Parameters<Handler>[1];

/** How long a program waits for its client to leave, and whoever asks for the end of an exchange. */
const WAIT_MS = 300;

const inWords = (error: unknown): string => {
  const { reason, message, fault } = error as Partial<{ reason: string; message: string; fault: { name: string; spec: string } }>;
  return [reason, message, fault === undefined ? undefined : `${fault.name} ${fault.spec}`].filter((one) => one !== undefined).join(", ");
};

async function reportOf({ method, version, scheme, authority, path, body }: Request, exchange: Exchange): Promise<string> {
  // Whoever asks for it later learns no less, but a handler asks first.
  const { signal, upgrade } = exchange;
  let octets = 0;
  let end = "complete";
  let trailers = "";
  try {
    for await (const chunk of body) octets += chunk.length;
    trailers = [...(await body.trailers)].map(([name, value]) => `${name}=${value}`).join(", ");
  } catch (error) {
    end = `incomplete, ${inWords(error)}`;
    // What failed once fails again.
    end += await body.trailers.then(
      () => ", with trailers",
      () => "",
    );
  }
  if (path?.endsWith("?wait") === true && !signal.aborted)
    await Promise.race([once(signal, "abort"), setTimeout(WAIT_MS, undefined, { ref: false })]);
  const client = signal.aborted ? `gone, ${inWords(signal.reason)}` : "present";
  const lines = { method, version, scheme, authority, path, upgrade: upgrade.join(", "), content: octets, trailers, end, client };
  return Object.entries(lines)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join("");
}

/** A handler whose program also keeps reports, and answers with them. */
export function reporting(handler: Handler): Handler {
  const reports = new Map<string, Promise<string>>();
  return async (request, exchange) => {
    const name = request.fields.get(REPORT_FIELD);
    if (name !== undefined) {
      const made = reportOf(request, exchange);
      reports.set(name, made);
      await made;
      return { status: 200, fields: [["content-type", "text/plain"]], body: "Reported.\n" };
    }
    if (request.method !== "GET" || request.path?.startsWith(REPORT_PATH) !== true) return handler(request, exchange);
    const report = reports.get(request.path.slice(REPORT_PATH.length));
    if (report === undefined) return { status: 404, fields: [["content-type", "text/plain"]], body: "Nothing is known of it.\n" };
    reports.delete(request.path.slice(REPORT_PATH.length));
    return { status: 200, fields: [["content-type", REPORT_TYPE]], body: await report };
  };
}
