import { describe, expect, test } from "vitest";
import { field, type Field } from "../core/index.ts";
import { client, fieldList, get, head, id, octets, server } from "./testing.ts";

/** A field list whose second field drives another connection while the first connection reads it. */
function reentrant(first: readonly Field[], drive: () => void): readonly Field[] {
  const probe = {
    get name(): string {
      drive();
      return "x-probe";
    },
    value: "1",
    sensitive: false,
  };
  return [...first, probe];
}

describe("a caller's code that drives another connection while a head is written changes nothing in that head", () => {
  /** Another server, which answers with neither content-length nor Connection options. */
  const another = (): (() => void) => {
    const rig = server();
    rig.receives(get());
    return () => rig.c.respond(id(1), 200, [], false);
  };

  test("response: content-length still frames the content", () => {
    const rig = server();
    rig.receives(get());
    rig.c.respond(id(1), 200, reentrant([field("Content-Length", "3")], another()), false);
    rig.c.data(id(1), octets("abc"), true);
    expect(rig.out()).toBe(`${head("HTTP/1.1 200 OK", "Content-Length: 3", "x-probe: 1")}abc`);
  });
  test("response: Connection: close still closes", () => {
    const rig = server();
    rig.receives(get());
    rig.c.respond(id(1), 200, reentrant([field("Connection", "close")], another()), true);
    expect(rig.out()).toBe(head("HTTP/1.1 200 OK", "x-probe: 1", "Connection: close", "Content-Length: 0"));
  });
  test("interim response: Connection options are still sent", () => {
    const rig = server();
    rig.receives(get());
    rig.c.interim(id(1), 103, reentrant([field("Connection", "x-hop")], another()));
    expect(rig.out()).toBe(head("HTTP/1.1 103 Early Hints", "x-probe: 1", "Connection: x-hop"));
  });
  test("trailers: Host is still refused", () => {
    const rig = server();
    rig.receives(get());
    rig.c.respond(id(1), 200, [], false);
    expect(() => rig.c.trailers(id(1), reentrant([field("Host", "a")], another()))).toThrow("rfc9110#6.5.1");
  });
  test("switch: a protocol that was not offered is still refused", () => {
    const rig = server();
    rig.receives(get("Connection: upgrade", "Upgrade: a"));
    expect(() => rig.c.switchTo(id(1), 101, reentrant([field("Upgrade", "b")], another()))).toThrow("not offered");
  });
  test("request: content-length still frames the content", () => {
    const rig = client();
    const line = { method: "POST", target: "/" };
    const fields = fieldList([
      ["Content-Length", "3"],
      ["Host", "a"],
    ]);
    // The other connection is a client too: its Host is not this request's.
    const other = client();
    const request = rig.c.request(
      line,
      reentrant(fields, () => void other.ask()),
      false,
    );
    rig.c.data(request, octets("abc"), true);
    expect(rig.out()).toBe(`${head("POST / HTTP/1.1", "Content-Length: 3", "Host: a", "x-probe: 1")}abc`);
  });
});

test("fields of a request that its owner alters stay what they are on another connection", () => {
  const [one, other] = [server(), server()];
  const read = (rig: ReturnType<typeof server>): Field => {
    const event = rig.events(get("Accept: text/html"))[0];
    if (event?.is !== "request") throw new Error("there is no request");
    return event.fields.find(({ name }) => name === "accept")!;
  };
  read(one);
  (read(one) as { value: string }).value = "altered";
  expect(read(other).value).toBe("text/html");
});
