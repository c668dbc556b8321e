import { expect, test } from "vitest";
import { INITIAL_SETTINGS } from "./settings.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import { Requests } from "./requests.ts";
import { Session } from "./session.ts";
import { Closed } from "./stream-state.ts";
import { fieldList, GET, id, sayEvent, T0 } from "./testing.ts";

test("when identifiers have run out, requests that wait are told, and no more are taken", () => {
  const session = new Session("client", INITIAL_SETTINGS, { ...DEFAULT_LIMITS, assumedStreams: 1 }, false, T0);
  const requests = new Requests(session);
  session.streams.pass(id(0x7fff_fffd));
  expect(requests.accepting).toBe(true);
  expect(requests.request(fieldList(GET), true)).toEqual({ stream: 0x7fff_ffff });
  expect(requests.accepting).toBe(false);
  expect(() => requests.request(fieldList(GET), true)).toThrow("takes no further requests");
  session.closeStream(session.streams.find(id(0x7fff_ffff))!, Closed.ended);
  expect(session.drain().map(sayEvent)).toEqual([]);
});

test("a request in line when the last identifier goes to another is told", () => {
  const session = new Session("client", INITIAL_SETTINGS, { ...DEFAULT_LIMITS, assumedStreams: 1 }, false, T0);
  const requests = new Requests(session);
  session.streams.pass(id(0x7fff_fffb));
  expect([1, 2, 3].map(() => requests.request(fieldList(GET), true))).toEqual([{ stream: 0x7fff_fffd }, { ticket: 1 }, { ticket: 2 }]);
  session.closeStream(session.streams.find(id(0x7fff_fffd))!, Closed.ended);
  expect(session.drain().map(sayEvent)).toEqual(["opened 1 2147483647", "unopened 2"]);
});
