import { expect, test } from "vitest";
import { targetOf } from "./target.ts";

/** Where a target leads: to addresses, or to a name and those who are asked for it. */
function leads(target: string, isSecure: boolean): unknown {
  const { addresses, looksUp, name } = targetOf(target, isSecure);
  expect(name).toBe(target);
  if (looksUp !== undefined) return looksUp;
  if (typeof addresses === "function") throw new Error("it looks nothing up, but has no addresses");
  return addresses.map(({ family, destination: { host, port, unix, isSecure: isTls } }) => {
    expect(isTls).toBe(isSecure);
    return unix === undefined ? `${host} ${port} IPv${family}` : unix;
  });
}

test.each([
  ["dns:///192.0.2.7:8080", ["192.0.2.7 8080 IPv4"]],
  ["dns:192.0.2.7:8080", ["192.0.2.7 8080 IPv4"]],
  ["DNS:///192.0.2.7:8080", ["192.0.2.7 8080 IPv4"]],
  ["dns:///[2001:db8::7]:8080", ["2001:db8::7 8080 IPv6"]],
  ["dns:[2001:db8::7]:8080", ["2001:db8::7 8080 IPv6"]],
  ["dns://192.0.2.1:53/192.0.2.7:8080", ["192.0.2.7 8080 IPv4"]],
  ["dns:///192.0.2.7:65535", ["192.0.2.7 65535 IPv4"]],
  ["dns:///api.example:8080", { name: "api.example" }],
  ["dns:api.example:8080", { name: "api.example" }],
  ["dns:///api.example", { name: "api.example" }],
  ["dns://192.0.2.1:53/api.example:8080", { name: "api.example", servers: ["192.0.2.1:53"] }],
  ["dns://192.0.2.1/api.example", { name: "api.example", servers: ["192.0.2.1"] }],
  ["dns://[2001:db8::1]:53/api.example", { name: "api.example", servers: ["[2001:db8::1]:53"] }],
  ["unix:run/api.sock", ["run/api.sock"]],
  ["unix:/run/api.sock", ["/run/api.sock"]],
  ["unix:///run/api.sock", ["/run/api.sock"]],
])("%s leads to %j, with and without TLS", (target, place) => {
  expect([leads(target, false), leads(target, true)]).toEqual([place, place]);
});

test("without a port it is that of https with TLS, and that of http without", () => {
  expect([leads("dns:///192.0.2.7", true), leads("dns:///192.0.2.7", false)]).toEqual([["192.0.2.7 443 IPv4"], ["192.0.2.7 80 IPv4"]]);
  expect(leads("dns:///[2001:db8::7]", true)).toEqual(["2001:db8::7 443 IPv6"]);
});

test.each([
  "dns:",
  "dns:///",
  "dns:///:8080",
  "dns:///api.example/v1",
  "dns:///api.example:http",
  "dns:///192.0.2.7:65536",
  "dns://ns.example/api.example",
  "unix:",
  "unix://run/api.sock",
])("%s is refused by its name", (target) => {
  expect(() => targetOf(target, false)).toThrow(JSON.stringify(target));
});
