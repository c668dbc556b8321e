import { expect, test } from "vitest";
import { field } from "../../core/index.ts";
import { SettingId } from "../settings/table.ts";
import { client, fieldList, get, GET, id, server, settings, type Rig } from "../testing.ts";
import { sectionSize } from "./section-size.ts";

const limit = (octets: number) => settings([SettingId.MAX_HEADER_LIST_SIZE, octets]);
const asked = (octets: number): Rig => {
  const rig = server();
  rig.events(limit(octets), get(1));
  rig.frames();
  return rig;
};
/** Three octets, and with their line 35. */
const LINE = fieldList([["a", "bc"]]);
const STATUS = 42;

test("sectionSize(): counts names, values, and 32 for each line", () => {
  expect(sectionSize([field("a", "bc"), field("d", "")])).toBe(35 + 33);
});

test("response: up to the client's limit it is sent; one byte more throws Misuse, and nothing is written", () => {
  const fit = asked(STATUS + 35);
  fit.c.respond(id(1), 200, LINE, true);
  expect(fit.frames()).toEqual(["HEADERS 1 end"]);
  const over = asked(STATUS + 34);
  expect(() => over.c.respond(id(1), 200, LINE, true)).toThrow("77 octets, and the peer accepts 76 (SETTINGS_MAX_HEADER_LIST_SIZE");
  expect(over.frames()).toEqual([]);
  over.c.respond(id(1), 500, [], true);
  expect(over.frames()).toEqual(["HEADERS 1 end"]);
});

test("interim response: one over the client's limit is not sent, and the final one follows", () => {
  const rig = asked(STATUS);
  rig.c.interim(id(1), 103, LINE);
  expect(rig.frames()).toEqual([]);
  rig.c.interim(id(1), 100, []);
  rig.c.respond(id(1), 200, [], true);
  expect(rig.frames()).toEqual(["HEADERS 1", "HEADERS 1 end"]);
});

test("trailers: too large ones throw Misuse, and shorter ones may follow", () => {
  const rig = asked(STATUS);
  rig.c.respond(id(1), 200, [], false);
  expect(() => rig.c.trailers(id(1), [...LINE, ...LINE])).toThrow("70 octets");
  rig.c.trailers(id(1), LINE);
  expect(rig.frames()).toEqual(["HEADERS 1", "HEADERS 1 end"]);
});

test("promise: one over the client's limit is not made", () => {
  const [fit, over] = [sectionSize(fieldList(GET)), sectionSize(fieldList(GET)) - 1].map((octets) =>
    asked(octets).c.push(id(1), fieldList(GET)),
  );
  expect([fit, over]).toEqual([2, undefined]);
});

test("request: one over the server's limit throws Misuse, and the next one gets its stream", () => {
  const rig = client();
  const size = sectionSize(fieldList(GET));
  rig.events(limit(size));
  rig.frames();
  expect(() => rig.c.request([...fieldList(GET), ...LINE], true)).toThrow(`${size + 35} octets, and the peer accepts ${size} (`);
  expect(rig.c.request(fieldList(GET), true)).toEqual({ stream: 1 });
  expect(rig.frames()).toEqual(["HEADERS 1 end"]);
});

test("request: a waiting request is sent even if the server lowers its limit", () => {
  const rig = client();
  rig.events(settings([SettingId.MAX_CONCURRENT_STREAMS, 0]));
  expect(rig.c.request(fieldList(GET), true)).toEqual({ ticket: 1 });
  expect(rig.events(settings([SettingId.MAX_CONCURRENT_STREAMS, 1], [SettingId.MAX_HEADER_LIST_SIZE, 1]))).toEqual([
    "settings",
    "opened 1 1",
  ]);
});
