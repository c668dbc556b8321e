import { createServer, type Server, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { TLSSocket } from "node:tls";
import { afterAll, describe, expect, test } from "vitest";
import { selfSigned } from "../../../io/index.ts";
import { loadRouterConfig } from "../../../metrics/config/index.ts";
import { Labels } from "../../../metrics/model/index.ts";
import type { Delivery } from "../../../metrics/router/index.ts";
import { Email } from "./email.ts";
import { Templates } from "./templates.ts";

/** What a mail server has seen: its commands, without the content, and the contents. */
type Seen = { readonly commands: string[]; readonly mails: string[] };
type Behaviour = { readonly extensions?: readonly string[]; readonly refuse?: Readonly<Record<string, string>> };

const servers: Server[] = [];
afterAll(() => {
  for (const one of servers) one.close();
});

/** A mail server that says yes, unless `refuse` has an answer to a command (RFC 5321). */
async function mailServer({ extensions = [], refuse = {} }: Behaviour = {}): Promise<Seen & { readonly port: number }> {
  const seen: Seen = { commands: [], mails: [] };
  const { cert, key } = await selfSigned();
  const talk = (socket: Socket, offered: readonly string[]): void => {
    let text = "";
    let mail: string | undefined;
    const say = (line: string): void => void socket.write(`${line}\r\n`);
    const command = (line: string): void => {
      seen.commands.push(line);
      const word = line.split(" ", 1)[0]?.toUpperCase() ?? "";
      const answer = refuse[word];
      if (answer !== undefined) return say(answer);
      if (word === "EHLO") return say(["250-localhost", ...offered.map((one) => `250-${one}`), "250 8BITMIME"].join("\r\n"));
      if (word === "STARTTLS") {
        say("220 go");
        socket.removeAllListeners("data");
        talk(
          new TLSSocket(socket, { isServer: true, cert, key }),
          offered.filter((one) => one !== "STARTTLS"),
        );
        return undefined;
      }
      if (word === "DATA") mail = "";
      return say(word === "DATA" ? "354 go" : word === "AUTH" ? "235 yes" : word === "QUIT" ? "221 bye" : "250 yes");
    };
    socket.on("error", () => {});
    socket.on("data", (octets: Buffer) => {
      text += octets.toString("latin1");
      for (let end = text.indexOf("\r\n"); end !== -1; end = text.indexOf("\r\n")) {
        const line = text.slice(0, end);
        text = text.slice(end + 2);
        if (mail === undefined) command(line);
        else if (line === ".") {
          seen.mails.push(mail);
          mail = undefined;
          say("250 kept");
        } else mail += `${line}\n`;
      }
    });
  };
  const server = createServer((socket) => {
    socket.write("220 localhost\r\n");
    talk(socket, extensions);
  });
  servers.push(server);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return { ...seen, port: (server.address() as AddressInfo).port };
}

const delivery: Delivery = {
  id: 1,
  receiver: "a",
  index: 0,
  kind: "email",
  groupKey: "{}:{}",
  groupLabels: Labels.of({ alertname: "Disk" }),
  alerts: [
    {
      labels: Labels.of({ alertname: "Disk", node: "x\r\nBcc: evil@x.y" }),
      annotations: Labels.of({ text: "<b>full</b>" }),
      startsAt: 0,
      endsAt: 0,
      isPresumed: false,
      updatedAt: 0,
      generatorUrl: "",
      fingerprint: "1",
      isResolved: false,
    },
  ],
  until: 0,
};

async function mailed(
  port: number,
  fields: string,
  signal = new AbortController().signal,
): Promise<{ readonly outcome: string; readonly why?: string }> {
  const { config, problems } = loadRouterConfig(
    `route: {receiver: a}\nreceivers: [{name: a, email_configs: [{smarthost: "127.0.0.1:${port}", from: "Router <r@x.y>", to: "a@x.y, b@x.y", ${fields}}]}]\n`,
    "router.yml",
  );
  expect(problems).toEqual([]);
  const [one] = config?.receivers.get("a") ?? [];
  if (one?.is !== "email") throw new Error("no mail is configured");
  const email = new Email(one, { templates: new Templates([], "http://r"), externalUrl: "http://r", now: () => 0 });
  return email.send(delivery, signal);
}
const headerOf = (mail: string, name: string): string | undefined =>
  new RegExp(`^${name}: (.*(?:\\n[ \\t].*)*)`, "im").exec(mail.split("\n\n", 1)[0] ?? "")?.[1]?.replaceAll(/\n\s+/g, " ");

describe("mail", () => {
  test("one for all addresses, with the default subject and page; values cannot add header fields", async () => {
    const server = await mailServer();
    expect(await mailed(server.port, "require_tls: false, hello: router.x.y")).toEqual({ outcome: "sent" });
    expect(server.commands.slice(0, 5)).toEqual(["EHLO router.x.y", "MAIL FROM:<r@x.y>", "RCPT TO:<a@x.y>", "RCPT TO:<b@x.y>", "DATA"]);
    const [mail = ""] = server.mails;
    expect(headerOf(mail, "Subject")).toBe("[FIRING:1] Disk (x Bcc: evil@x.y)");
    expect([headerOf(mail, "From"), headerOf(mail, "To"), headerOf(mail, "Bcc")]).toEqual(["Router <r@x.y>", "a@x.y, b@x.y", undefined]);
    expect(headerOf(mail, "Content-Type")).toContain("text/html");
    expect(mail.replaceAll("=\n", "")).toContain("&lt;b&gt;full&lt;/b&gt;");
  });

  test("its own header fields, text and subject; both parts if there are both", async () => {
    const server = await mailServer();
    const fields = `require_tls: false, text: '{{ .Alerts | len }} alert', headers: {Subject: 'Ünï {{ .Status }}', X-Group: '{{ .GroupLabels.alertname }}', To: team@x.y}`;
    expect(await mailed(server.port, fields)).toEqual({ outcome: "sent" });
    const [mail = ""] = server.mails;
    expect(headerOf(mail, "Subject")).toMatch(/^=\?UTF-8\?/i);
    expect([headerOf(mail, "X-Group"), headerOf(mail, "To")]).toEqual(["Disk", "team@x.y"]);
    expect(headerOf(mail, "Content-Type")).toContain("multipart/alternative");
    expect(mail).toContain("\n1 alert\n");
  });

  test("require_tls: without STARTTLS nothing is sent; with it everything after it is encrypted", async () => {
    const plain = await mailServer();
    expect(await mailed(plain.port, "send_resolved: true")).toMatchObject({ outcome: "retry" });
    expect(plain.mails).toEqual([]);
    const secure = await mailServer({ extensions: ["STARTTLS"] });
    expect(await mailed(secure.port, "tls_config: {insecure_skip_verify: true}")).toEqual({ outcome: "sent" });
    expect(secure.commands.slice(0, 2)).toEqual(["EHLO localhost", "STARTTLS"]);
    expect(await mailed(secure.port, "send_resolved: true")).toMatchObject({ outcome: "retry" });
    expect(secure.mails).toHaveLength(1);
  });

  test("credentials: PLAIN with a password, CRAM-MD5 with a secret", async () => {
    const server = await mailServer({ extensions: ["AUTH PLAIN LOGIN"] });
    expect(await mailed(server.port, "require_tls: false, auth_username: u, auth_password: p")).toEqual({ outcome: "sent" });
    expect(server.commands).toContain(`AUTH PLAIN ${Buffer.from("\0u\0p").toString("base64")}`);
    const digest = await mailServer({ extensions: ["AUTH CRAM-MD5"], refuse: { AUTH: "334 PDFAbG9jYWxob3N0Pg==" } });
    await mailed(digest.port, "require_tls: false, auth_username: u, auth_secret: s");
    expect(digest.commands.find((one) => one.startsWith("AUTH"))).toBe("AUTH CRAM-MD5");
  });

  test.each([
    ["RCPT", "550 nobody", "refused"],
    ["RCPT", "451 later", "retry"],
    ["MAIL", "421 full", "retry"],
    ["AUTH", "535 who", "refused"],
  ])("%s answered with %s: %s", async (word, answer, outcome) => {
    const server = await mailServer({ extensions: ["AUTH PLAIN"], refuse: { [word]: answer } });
    const sent = await mailed(server.port, "require_tls: false, auth_username: u, auth_password: p");
    expect(sent.outcome).toBe(outcome);
    expect(sent.why).toContain(answer.slice(4));
  });

  test("a server that says nothing: the attempt ends with its signal", async () => {
    const silent = createServer((socket) => void socket.on("error", () => {}));
    servers.push(silent);
    await new Promise<void>((resolve) => void silent.listen(0, "127.0.0.1", resolve));
    const stop = new AbortController();
    silent.once("connection", () => stop.abort());
    expect(await mailed((silent.address() as AddressInfo).port, "require_tls: false", stop.signal)).toEqual({
      outcome: "retry",
      why: "the mail server did not answer in time",
    });
  });

  test("a template that fails is not tried again; a server that is not there is", async () => {
    const server = await mailServer();
    expect(await mailed(server.port, "require_tls: false, text: '{{ .Nothing }}'")).toMatchObject({ outcome: "refused" });
    expect(await mailed(1, "require_tls: false")).toMatchObject({ outcome: "retry" });
  });
});
