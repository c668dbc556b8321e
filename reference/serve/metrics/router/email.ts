import { readFileSync } from "node:fs";
import type { SMTPTransportOptions } from "nodemailer";
import type { EmailConfig } from "../../../metrics/config/index.ts";
import { type Delivery, templateData } from "../../../metrics/router/index.ts";
import { TemplateFault } from "../../../metrics/rules/index.ts";
import { identityProblem } from "../../../io/index.ts";
import { described } from "../http-access.ts";
import type { Templates } from "./templates.ts";
import type { Attempt, Channel } from "./webhook.ts";

const CONNECT_MS = 10_000;
const IDLE_MS = 60_000;
const IMPLICIT_TLS_PORT = 465;
const SUBJECT = '{{ template "email.default.subject" . }}';

/** Sends notifications by mail: Alertmanager docs, configuration.md, `<email_config>`. */
export class Email implements Channel {
  readonly #config: EmailConfig;
  readonly #templates: Templates;
  readonly #externalUrl: string;
  readonly #now: () => number;

  constructor(config: EmailConfig, { templates, externalUrl, now }: { templates: Templates; externalUrl: string; now: () => number }) {
    this.#config = config;
    this.#templates = templates;
    this.#externalUrl = externalUrl;
    this.#now = now;
  }

  async send(delivery: Delivery, signal: AbortSignal): Promise<Attempt> {
    try {
      const message = this.#message(delivery);
      // Loaded with the first mail: most routers send none.
      const { createTransport } = await import("nodemailer");
      const transport = createTransport(this.#server());
      const aborted = Promise.withResolvers<never>();
      const abort = (): void => aborted.reject(new Error("the mail server did not answer in time"));
      if (signal.aborted) abort();
      signal.addEventListener("abort", abort, { once: true });
      try {
        // It says QUIT, and ends the connection.
        await Promise.race([transport.sendMail(message), aborted.promise]);
        return { outcome: "sent" };
      } catch (error) {
        transport.close();
        throw error;
      } finally {
        signal.removeEventListener("abort", abort);
      }
    } catch (error) {
      return { outcome: isFinal(error) ? "refused" : "retry", why: described(error) };
    }
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #message(delivery: Delivery) {
    const { to, from = "", headers, html, text } = this.#config;
    const data = templateData(delivery, this.#externalUrl);
    const expanded = (template: string, isHtml = false): string => this.#templates.expand(template, data, { now: this.#now(), isHtml });
    // A line break in a value would begin another header field.
    const line = (template: string): string =>
      expanded(template)
        .replaceAll(/\s*[\r\n]+\s*/g, " ")
        .trim();
    const given = new Map(Object.entries(headers).map(([name, value]): [string, string] => [name.toLowerCase(), line(value)]));
    const own = (name: string, template: string): string => given.get(name) ?? line(template);
    const content = { html: html === "" ? "" : expanded(html, true), text: text === undefined ? "" : expanded(text) };
    return {
      envelope: { from: line(from), to: line(to) },
      from: own("from", from),
      to: own("to", to),
      subject: own("subject", SUBJECT),
      headers: [...given].filter(([name]) => !["from", "to", "subject"].includes(name)).map(([key, value]) => ({ key, value })),
      ...(content.html !== "" && { html: content.html }),
      ...(content.text !== "" && { text: content.text }),
      disableFileAccess: true,
      disableUrlAccess: true,
    };
  }

  #server(): SMTPTransportOptions {
    const { smarthost = "", hello, require_tls, force_implicit_tls, tls_config } = this.#config;
    const colon = smarthost.lastIndexOf(":");
    const host = smarthost.slice(0, colon).replaceAll(/^\[|\]$/g, "") || "localhost";
    const port = Number(smarthost.slice(colon + 1));
    const secure = force_implicit_tls ?? port === IMPLICIT_TLS_PORT;
    const { ca, ca_file, cert, cert_file, key, key_file, server_name, insecure_skip_verify } = tls_config ?? {};
    const tls = {
      ca: ca_file ? readFileSync(ca_file, "utf8") : ca,
      cert: cert_file ? readFileSync(cert_file, "utf8") : cert,
      key: key_file ? readFileSync(key_file, "utf8") : key?.reveal(),
      servername: server_name,
      rejectUnauthorized: insecure_skip_verify !== true,
      checkServerIdentity: identityProblem,
    };
    return {
      host,
      port,
      secure,
      name: hello ?? "localhost",
      requireTLS: !secure && require_tls !== false,
      ignoreTLS: !secure && require_tls === false,
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: IDLE_MS,
      tls: Object.fromEntries(Object.entries(tls).filter(([, value]) => value !== undefined && value !== "")),
      ...this.#identity(),
    };
  }

  /** CRAM-MD5 with a secret, PLAIN or LOGIN with a password. */
  #identity(): Pick<SMTPTransportOptions, "auth" | "authMethod"> {
    const { auth_username: user, auth_password, auth_password_file, auth_secret, auth_secret_file } = this.#config;
    if (!user) return {};
    const secret = auth_secret_file ? readFileSync(auth_secret_file, "utf8").trim() : auth_secret?.reveal();
    if (secret) return { auth: { user, pass: secret }, authMethod: "CRAM-MD5" };
    return { auth: { user, pass: auth_password_file ? readFileSync(auth_password_file, "utf8").trim() : (auth_password?.reveal() ?? "") } };
  }
}

/** Whether another attempt would fail in the same way: a mail server says so with 5xx (RFC 5321, 4.2.1), and a template does too. */
function isFinal(error: unknown): boolean {
  if (error instanceof TemplateFault) return true;
  const code = (error as { readonly responseCode?: unknown }).responseCode;
  return typeof code === "number" && code >= 500 && code < 600;
}
