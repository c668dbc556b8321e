import { expect, test } from "vitest";
import { resetStream } from "../endings.ts";
import { Endpoint } from "../endpoint.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import { Requests } from "./requests.ts";
import { INITIAL_SETTINGS } from "../settings/table.ts";
import { Input } from "../stream/state.ts";
import { Stream } from "../stream/streams.ts";
import { fieldList, GET, id, sayEvent, T0 } from "../testing.ts";

const make = (): Endpoint =>
  new Endpoint({ side: "client", settings: INITIAL_SETTINGS, limits: { ...DEFAULT_LIMITS, assumedStreams: 1 } }, T0);

/** Opens a stream and resets it, so that the next one gets a higher identifier. */
function use({ streams }: Endpoint, number: number): void {
  const stream = new Stream(id(number), 0);
  streams.advance(stream.id, Input["send HEADERS"], stream);
  streams.advance(stream.id, Input["send RST_STREAM"], stream);
}

test("Requests: when identifiers have run out, no further request is accepted", () => {
  const endpoint = make();
  const requests = new Requests(endpoint);
  use(endpoint, 0x7fff_fffd);
  expect(requests.accepting).toBe(true);
  expect(requests.request(fieldList(GET), true)).toEqual({ stream: 0x7fff_ffff });
  expect(requests.accepting).toBe(false);
  expect(() => requests.request(fieldList(GET), true)).toThrow("accepts no further requests");
  resetStream(endpoint, endpoint.streams.find(id(0x7fff_ffff))!, "CANCEL");
  expect(endpoint.drain().map(sayEvent)).toEqual([]);
});

test("Requests: a waiting request is unopened when the last identifier goes to another", () => {
  const endpoint = make();
  const requests = new Requests(endpoint);
  use(endpoint, 0x7fff_fffb);
  expect([1, 2, 3].map(() => requests.request(fieldList(GET), true))).toEqual([{ stream: 0x7fff_fffd }, { ticket: 1 }, { ticket: 2 }]);
  resetStream(endpoint, endpoint.streams.find(id(0x7fff_fffd))!, "CANCEL");
  expect(endpoint.drain().map(sayEvent)).toEqual(["opened 1 2147483647", "unopened 2"]);
});
