import { expect, test } from "vitest";
import { Alternatives } from "./alternatives.ts";

const served = { host: "www.example", origin: { authority: "www.example" } };
const other = { host: "other.example", origin: { authority: "other.example" } };

test("the first alternative in HTTP/3 counts, for its origin", () => {
  const alternatives = new Alternatives(true);
  alternatives.heard(served, 'h2="alt.example:443", h3="alt.example:8443", h3=":1"');
  expect([alternatives.of(served), alternatives.of(other)]).toEqual([{ host: "alt.example", port: 8443 }, undefined]);
});
test("what the origin says replaces what it has said; a malformed value says nothing", () => {
  const alternatives = new Alternatives(true);
  alternatives.heard(served, 'h3=":1"');
  alternatives.heard(served, "h3=nonsense");
  expect(alternatives.of(served)).toEqual({ host: "www.example", port: 1 });
  alternatives.heard(served, 'h3=":2"');
  expect(alternatives.of(served)).toEqual({ host: "www.example", port: 2 });
  for (const value of ["clear", 'h2=":3"', 'h3=":4"; ma=0']) {
    alternatives.heard(served, 'h3=":2"');
    alternatives.heard(served, value);
    expect([value, alternatives.of(served)]).toEqual([value, undefined]);
  }
});
test("another host is not believed where certificates are not checked (rfc7838#2.1)", () => {
  const alternatives = new Alternatives(false);
  alternatives.heard(served, 'h3="alt.example:1", h3="www.example:2"');
  expect(alternatives.of(served)).toEqual({ host: "www.example", port: 2 });
});
test("addresses in brackets are places without them", () => {
  const alternatives = new Alternatives(true);
  alternatives.heard(served, 'h3="[2001:db8::1]:1"');
  expect(alternatives.of(served)).toEqual({ host: "2001:db8::1", port: 1 });
  const at = { host: "2001:db8::1", origin: { authority: "[2001:db8::1]" } };
  const untrusted = new Alternatives(false);
  untrusted.heard(at, 'h3="[2001:db8::1]:1"');
  expect(untrusted.of(at)).toEqual({ host: "2001:db8::1", port: 1 });
});
test("a place that was not reached is avoided, until it is", () => {
  const alternatives = new Alternatives(true);
  const place = { host: "www.example", port: 1 };
  alternatives.heard(served, 'h3=":1"');
  alternatives.avoid(place);
  expect([alternatives.isAvoided(place), alternatives.of(served)]).toEqual([true, undefined]);
  alternatives.forgive(place);
  expect([alternatives.isAvoided(place), alternatives.of(served)]).toEqual([false, place]);
});
test("of too many origins the oldest is forgotten", () => {
  const alternatives = new Alternatives(true);
  const nth = (at: number) => ({ host: `${at}.example`, origin: { authority: `${at}.example` } });
  for (let at = 0; at <= 1_000; at++) alternatives.heard(nth(at), 'h3=":1"');
  expect([alternatives.of(nth(0)), alternatives.of(nth(1))?.port, alternatives.of(nth(1_000))?.port]).toEqual([undefined, 1, 1]);
});
