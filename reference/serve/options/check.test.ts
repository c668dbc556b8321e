import { describe, expect, test } from "vitest";
import { Misuse } from "../../core/index.ts";
import { connect, createClient, proxy, serve, type ConnectOptions, type ServeOptions } from "../index.ts";
import * as http1 from "../http1/index.ts";
import { serveChannel, type ChannelServerOptions } from "../channel/server.ts";
import { serveMetrics, type MetricsServeOptions } from "../metrics/index.ts";
import { checkOptions, namesOf, optionsIn } from "./check.ts";

const handler = () => ({ status: 200 });
const URL = "http://127.0.0.1:1/";

describe("an unknown option is refused with the nearest known one", () => {
  test.each([
    ["at the top", { prot: 1 }, 'there is no option "prot": did you mean "port"?'],
    ["of another case", { onerror: 1 }, 'there is no option "onerror": did you mean "onError"?'],
    ["of HTTP/1.1", { http1: { limit: {} } }, 'there is no option "http1.limit": did you mean "http1.limits"?'],
    ["among the limits of HTTP/1.1", { http1: { limits: { headMS: 1 } } }, '"http1.limits.headMS": did you mean "http1.limits.headMs"?'],
    ["among the leniencies", { http1: { lenient: { bareLF: true } } }, '"http1.lenient.bareLF": did you mean "http1.lenient.bareLf"?'],
    ["of HTTP/2", { http2: { autotune: true } }, '"http2.autotune": did you mean "http2.autoTune"?'],
    ["among the settings", { http2: { settings: { initialWindow: 1 } } }, 'did you mean "http2.settings.initialWindowSize"?'],
    [
      "within a budget",
      { http2: { limits: { pings: { brust: 1 } } } },
      '"http2.limits.pings.brust": did you mean "http2.limits.pings.burst"?',
    ],
    ["of TLS", { tls: { crt: "" } }, '"tls.crt": did you mean "tls.cert"?'],
    ["in the wrong place", { settings: {} }, 'there is no option "settings": did you mean "http2.settings" or "http3.settings"?'],
    ["that several versions have", { limits: {} }, '"limits": did you mean "http1.limits" or "http2.limits" or "http3.limits"?'],
    ["of a client", { push: true }, /there is no option "push"/],
  ])("%s", async (_, options, message) => {
    const error: unknown = await serve(handler, options as ServeOptions).catch((why: unknown) => why);
    expect(error).toBeInstanceOf(Misuse);
    expect((error as Misuse).message).toMatch(message);
    expect((error as Misuse).message).toMatch(/^serve: /);
  });

  test("by every function that has options, and by every entry", async () => {
    const wrong = { alnp: ["h2"] } as ConnectOptions;
    const why = (face: string): string => `${face}: there is no option "alnp": did you mean "alpn"?`;
    await expect(connect(URL, wrong)).rejects.toThrow(why("connect"));
    expect(() => createClient(wrong)).toThrow(why("createClient"));
    expect(() => proxy(URL, wrong)).toThrow(why("proxy"));
    await expect(http1.connect(URL, wrong)).rejects.toThrow(why("connect"));
    expect(() => http1.proxy(URL, wrong)).toThrow(why("proxy"));
  });
});

test("serveMetrics refuses unknown options at every level, before it opens its directory", async () => {
  const wrong = { directory: import.meta.filename, storage: { walsync: "never" } } as MetricsServeOptions;
  await expect(serveMetrics(wrong)).rejects.toThrow('serveMetrics: there is no option "storage.walsync": did you mean "storage.walSync"?');
});

test("serveChannel refuses unknown options at every level", async () => {
  const wrong = { tokens: { agents: "x" } } as unknown as ChannelServerOptions;
  await expect(serveChannel(wrong)).rejects.toThrow('serveChannel: there is no option "tokens.agents": did you mean "tokens.agent"?');
});

test("options that are not an object are refused", () => {
  for (const options of [8080, [], null, "h2"])
    expect(() => checkOptions("serve", options as object, {})).toThrow("serve: the options are not an object");
});

test("an ALPN name of no version is refused, and so is an empty list", () => {
  expect(() => createClient({ alpn: ["h9" as "h2"] })).toThrow('"h9" is not an ALPN name of a supported version: use h3, h2, http/1.1');
  expect(() => createClient({ alpn: [] })).toThrow("`alpn` is empty: give at least one of h3, h2, http/1.1");
});

test("arrays and octets are values, not tables", () => {
  const known = namesOf({ list: [1], octets: new Uint8Array(1), inner: { name: 0 } });
  expect(known).toEqual({ list: true, octets: true, inner: { name: true } });
  expect(() => checkOptions("serve", { list: [], octets: new Uint8Array(2), inner: undefined }, known)).not.toThrow();
});

test("optionsIn keeps what the table names", () => {
  expect(optionsIn({ port: 1, paths: [] }, { port: true, host: true })).toEqual({ port: 1 });
});
