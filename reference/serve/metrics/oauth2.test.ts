import { createVerify, generateKeyPairSync } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { apiServer, type ApiServer, configOf } from "./discovery/testing.ts";
import { HttpAccess } from "./http-access.ts";
import { OAuth2Tokens } from "./oauth2.ts";

/** Access tokens: rfc6749#4.4, rfc7523#2.1. */

type Asked = { readonly authorization: string | undefined; readonly params: Record<string, string> };

/** A token server; `answer` returns the status and the content for a request. */
async function tokenServer(answer: (asked: Asked, count: number) => readonly [status: number, content: string | object]) {
  const asked: Asked[] = [];
  const server = await apiServer((request: IncomingMessage, response: ServerResponse) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const params = Object.fromEntries(new URLSearchParams(Buffer.concat(pieces).toString()));
      asked.push({ authorization: request.headers.authorization, params });
      const [status, content] = answer(asked.at(-1)!, asked.length);
      response
        .writeHead(status, { "content-type": "application/json" })
        .end(typeof content === "string" ? content : JSON.stringify(content));
    });
  });
  return Object.assign(server, { asked });
}
const numbered =
  (more: object = {}) =>
  (_: Asked, count: number) =>
    [200, { access_token: `t${count}`, token_type: "bearer", ...more }] as const;
const httpWith = ({ url }: ApiServer, more = "") =>
  configOf("http_sd_configs", `{url: "http://h", oauth2: {client_id: "a b", client_secret: "s:/", token_url: "${url}/token"${more}}}`);
const LIMITS = { connectMs: 1_000, keepMs: 1_000 };
const tokensOf = (server: ApiServer, more = "") => {
  const tokens = new OAuth2Tokens(httpWith(server, more).oauth2!, LIMITS);
  return { tokens, next: () => tokens.value(new AbortController().signal), [Symbol.asyncDispose]: () => tokens.close() };
};

test("a token by the credentials of the client, with scopes and parameters; it is kept, and asked for once", async () => {
  await using server = await tokenServer(numbered({ expires_in: 3600 }));
  await using one = tokensOf(server, ", scopes: [r, w], endpoint_params: {audience: x}");
  expect(await Promise.all([one.next(), one.next()])).toEqual(["Bearer t1", "Bearer t1"]);
  expect(await one.next()).toBe("Bearer t1");
  expect(server.asked).toEqual([
    {
      authorization: `Basic ${Buffer.from("a+b:s%3A%2F").toString("base64")}`,
      params: { grant_type: "client_credentials", scope: "r w", audience: "x" },
    },
  ]);
});

test.each<[string, object]>([
  ["that has expired", { expires_in: 5 }],
  ["that was refused", {}],
])("a token %s is replaced", async (_, more) => {
  await using server = await tokenServer(numbered(more));
  await using one = tokensOf(server);
  expect(await one.next()).toBe("Bearer t1");
  one.tokens.refused();
  expect(await one.next()).toBe("Bearer t2");
});

test("a server that wants the secret in the content gets it there, from then on at once", async () => {
  await using server = await tokenServer(({ params }, count) =>
    params["client_secret"] === "s:/" ? numbered()({} as Asked, count) : [401, ""],
  );
  await using one = tokensOf(server);
  expect(await one.next()).toBe("Bearer t2");
  one.tokens.refused();
  expect(await one.next()).toBe("Bearer t3");
  expect(server.asked.at(-1)?.params).toMatchObject({ client_id: "a b", client_secret: "s:/" });
});

test.each<[string, readonly [number, string | object], string]>([
  ["a refusal", [400, { error: "invalid_client" }], 'it answers with 400: {"error":"invalid_client"}'],
  ["no JSON", [200, "x"], "is not valid JSON"],
  ["no token", [200, {}], "the answer has no access_token"],
  ["a token that would end the field", [200, { access_token: "a\r\nb: c" }], "the answer has no access_token"],
])("%s is an error with the URL, and is not repeated at once", async (_, answer, why) => {
  await using server = await tokenServer(() => answer);
  await using one = tokensOf(server);
  await expect(one.next()).rejects.toThrow(`oauth2: no token from ${server.url}/token: `);
  await expect(one.next()).rejects.toThrow(why);
  expect(server.asked.filter(({ authorization }) => authorization !== undefined)).toHaveLength(1);
});

test("a signed statement instead of a secret", async () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  await using server = await tokenServer(numbered());
  const key = JSON.stringify(privateKey.export({ type: "pkcs8", format: "pem" }));
  const grant = "urn:ietf:params:oauth:grant-type:jwt-bearer";
  const config = configOf(
    "http_sd_configs",
    `{url: "http://h", oauth2: {client_id: c, token_url: "${server.url}", grant_type: "${grant}", client_certificate_key: ${key},
      client_certificate_key_id: k1, signature_algorithm: RS384, audience: aud, scopes: [r], claims: {x: y}}}`,
  );
  const tokens = new OAuth2Tokens(config.oauth2!, LIMITS);
  expect(await tokens.value(new AbortController().signal)).toBe("Bearer t1");
  await tokens.close();
  const { grant_type, assertion = "" } = server.asked[0]?.params ?? {};
  const [header = "", claims = "", signature = ""] = assertion.split(".");
  const read = (part: string): unknown => JSON.parse(Buffer.from(part, "base64url").toString());
  expect([grant_type, read(header)]).toEqual([grant, { alg: "RS384", typ: "JWT", kid: "k1" }]);
  expect(read(claims)).toMatchObject({ iss: "c", sub: "c", aud: "aud", scope: "r", x: "y" });
  expect(createVerify("RSA-SHA384").update(`${header}.${claims}`).verify(publicKey, signature, "base64url")).toBe(true);
});

describe("requests", () => {
  test("have the token, another one after 401, and no other origin gets it", async () => {
    await using tokens = await tokenServer(numbered());
    const elsewhere: unknown[] = [];
    await using other = await apiServer((request, response) => {
      elsewhere.push(request.headers.authorization);
      response.end();
    });
    await using server = await apiServer(({ headers, url }, response) => {
      if (headers.authorization === "Bearer t1") return void response.writeHead(401).end();
      return void response.writeHead(url === "/away" ? 302 : 200, { location: other.url }).end();
    });
    const access = new HttpAccess(httpWith(tokens), LIMITS);
    const get = async (path: string): Promise<number> => {
      const { status, body } = await access.send(`${server.url}${path}`, { fields: [], signal: AbortSignal.timeout(5_000) });
      await body.bytes(100);
      return status;
    };
    expect([await get("/"), await get("/"), await get("/away")]).toEqual([401, 200, 200]);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer t1", "Bearer t2", "Bearer t2"]);
    expect(elsewhere).toEqual([undefined]);
    await access.close();
  });
});
