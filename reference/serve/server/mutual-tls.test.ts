import { connect as tlsConnect, type ConnectionOptions, type TLSSocket } from "node:tls";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Certificate } from "../../io/make-certificate.ts";
import { makeAuthority, type Authority } from "../../io/testing.ts";
import type { TlsInfo } from "../../http/index.ts";
import { connect, createClient, serve, type ServeOptions, type Server } from "../index.ts";
import { connectWebSocket, webSocket } from "../websocket/index.ts";

let authority: Authority;
let stranger: Authority;
let ours: Certificate;
let good: Certificate;
const bad: Record<string, Certificate> = {};
beforeAll(async () => {
  [authority, stranger] = await Promise.all([makeAuthority(), makeAuthority()]);
  ours = await authority.issue({ purpose: "server" });
  good = await authority.issue({ name: "Ada" });
  bad["CERT_HAS_EXPIRED"] = await authority.issue({ expired: true });
  bad["INVALID_PURPOSE"] = await authority.issue({ purpose: "server" });
  bad["CERT_SIGNATURE_FAILURE"] = await stranger.issue();
});

const open: Server[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});
const seen: Pick<TlsInfo, "isResumed" | "client">[] = [];
const errors: string[] = [];
async function start(tls: Partial<Exclude<ServeOptions["tls"], boolean | undefined>>, more: ServeOptions = {}): Promise<Server> {
  seen.length = 0;
  errors.length = 0;
  const server = await serve(
    (request, { connection }) => {
      const { isResumed = false, client } = connection.tls ?? {};
      seen.push({ isResumed, client });
      return { status: 200, body: request.authority };
    },
    { graceMs: 0, onError: (error) => void errors.push(String(error)), tls: { ...ours, ca: authority.cert, ...tls }, ...more },
  );
  open.push(server);
  return server;
}
const trusted = (certificate?: Certificate) => ({ ca: authority.cert, ...certificate });

/** The status of one request, or the reason of the failure. */
async function status(url: string, alpn: "h2" | "http/1.1", certificate?: Certificate): Promise<number | string> {
  try {
    await using client = await connect(url, { alpn: [alpn], graceMs: 0, tls: trusted(certificate) });
    const response = await client.request();
    await response.body.bytes();
    return response.status;
  } catch (error) {
    return String(error);
  }
}

describe.each(["http/1.1", "h2"] as const)("over %s", (alpn) => {
  const refused = alpn === "h2" ? /INADEQUATE_SECURITY|closed/ : /^403$/;

  test("require: a client without a certificate reaches no handler", async () => {
    const { url } = await start({ clientCertificate: "require" });
    expect(String(await status(url, alpn))).toMatch(refused);
    expect(seen).toEqual([]);
    expect(errors.join()).toContain("not authenticated: no certificate");
  });

  test("require is the default with `ca`", async () => {
    const { url } = await start({});
    expect(String(await status(url, alpn))).toMatch(refused);
    expect(await status(url, alpn, good)).toBe(200);
  });

  test.each(["CERT_HAS_EXPIRED", "INVALID_PURPOSE", "CERT_SIGNATURE_FAILURE"])("require: %s reaches no handler", async (problem) => {
    const { url } = await start({});
    expect(String(await status(url, alpn, bad[problem]))).toMatch(refused);
    expect(seen).toEqual([]);
    expect(errors.join()).toContain(problem);
  });

  test("require: the handler sees the certificate of the client", async () => {
    const { url } = await start({});
    expect(await status(url, alpn, good)).toBe(200);
    expect(seen[0]?.client).toMatchObject({ subject: "CN=Ada", issuer: "CN=an authority", isTrusted: true, problem: undefined });
    expect(seen[0]?.client?.notAfter.getTime()).toBeGreaterThan(Date.now());
  });

  test("request: every client is served, and the handler sees the verdict", async () => {
    const { url } = await start({ clientCertificate: "request" });
    expect(await status(url, alpn)).toBe(200);
    expect(await status(url, alpn, bad["CERT_HAS_EXPIRED"])).toBe(200);
    expect(await status(url, alpn, good)).toBe(200);
    expect(seen.map((one) => one.client?.problem)).toEqual([undefined, "CERT_HAS_EXPIRED", undefined]);
    expect(seen.map((one) => one.client?.isTrusted)).toEqual([undefined, false, true]);
  });
});

test("certificates are not requested without `ca`, and `clientCertificate` without it is refused", async () => {
  await expect(start({ ca: undefined as never, clientCertificate: "require" })).rejects.toThrow("tls.clientCertificate needs tls.ca");
  const server = await serve(() => ({ status: 200 }), { tls: ours, graceMs: 0 });
  open.push(server);
  expect(await status(server.url, "h2", good)).toBe(200);
});

test("WebSocket: only a client with a certificate opens one", async () => {
  const server = await serve((request, exchange) => webSocket(request, exchange, () => {}), {
    graceMs: 0,
    onError: () => {},
    tls: { ...ours, ca: authority.cert },
  });
  open.push(server);
  const url = server.url.replace("https", "wss");
  await expect(connectWebSocket(url, { tls: trusted() })).rejects.toThrow("403");
  const socket = await connectWebSocket(url, { tls: trusted(good) });
  socket.close();
});

/** One request on a raw socket: the answer, and the session that the server gave. */
function raw(port: number, options: ConnectionOptions): Promise<{ answer: string; session: Buffer | undefined }> {
  return new Promise((resolve) => {
    let answer = "";
    let session: Buffer | undefined;
    const socket: TLSSocket = tlsConnect({ host: "127.0.0.1", port, ca: authority.cert, ...options }, () =>
      socket.write("GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"),
    );
    socket
      .on("session", (one: Buffer) => (session = one))
      .on("data", (data: Buffer) => (answer += data.toString()))
      .on("error", () => {})
      .on("close", () => resolve({ answer: answer.slice(0, 12), session }));
  });
}

describe("resumption", () => {
  test.each(["TLSv1.2", "TLSv1.3"] as const)("%s: the session of a client that was refused authenticates nobody", async (maxVersion) => {
    const { port } = await start({});
    const first = await raw(port, { maxVersion });
    expect(first.answer).toBe("HTTP/1.1 403");
    expect(first.session).toBeDefined();
    expect((await raw(port, { maxVersion, session: first.session })).answer).toBe("HTTP/1.1 403");
    const expired = await raw(port, { maxVersion, ...bad["CERT_HAS_EXPIRED"] });
    expect((await raw(port, { maxVersion, session: expired.session })).answer).toBe("HTTP/1.1 403");
  });

  test("request: the session of a client without a certificate does not become a trusted one", async () => {
    const { port } = await start({ clientCertificate: "request" });
    const { session } = await raw(port, {});
    await raw(port, { session });
    expect(seen.map((one) => [one.isResumed, one.client])).toEqual([
      [false, undefined],
      [true, undefined],
    ]);
  });

  test.each(["TLSv1.2", "TLSv1.3"] as const)("%s: the session of an authenticated client keeps its certificate", async (maxVersion) => {
    const { port } = await start({});
    const { session } = await raw(port, { maxVersion, ...good });
    expect((await raw(port, { maxVersion, session })).answer).toBe("HTTP/1.1 200");
    expect(seen.map((one) => [one.isResumed, one.client?.subject])).toEqual([
      [false, "CN=Ada"],
      [true, "CN=Ada"],
    ]);
  });

  test("our client resumes by default, and not with `resume: false`", async () => {
    const { url } = await start({});
    for (const resume of [undefined, false]) {
      await using client = createClient({ alpn: ["http/1.1"], graceMs: 0, tls: { ...trusted(good), ...(resume === false && { resume }) } });
      for (let n = 0; n < 2; n++) {
        const response = await client.request(url, { fields: [["connection", "close"]] });
        await response.body.bytes();
      }
    }
    expect(seen.map((one) => one.isResumed)).toEqual([false, true, false, false]);
  });
});

describe("hosts", () => {
  const withHosts = () =>
    start({
      ca: undefined as never,
      hosts: { "secret.example": { ...ours, ca: authority.cert }, "*.wild.example": { ca: authority.cert, clientCertificate: "request" } },
    });
  const at = async (port: number, servername: string, options: { host?: string; certificate?: Certificate; session?: Buffer } = {}) => {
    const socket = tlsConnect({
      host: "127.0.0.1",
      port,
      rejectUnauthorized: false,
      servername,
      ...options.certificate,
      ...(options.session && { session: options.session }),
    });
    let answer = "";
    let session: Buffer | undefined;
    socket.on("session", (one: Buffer) => (session = one)).on("error", () => {});
    socket.on("data", (data: Buffer) => (answer += data.toString()));
    socket.write(`GET / HTTP/1.1\r\nhost: ${options.host ?? servername}\r\nconnection: close\r\n\r\n`);
    let isResumed = false;
    socket.once("secureConnect", () => (isResumed = socket.isSessionReused()));
    await new Promise((resolve) => socket.once("close", resolve));
    return { status: answer.slice(9, 12), session, isResumed };
  };

  test("each name has its own demand", async () => {
    const { port } = await withHosts();
    expect((await at(port, "public.example")).status).toBe("200");
    expect((await at(port, "secret.example")).status).toBe("403");
    expect((await at(port, "secret.example", { certificate: good })).status).toBe("200");
    expect((await at(port, "a.wild.example", { certificate: bad["CERT_HAS_EXPIRED"]! })).status).toBe("200");
    expect(seen.map((one) => one.client?.problem)).toEqual([undefined, undefined, "CERT_HAS_EXPIRED"]);
  });

  test("a request for another host's settings is misdirected", async () => {
    const { port } = await withHosts();
    expect((await at(port, "public.example", { host: "secret.example" })).status).toBe("421");
    expect((await at(port, "public.example", { host: "SECRET.example.:443" })).status).toBe("421");
    expect((await at(port, "secret.example", { host: "public.example", certificate: good })).status).toBe("421");
    expect((await at(port, "public.example", { host: "other.example" })).status).toBe("200");
  });

  test("a session of one host is not resumed at another", async () => {
    const { port } = await withHosts();
    const { session } = await at(port, "public.example");
    const second = await at(port, "secret.example", { session: session! });
    expect(second).toMatchObject({ status: "403", isResumed: false });
  });

  test("names and options are checked", async () => {
    await expect(start({ hosts: { "Not Lower": {} } })).rejects.toThrow("not a host name");
    await expect(start({ hosts: { "a.example": { requestCert: true } as never } })).rejects.toThrow(
      'there is no option "tls.hosts.a.example.requestCert"',
    );
  });
});

test("client: the certificate goes with its key, and a refusal by alert says what to do", async () => {
  await expect(connect("https://127.0.0.1:1/", { tls: { cert: good.cert } })).rejects.toThrow("go together");
  const { createServer } = await import("node:tls");
  const server = createServer({ ...ours, ca: authority.cert, requestCert: true, rejectUnauthorized: true, ALPNProtocols: ["h2"] });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  try {
    await expect(connect(`https://127.0.0.1:${port}/`, { alpn: ["h2"], tls: trusted() })).rejects.toThrow(
      "pass one that it trusts as `tls.cert`",
    );
  } finally {
    server.close();
  }
});
