import { describe, expect, test } from "vitest";
import type { Frame } from "../frame/index.ts";
import { client, fieldList, get, GET, headers, id, octets, POST, post, request, rst, server, windowUpdate, type Rig } from "../testing.ts";

const asked = (...frames: (Frame | Uint8Array)[]): Rig => {
  const rig = server();
  rig.events(...(frames.length === 0 ? [get(1)] : frames));
  return rig;
};

describe("responses", () => {
  test("interim, final, content, trailers", () => {
    const rig = asked();
    rig.c.interim(id(1), 103, fieldList([["link", "</a>"]]));
    rig.c.respond(id(1), 200, fieldList([["x", "y"]]), false);
    rig.c.data(id(1), octets(3), false);
    rig.c.trailers(id(1), fieldList([["sum", "1"]]));
    expect(rig.told()).toEqual(["done 1"]);
    expect(rig.fields()).toEqual([[":status: 103", "link: </a>"], [":status: 200", "x: y"], ["sum: 1"]]);
  });
  test.each([200, 599, 600, 998, 999])("the status %i", (status) => {
    const rig = asked();
    rig.c.respond(id(1), status, [], true);
    expect(rig.fields()).toEqual([[`:status: ${status}`]]);
  });
  test("trailers wait for the content before them", () => {
    const rig = asked();
    rig.c.respond(id(1), 200, [], false);
    rig.c.data(id(1), octets(70_000), false);
    rig.c.trailers(id(1), fieldList([["x", "y"]]));
    expect(rig.frames().at(-1)).toBe("DATA 1 16383");
    rig.events(windowUpdate(0, 10_000), windowUpdate(1, 10_000));
    expect(rig.frames()).toEqual(["DATA 1 4465", "HEADERS 1 end"]);
    expect(rig.told()).toEqual(["done 1"]);
  });
  test("empty content makes no frame, unless it is the end", () => {
    const rig = asked();
    rig.c.respond(id(1), 200, [], false);
    rig.frames();
    expect([rig.c.data(id(1), octets(0), false), rig.frames()]).toEqual([true, []]);
    expect([rig.c.data(id(1), octets(0), true), rig.frames()]).toEqual([true, ["DATA 1 0 end"]]);
  });
  test("large content leaves as the view given", () => {
    const rig = asked();
    rig.c.respond(id(1), 200, [], false);
    const content = octets(10_000);
    rig.c.data(id(1), content, true);
    expect(rig.c.take().includes(content)).toBe(true);
  });
  test("one that ends before its request; NO_ERROR then stops the request (rfc9113#8.1)", () => {
    const rig = asked(post(1));
    rig.c.respond(id(1), 413, [], false);
    rig.c.data(id(1), octets(70_000), true);
    rig.c.reset(id(1), "NO_ERROR");
    expect(rig.frames().at(-1)).toBe("DATA 1 16383");
    rig.events(windowUpdate(0, 10_000), windowUpdate(1, 10_000));
    expect(rig.frames()).toEqual(["DATA 1 4465 end", "RST_STREAM 1 NO_ERROR"]);
    const short = asked(post(1));
    short.c.respond(id(1), 413, [], true);
    short.c.reset(id(1), "NO_ERROR");
    expect(short.frames()).toEqual(["HEADERS 1 end", "RST_STREAM 1 NO_ERROR"]);
  });
  test("another code cuts the response short", () => {
    const rig = asked(post(1));
    rig.c.respond(id(1), 200, [], false);
    rig.c.data(id(1), octets(70_000), true);
    rig.c.reset(id(1), "INTERNAL_ERROR");
    expect(rig.frames()).toEqual(["HEADERS 1", "RST_STREAM 1 INTERNAL_ERROR"]);
    expect(rig.told()).toEqual([]);
  });
});

describe("mistakes that the caller can know throw Misuse, and nothing is written", () => {
  /** The message of the Misuse, if nothing was written. */
  const refused = (rig: Rig, act: () => void): string => {
    rig.frames();
    try {
      act();
    } catch (error) {
      const sent = rig.frames();
      return sent.length === 0 ? String(error) : `sent ${sent.join(", ")}`;
    }
    return "accepted";
  };
  test("a stream that does not exist", () => {
    const rig = asked();
    expect(refused(rig, () => rig.c.respond(id(3), 200, [], true))).toContain("does not exist");
    expect(refused(rig, () => rig.c.reset(id(2), "CANCEL"))).toContain("does not exist");
  });
  test("status codes of the wrong kind", () => {
    const rig = asked();
    for (const status of [99, 100, 199, 1_000, 200.5, Number.NaN])
      expect(refused(rig, () => rig.c.respond(id(1), status, [], true))).toContain("final status");
    for (const status of [99, 101, 200]) expect(refused(rig, () => rig.c.interim(id(1), status, []))).toContain("interim status");
  });
  test("order: content before the head, two heads, anything after the end", () => {
    const rig = asked(post(1));
    expect(refused(rig, () => rig.c.data(id(1), octets(1), false))).toContain("respond before");
    rig.c.respond(id(1), 200, [], false);
    expect(refused(rig, () => rig.c.respond(id(1), 200, [], false))).toContain("has its response");
    expect(refused(rig, () => rig.c.interim(id(1), 103, []))).toContain("has its response");
    rig.c.data(id(1), octets(1), true);
    expect(refused(rig, () => rig.c.data(id(1), octets(1), false))).toContain("ended already");
    expect(refused(rig, () => rig.c.trailers(id(1), []))).toContain("ended already");
  });
  test("a queued end counts as an end", () => {
    const rig = asked();
    rig.c.respond(id(1), 200, [], false);
    rig.c.data(id(1), octets(70_000), true);
    expect(refused(rig, () => rig.c.data(id(1), octets(1), false))).toContain("ended already");
  });
  test("fields that a peer must refuse", () => {
    const rig = asked();
    for (const [name, value, why] of [
      ["X", "1", "fieldNameInvalid"],
      ["x", "a\r\nb: c", "fieldValueInvalid"],
      ["connection", "close", "fieldConnectionSpecific"],
      [":status", "200", "pseudoFieldInTrailers"],
    ] as const) {
      expect(refused(rig, () => rig.c.respond(id(1), 200, fieldList([[name, value]]), true))).toContain(why);
      expect(refused(rig, () => rig.c.interim(id(1), 103, fieldList([[name, value]])))).toContain(why);
    }
    rig.c.respond(id(1), 200, [], false);
    expect(refused(rig, () => rig.c.trailers(id(1), fieldList([["te", "gzip"]])))).toContain("teNotTrailers");
  });
  test("content of a request that disagrees with its content-length", () => {
    const rig = client();
    rig.c.request(fieldList(request({ ":method": "POST" }, ["content-length", "3"])), false);
    expect(() => rig.c.data(id(1), octets(4), false)).toThrow("does not agree");
    expect(() => rig.c.trailers(id(1), [])).toThrow("does not agree");
    rig.frames();
    rig.c.data(id(1), octets(3), true);
    expect(rig.frames()).toEqual(["DATA 1 3 end"]);
  });
  test("content that disagrees with its own content-length", () => {
    const length = (octetCount: number) => fieldList([["content-length", String(octetCount)]]);
    const rig = asked(get(1), get(3), get(5), get(7));
    expect(refused(rig, () => rig.c.respond(id(1), 200, length(2), true))).toContain("there is no content");
    rig.c.respond(id(1), 200, length(2), false);
    expect(refused(rig, () => rig.c.data(id(1), octets(3), true))).toContain("does not agree");
    expect(refused(rig, () => rig.c.data(id(1), octets(1), true))).toContain("does not agree");
    rig.c.data(id(1), octets(1), false);
    expect(refused(rig, () => rig.c.trailers(id(1), []))).toContain("does not agree");
    rig.c.data(id(1), octets(1), true);
    expect(rig.told()).toEqual(["done 1"]);
  });
  test("content of a response without content", () => {
    const rig = asked(headers(1, request({ ":method": "HEAD" })), get(3), get(5));
    rig.c.respond(id(1), 200, fieldList([["content-length", "5"]]), false);
    expect(refused(rig, () => rig.c.data(id(1), octets(5), true))).toContain("have no content");
    rig.c.data(id(1), octets(0), true);
    rig.c.respond(id(3), 304, fieldList([["content-length", "5"]]), true);
    rig.c.respond(id(5), 204, [], false);
    expect(refused(rig, () => rig.c.data(id(5), octets(5), true))).toContain("have no content");
    expect(rig.told()).toEqual(["done 1", "done 3"]);
  });
  test("a PING of another length than eight", () => {
    const rig = asked();
    expect(refused(rig, () => rig.c.ping(octets(7)))).toContain("8 octets");
    rig.c.ping(octets(8, 1));
    expect(rig.frames()).toEqual(["PING 0101010101010101"]);
  });
  test("a client that responds", () => {
    const rig = client();
    rig.c.request(fieldList(POST), false);
    expect(refused(rig, () => rig.c.respond(id(1), 200, [], true))).toContain("no responses");
  });
});

describe("mistakes that the caller cannot know are ignored", () => {
  test("actions on a stream that the peer has reset", () => {
    const rig = asked(get(1), rst(1));
    rig.c.interim(id(1), 103, []);
    rig.c.respond(id(1), 200, [], false);
    rig.c.trailers(id(1), []);
    rig.c.prioritize(id(1), "u=1");
    rig.c.reset(id(1), "CANCEL");
    expect([rig.c.data(id(1), octets(5), true), rig.c.push(id(1), fieldList(GET)), rig.frames()]).toEqual([true, undefined, []]);
  });
  test("no credit at all", () => {
    const rig = asked();
    rig.c.consumed(id(1), 0);
    expect(rig.frames()).toEqual([]);
  });
});
