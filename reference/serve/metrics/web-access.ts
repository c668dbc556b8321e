import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { createSecureContext, rootCertificates } from "node:tls";
import { Misuse } from "../../core/index.ts";
import type { ClientCertificate, Request, Response } from "../../http/index.ts";
import { authorities, type RenewedTls, type ServerTls } from "../../io/index.ts";
import { ciphersOf, describeProblem, loadWebConfig, type Problem, type WebConfig, type WebTls } from "../../metrics/config/index.ts";
import type { Exchange, Handler } from "../handler.ts";
import { readingOf } from "./config-files.ts";

/** What is wrong with a web configuration and the files that it names, and what in it is weak. */
export function readWebConfig(file: string): {
  readonly config: WebConfig | undefined;
  readonly problems: readonly Problem[];
  readonly notices: readonly Problem[];
} {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const message = `it cannot be read (${(error as NodeJS.ErrnoException).code})`;
    return { config: undefined, problems: [{ file, line: 1, field: "", message }], notices: [] };
  }
  const { config, problems, notices, files } = loadWebConfig(text, file);
  const missing = files.flatMap(({ path, line, field }) => {
    const message = readingOf(path);
    return message === undefined ? [] : [{ file, line, field, message }];
  });
  const all = [...problems, ...missing];
  return { config: all.length > 0 ? undefined : config, problems: all, notices };
}

/** What a server needs to let in only those whom a web configuration lets in; without a file, all. Throws `Misuse` with every problem of the file. */
export function accessBy(
  file: string | undefined,
  onNotice: (message: string) => void,
): Pick<WebAccess, "serveOptions"> & { readonly handler: (inner: Handler) => Handler } {
  if (file === undefined) return { serveOptions: {}, handler: (inner) => inner };
  const access = new WebAccess(file, { onNotice });
  return {
    serveOptions: access.serveOptions,
    handler: (inner) => async (request, exchange) =>
      access.response((await access.refusal(request, exchange)) ?? (await inner(request, exchange))),
  };
}

/** Wrong and right passwords are remembered, since a comparison takes a tenth of a second of CPU time. */
const MOST_REMEMBERED = 100;
/** Comparisons that wait for each other; more requests than these are refused. */
const MOST_WAITING = 64;
/** How often the file is looked at, in milliseconds. */
const LOOK_MS = 1_000;
/** A hash of no password, so that unknown names take as long as known ones. */
const NOBODY = "$2b$10$CwTycUXWue0Thq9StjUM0uJ8.sPzJ1Yc9cFq5oWkY5f6YzqRZ3l7K";

/**
 * Who may use a server, as a web configuration describes it (Prometheus docs, configuration/https.md). It follows changes of the file within a
 * second, and of the files of TLS at once; connections that are open keep their TLS. With or without TLS, and HTTP/2, are settled at the start.
 */
export class WebAccess {
  readonly #file: string;
  readonly #onNotice: (message: string) => void;
  readonly #now: () => number;
  #config: WebConfig;
  /** The time of the file's last change, and when it was looked at. */
  #changed: number;
  #looked = 0;
  readonly #known = new Map<string, boolean>();
  #waiting = 0;
  /** The settings of TLS that new connections get, and the times of their files. */
  #served: readonly unknown[];
  /** The requests that the rate limit lets through now; it begins full. */
  #tokens = Infinity;
  #filled = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** Throws `Misuse` with every problem of the file. */
  constructor(
    file: string,
    { onNotice, now = () => performance.now() }: { readonly onNotice: (message: string) => void; readonly now?: () => number },
  ) {
    const { config, problems, notices } = readWebConfig(file);
    if (config === undefined) throw new Misuse(problems.map(describeProblem).join("\n"));
    for (const notice of notices) onNotice(describeProblem(notice));
    this.#file = file;
    this.#onNotice = onNotice;
    this.#now = now;
    this.#config = config;
    this.#changed = changeOf(file);
    this.#served = withTimes(config.tls_server_config);
  }

  /** The options of `serve` for its TLS. */
  get serveOptions(): { readonly tls?: ServerTls; readonly alpn?: readonly ("h2" | "http/1.1")[] } {
    const { tls_server_config: tls, http_server_config: http } = this.#config;
    return {
      ...(tls !== undefined && { tls: { ...serverTls(tls), renew: () => this.#renewed() } }),
      ...(http?.http2 === false && { alpn: ["http/1.1"] }),
    };
  }

  /** The refusal of a request whose client may not use the server; undefined if it may. */
  async refusal(request: Request, exchange: Pick<Exchange, "connection">): Promise<Response | undefined> {
    this.#look();
    if (!this.#isInRate()) return refusalOf(429, "Too many requests: see rate_limit of the web configuration.\n", [["retry-after", "1"]]);
    const { tls_server_config: tls, basic_auth_users: users } = this.#config;
    const why = tls === undefined ? undefined : certificateFault(tls, exchange.connection.tls?.client);
    if (why !== undefined) return refusalOf(403, `Forbidden: ${why}.\n`);
    if (Object.keys(users).length === 0) return undefined;
    const given = credentialsIn(request.fields.get("authorization"));
    if (given === undefined) return UNAUTHORIZED;
    const isRight = await this.#isRight(given.name, given.password);
    if (isRight === undefined) return refusalOf(503, "Too many passwords wait to be compared: try again.\n", [["retry-after", "1"]]);
    return isRight ? undefined : UNAUTHORIZED;
  }

  /** A response with the fields of the configuration. */
  response(response: Response): Response {
    const set = Object.entries(this.#config.http_server_config?.headers ?? {}).filter(([, value]) => value !== "");
    if (set.length === 0) return response;
    return { ...response, fields: [...(response.fields ?? []), ...set.map(([name, value]) => [name.toLowerCase(), value] as const)] };
  }

  /** The settings of TLS once they, or the files that they name, have changed. */
  #renewed(): RenewedTls | undefined {
    this.#look();
    const { tls_server_config: tls } = this.#config;
    const now = withTimes(tls);
    if (tls === undefined || now.every((one, at) => one === this.#served[at])) return undefined;
    this.#served = now;
    try {
      const next = serverTls(tls);
      createSecureContext({ ...next, ca: next.ca === undefined ? undefined : authorities(next.ca) });
      return next;
    } catch (error) {
      this.#onNotice(`${this.#file}: the new settings of TLS are not used (${(error as Error).message})`);
      return undefined;
    }
  }

  /** Takes a token of the rate limit. */
  #isInRate(): boolean {
    const { interval = 0, burst = 0 } = this.#config.rate_limit ?? {};
    if (interval === 0) return true;
    const now = this.#now();
    this.#tokens = Math.min(Math.max(1, burst), this.#tokens + (now - this.#filled) / interval);
    this.#filled = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Undefined if too many comparisons wait. */
  async #isRight(name: string, password: string): Promise<boolean | undefined> {
    const users = this.#config.basic_auth_users;
    const hash = Object.hasOwn(users, name) ? users[name] : undefined;
    const key = createHash("sha256")
      .update(JSON.stringify([hash, name, password]))
      .digest("base64");
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#waiting >= MOST_WAITING) return undefined;
    this.#waiting += 1;
    // One after the other: a flood of wrong passwords leaves time for everything else.
    const turn = this.#last.then(async () => (await import("bcryptjs")).compare(password, hash ?? NOBODY));
    this.#last = turn.catch(() => {});
    try {
      const isRight = (await turn) && hash !== undefined;
      const [oldest] = this.#known.keys();
      if (this.#known.size >= MOST_REMEMBERED && oldest !== undefined) this.#known.delete(oldest);
      this.#known.set(key, isRight);
      return isRight;
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Reads the file again if it has changed. One with problems changes nothing. */
  #look(): void {
    const now = this.#now();
    if (now - this.#looked < LOOK_MS) return;
    this.#looked = now;
    const changed = changeOf(this.#file);
    if (changed === this.#changed) return;
    this.#changed = changed;
    const { config, problems, notices } = readWebConfig(this.#file);
    for (const one of config === undefined ? problems : notices) this.#onNotice(describeProblem(one));
    if (config === undefined) return this.#onNotice(`${this.#file} stays as it was before`);
    const { tls_server_config: before } = this.#config;
    const isSettled = (before === undefined) === (config.tls_server_config === undefined);
    if (!isSettled) this.#onNotice(`${this.#file}: whether the server speaks TLS changes when it is started again`);
    this.#config = isSettled ? config : { ...config, tls_server_config: before };
    this.#known.clear();
  }
}

const changeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const withTimes = (tls: WebTls | undefined): readonly unknown[] => [
  tls,
  ...[tls?.cert_file, tls?.key_file, tls?.client_ca_file].map((file) => (file ? changeOf(file) : 0)),
];

function serverTls(tls: WebTls): RenewedTls {
  const cert = tls.cert_file ? readFileSync(tls.cert_file, "utf8") : (tls.cert ?? "");
  const key = tls.key_file ? readFileSync(tls.key_file, "utf8") : (tls.key?.reveal() ?? "");
  const asks = tls.client_auth_type !== "" && tls.client_auth_type !== "NoClientCert";
  const own = tls.client_ca_file ? readFileSync(tls.client_ca_file, "utf8") : tls.client_ca;
  const ca = asks ? own || rootCertificates : undefined;
  const ciphers = ciphersOf(tls);
  return {
    cert,
    key,
    ...(ciphers !== undefined && { ciphers }),
    ...(tls.min_version === "TLS13" && { minVersion: "TLSv1.3" }),
    ...(tls.max_version === "TLS12" && { maxVersion: "TLSv1.2" }),
    ...(ca !== undefined && { ca, clientCertificate: tls.client_auth_type === "RequireAndVerifyClientCert" ? "require" : "request" }),
  };
}

/** Why the certificate of a client, if any, does not do; undefined if it does. */
function certificateFault(
  { client_auth_type: auth, client_allowed_sans: sans }: WebTls,
  client: ClientCertificate | undefined,
): string | undefined {
  const mustVerify = auth === "RequireAndVerifyClientCert";
  if ((mustVerify || auth === "RequireAnyClientCert") && client === undefined) return "this server wants a client certificate";
  if ((mustVerify || auth === "VerifyClientCertIfGiven") && client !== undefined && !client.isTrusted)
    return `the client certificate is not trusted (${client.problem ?? "unknown"})`;
  if (sans.length === 0 || client === undefined) return undefined;
  const own = (client.subjectAltName ?? "").split(", ").map((entry) => entry.replace(/^(?:DNS|IP Address|email|URI):/, ""));
  return own.some((one) => sans.includes(one)) ? undefined : "the client certificate has none of the names that may use this server";
}

/** The name and the password of Basic (RFC 7617, 2); undefined without them. */
function credentialsIn(value: string | undefined): { readonly name: string; readonly password: string } | undefined {
  const [, token] = /^basic +([A-Za-z0-9+/=]+)$/i.exec(value ?? "") ?? [];
  const text = token === undefined ? "" : Buffer.from(token, "base64").toString();
  const colon = text.indexOf(":");
  return colon < 0 ? undefined : { name: text.slice(0, colon), password: text.slice(colon + 1) };
}

const refusalOf = (status: number, body: string, fields: readonly (readonly [string, string])[] = []): Response => ({
  status,
  fields: [["content-type", "text/plain; charset=utf-8"], ...fields],
  body,
});
const UNAUTHORIZED: Response = refusalOf(401, "Unauthorized\n", [["www-authenticate", 'Basic realm="touchstone", charset="UTF-8"']]);
