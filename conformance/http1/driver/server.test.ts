import { describe, expect, test } from "vitest";
import { Unreachable } from "../../harness/driver.ts";
import { badRequest, get, head, likePath, send, served, servedWith } from "../cases/phrases.ts";
import { ServerDriver } from "./server.ts";
import { answering, caseOf, closing, good, ok, stub } from "./testing.ts";

const driverOf = (url: string, timeout = 400): ServerDriver => new ServerDriver({ url, timeout });
/** A request without Host, which is refused with 400. */
const hostless = caseOf([send(head("GET {path} HTTP/1.1"))], badRequest());

describe("a probe", () => {
  test("of an address without a server reports that nothing listens", async () => {
    await expect(driverOf("http://127.0.0.1:1/").probe()).rejects.toThrow(/Nothing listens on 127\.0\.0\.1:1/);
  });

  test("of a server for another protocol quotes what it sent", async () => {
    await using server = await stub((socket) => socket.end("220 mail.example\r\n"));
    await expect(driverOf(server.url).probe()).rejects.toThrow(/does not answer in HTTP\/1\.1: "220 mail/);
  });

  test("of a silent server gives up", async () => {
    await using server = await stub((socket) => socket.resume());
    await expect(driverOf(server.url, 50).probe()).rejects.toThrow(Unreachable);
  });

  test("reports the features, and how it knows", async () => {
    await using server = await stub(
      answering((text) => (/looks-for-nothing/.test(text) ? good(text).replace("200 OK", "404 Not Found") : good(text))),
    );
    const { features } = await driverOf(server.url).probe();
    expect(features.get("keep-alive")?.has).toBe(true);
    expect(features.get("distinct")).toEqual({ has: true, how: "a path that does not exist was answered with status 404" });
    expect(features.get("echo")).toEqual({
      has: false,
      how: "POST to / or /echo is not answered with its content (--echo PATH names a path where it is; conformance/HANDLERS.md has handlers to paste)",
    });
    expect(features.get("h2c")?.has).toBe(false);
  });
});

describe("a server that closes after 404", () => {
  test("is not asked what follows a missing path", async () => {
    await using server = await stub(answering((text) => (/looks-for-nothing/.test(text) ? closing("404 Not Found") : good(text))));
    const { features } = await driverOf(server.url).probe();
    expect(features.get("distinct")).toEqual({
      has: false,
      how: "a path that does not exist was answered with status 404 and the end of the connection (keep it open)",
    });
  });
});

describe("a verdict", () => {
  test("400 and the end of the connection pass", async () => {
    await using server = await stub(answering((text) => (/^host:/im.test(text) ? good(text) : closing("400 Bad Request"))));
    const driver = driverOf(server.url);
    await driver.probe();
    expect(await driver.control(hostless)).toMatchObject({ is: "accepted" });
    expect(await driver.play(hostless)).toMatchObject({ is: "allowed", index: 0 });
  });

  test("accepting the mistake fails at once, by the answer to the fence", async () => {
    await using server = await stub(answering(good));
    const driver = driverOf(server.url, 60_000);
    await driver.probe();
    const played = await driver.play(hostless);
    expect(played).toMatchObject({ is: "other", observed: "200, 200, the connection closed; the next message was answered" });
  });

  test("silence fails", async () => {
    await using server = await stub(answering((text) => (/^host:/im.test(text) ? good(text) : "")));
    const driver = driverOf(server.url, 100);
    await driver.probe();
    // What is passed over in silence, while the fence is answered, was taken for nothing.
    expect(await driver.play(hostless)).toMatchObject({ is: "other" });
    expect(await driver.play({ ...hostless, fence: "none" })).toMatchObject({ is: "other" });
  });

  test("an end without a response passes only if the case permits it", async () => {
    await using server = await stub(answering((text) => (/^host:/im.test(text) ? good(text) : undefined)));
    const driver = driverOf(server.url);
    await driver.probe();
    expect(await driver.play(hostless)).toMatchObject({ is: "allowed", index: 2 });
    expect(await driver.play(caseOf(hostless.steps, [{ see: served(2) }]))).toMatchObject({ is: "other" });
  });

  test("an extra response is counted", async () => {
    await using server = await stub(answering((text, nth) => (nth === 1 ? ok() + ok() : good(text))));
    const driver = driverOf(server.url);
    await driver.probe();
    expect(await driver.play(caseOf([send(get())], [{ see: servedWith(2, likePath()) }]))).toMatchObject({ is: "other" });
  });

  test("a truncated response is incomplete", async () => {
    await using server = await stub(
      answering((text, nth) =>
        nth === 1 && text.includes("X-Cut") ? "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nConnection: close\r\n\r\nok" : good(text),
      ),
    );
    const driver = driverOf(server.url);
    await driver.probe();
    const played = await driver.play(
      caseOf([send(get("X-Cut: 1"))], [{ see: { see: "all", of: [likePath(), { see: "connection closed" }] } }]),
    );
    expect(played).toMatchObject({ is: "other", observed: "200 (incomplete), the connection closed" });
  });

  test("a failure of the harness is an error, not a fail", async () => {
    const server = await stub(answering(good));
    const driver = driverOf(server.url);
    await driver.probe();
    await server[Symbol.asyncDispose]();
    expect(await driver.play(hostless)).toMatchObject({ is: "error" });
    expect(await driver.control(hostless)).toMatchObject({ is: "error" });
  });
});

describe("a control", () => {
  test.each([
    ["refuses everything", (): string => closing("400 Bad Request")],
    ["answers nothing", (): string => ""],
    ["ends the connection", (): undefined => undefined],
  ])("is not accepted by a server that %s", async (_, answer) => {
    let probing = true;
    await using server = await stub(answering((text) => (probing ? good(text) : answer())));
    const driver = driverOf(server.url, 150);
    await driver.probe();
    probing = false;
    expect(await driver.control(hostless)).toMatchObject({ is: "refused" });
  });

  test("that the resource does not support is a skip", async () => {
    await using server = await stub(answering((text) => (text.startsWith("POST") ? closing("405 Method Not Allowed") : good(text))));
    const driver = driverOf(server.url);
    await driver.probe();
    const posted = caseOf(hostless.steps, badRequest(), {
      control: [send(head("POST {path} HTTP/1.1", "Host: {authority}", "Content-Length: 0"))],
    });
    expect(await driver.control(posted)).toMatchObject({ is: "skip", reason: expect.stringContaining("405") as string });
  });

  test("is accepted from a server that ends every connection after its response, and announces it", async () => {
    await using server = await stub(answering((text) => (/^host:/im.test(text) ? closing() : closing("400 Bad Request"))));
    const driver = driverOf(server.url);
    const { features } = await driver.probe();
    expect(features.get("keep-alive")?.has).toBe(false);
    expect(await driver.control(hostless)).toMatchObject({ is: "accepted" });
    expect(await driver.play(hostless)).toMatchObject({ is: "allowed", index: 0 });
    expect(await driver.play(caseOf([send(get())], [{ see: served(2) }]))).toMatchObject({ is: "allowed" });
  });

  test("with the same steps has the same key", () => {
    const driver = driverOf("http://127.0.0.1:1/");
    expect(driver.controlKey(hostless)).toBe(driver.controlKey({ ...hostless, id: "http1/another", steps: [] }));
    expect(driver.controlKey(hostless)).not.toBe(driver.controlKey({ ...hostless, fence: "new" }));
  });
});

describe("a fence", () => {
  test("of half-close completes a message that ends with the connection", async () => {
    await using server = await stub((socket) => {
      const octets: Buffer[] = [];
      socket.on("data", (part: Buffer) => octets.push(part));
      socket.on("end", () =>
        socket.end(octets.length > 0 && Buffer.concat(octets).includes("\r\n\r\n") ? closing() : closing("400 Bad Request")),
      );
    });
    const driver = driverOf(server.url);
    const cut = caseOf([send("GET / HTTP/1.1\r\n")], badRequest(), { fence: "half-close" });
    expect(await driver.play(cut)).toMatchObject({ is: "allowed", index: 0 });
  });

  test("on a new connection leaves the first one open", async () => {
    await using server = await stub(answering(good));
    const driver = driverOf(server.url);
    await driver.probe();
    const half = caseOf([send("GET {path} HTTP/1.1\r\n")], [{ see: { see: "not", of: { see: "connection closed" } } }], { fence: "new" });
    expect(await driver.play(half)).toMatchObject({ is: "allowed" });
  });
});

test("the transcript has every octet of both directions, in words", async () => {
  await using server = await stub(answering(good));
  const driver = driverOf(server.url);
  await driver.probe();
  const { transcript } = await driver.play(caseOf([send(get())], [{ see: served(2) }]));
  const lines = transcript.map(({ way, means }) => `${way} ${means}`);
  expect(lines[0]).toMatch(/^-> GET \/ HTTP\/1\.1\\r\\nHost: 127\.0\.0\.1:\d+\\r\\n\\r\\n$/);
  expect(lines.some((line) => line.startsWith("<- HTTP/1.1 200 OK"))).toBe(true);
  expect(lines).toContain("-- response 1 is complete: 200, 2 octets of content (length)");
  expect(lines.at(-1)).toBe("-- the connection closed");
});
