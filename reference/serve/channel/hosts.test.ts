import { expect, test } from "vitest";
import { refusedHost } from "./hosts.ts";

test.each([
  "127.0.0.1",
  "127.0.0.1:8080",
  "[::1]:80",
  "[::1]",
  "10.1.2.3:1",
  "localhost",
  "LocalHost:9",
  "localhost.",
  "a.localhost",
  "desk.example:80",
  "DESK.example.",
])("%s: accepted", (authority) => expect(refusedHost(authority, ["Desk.Example"])).toBeUndefined());

test.each([
  ["evil.example", "evil.example"],
  ["evil.example:8080", "evil.example"],
  ["127.0.0.1.evil.example", "127.0.0.1.evil.example"],
  ["localhost.evil.example", "localhost.evil.example"],
  ["notlocalhost", "notlocalhost"],
  ["sub.desk.example", "sub.desk.example"],
  ["[::1].evil.example", "[::1].evil.example"],
  ["", "an empty host name"],
])("%j: refused", (authority, name) => expect(refusedHost(authority, ["desk.example"])).toContain(`does not serve ${name} (`));
