import { afterEach, expect, test } from "vitest";
import { makeAuthority } from "../../reference/io/testing.ts";
import { serve } from "../../reference/serve/index.ts";
import { foreignSubject } from "../lib/subject.ts";
import { smallRequests } from "./requests.ts";

const left: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const clean of left.splice(0)) await clean();
});

async function serverOf(status: number) {
  const authority = await makeAuthority();
  const server = await serve(() => ({ status, body: "ok" }), {
    alpn: ["h2"],
    tls: { ...(await authority.issue({ purpose: "server" })), ca: authority.cert },
    onError: () => {},
    graceMs: 0,
  });
  left.push(() => server.close());
  return { url: server.url, authority };
}
const run = { rounds: 1, requests: 20, progress: () => {} };

test("small requests reach a server that requires a client certificate", async () => {
  const { url, authority } = await serverOf(200);
  const subject = foreignSubject(url, { tls: { ca: authority.cert, ...(await authority.issue()) } });
  const measured = (await smallRequests([subject], run)).get(subject);
  expect(measured?.["requestsPerSecond"]?.[0]).toBeGreaterThan(0);
});

test("without its certificate, or with answers that are errors, nothing is measured", async () => {
  const { url, authority } = await serverOf(200);
  await expect(smallRequests([foreignSubject(url, { tls: { ca: authority.cert } })], run)).rejects.toThrow(/failed/);
  const other = await makeAuthority();
  await expect(smallRequests([foreignSubject(url, { tls: { ca: other.cert } })], run)).rejects.toThrow(/certificate|self.signed|issuer/i);
  const failing = await serverOf(500);
  const subject = foreignSubject(failing.url, { tls: { ca: failing.authority.cert, ...(await failing.authority.issue()) } });
  await expect(smallRequests([subject], run)).rejects.toThrow(/20 of 20 requests failed/);
});
