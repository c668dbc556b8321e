import { describe, expect, test } from "vitest";
import { Connection } from "../connection.ts";
import { readFrames } from "../frame/index.ts";
import { CLIENT_PREFACE } from "./preface.ts";
import { get, id, join, octets, ping, raw, sayEvent, sayFrame, server, settings, SETTINGS_ACK, T0, wire } from "../testing.ts";

const fresh = (side: "server" | "client") => new Connection({ side }, T0);
const said = (c: Connection, bytes: Uint8Array) => c.receive(bytes, T0).map(sayEvent);

describe("preface (rfc9113#3.4)", () => {
  test("a server sends SETTINGS at once, and the rest of its connection window", () => {
    expect(readFrames(join(fresh("server").take())).map(sayFrame)).toEqual(["SETTINGS 3=100 4=262144 6=16384", "WINDOW_UPDATE 0 196609"]);
  });
  test("a client sends the 24 bytes, then its SETTINGS", () => {
    const sent = join(fresh("client").take());
    expect(sent.subarray(0, 24)).toEqual(CLIENT_PREFACE);
    expect(readFrames(sent.subarray(24)).map(sayFrame)).toEqual(["SETTINGS 2=0 3=100 4=262144 6=16384", "WINDOW_UPDATE 0 196609"]);
  });
  test("is accepted byte by byte", () => {
    const c = fresh("server");
    const events = [...wire(CLIENT_PREFACE, settings(), get(1))].flatMap((octet) => said(c, Uint8Array.of(octet)));
    expect(events).toEqual(["settings", "request 1 end"]);
  });
  test.each([
    ["HTTP/1.1", new TextEncoder().encode("GET / HTTP/1.1\r\n\r\n")],
    ["a wrong last byte", wire(CLIENT_PREFACE.subarray(0, 23), octets(1))],
    ["frames without it", wire(settings())],
  ])("%s in its place ends the connection", (_, bytes) => {
    const c = fresh("server");
    c.take();
    expect(said(c, bytes)).toEqual(["closed prefaceWrong"]);
    expect(readFrames(join(c.take())).map(sayFrame)).toEqual(["GOAWAY 0 PROTOCOL_ERROR"]);
  });
  test.each([
    ["PING", wire(ping())],
    ["an acknowledgement of SETTINGS", wire(SETTINGS_ACK)],
    ["a request", wire(get(1))],
    ["an unknown frame", raw(0xff, 0, 0)],
    ["a frame that is too large", raw(0, 0, 0, "", 16_385)],
  ])("%s as the first frame ends the connection, on both sides", (_, bytes) => {
    expect(said(fresh("server"), wire(CLIENT_PREFACE, bytes))).toEqual(["closed firstFrameNotSettings"]);
    expect(said(fresh("client"), bytes)).toEqual(["closed firstFrameNotSettings"]);
  });
  test("after the end nothing is read or sent", () => {
    const c = fresh("server");
    said(c, octets(1));
    c.take();
    expect([said(c, wire(CLIENT_PREFACE, settings(), ping())), c.take()]).toEqual([[], []]);
  });
});

describe("the end of the transport", () => {
  test("between messages is not a fault", () => {
    const rig = server();
    rig.events(get(1));
    rig.c.respond(id(1), 204, [], true);
    rig.frames();
    expect(rig.c.ended(T0).map(sayEvent)).toEqual(["done 1", "closed"]);
    expect(rig.frames()).toEqual(["GOAWAY 1 NO_ERROR"]);
  });
  test("after a final GOAWAY no second one is sent", () => {
    const rig = server();
    rig.events(get(1));
    rig.c.shutdown();
    rig.events(ping(true, 0x5a));
    rig.frames();
    expect([rig.c.ended(T0).map(sayEvent), rig.frames()]).toEqual([["closed endedEarly"], []]);
  });
  test.each([
    ["within a frame", wire(ping()).subarray(0, 12)],
    ["within a block", raw(1, 0, 1, "82")],
    ["with a stream open", wire(get(1))],
  ])("%s comes early", (_, bytes) => {
    const rig = server();
    rig.events(bytes);
    expect(rig.c.ended(T0).map(sayEvent)).toEqual(["closed endedEarly"]);
  });
  test("before the preface is endedEarly", () => {
    expect(fresh("server").ended(T0).map(sayEvent)).toEqual(["closed endedEarly"]);
  });
  test("is reported once", () => {
    const { c } = server();
    c.ended(T0);
    expect(c.ended(T0)).toEqual([]);
  });
});
