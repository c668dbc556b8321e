import { expect, test } from "vitest";
import { Fields, type RequestHead } from "../http/index.ts";
import { acceptConnect, offerConnect, readConnectAnswer } from "./handshake-connect.ts";
import type { Accepted, Refused, ServerPolicy } from "./handshake.ts";

const HEAD: RequestHead = {
  version: "HTTP/2",
  method: "CONNECT",
  protocol: "websocket",
  scheme: "https",
  authority: "server.example.com",
  path: "/chat",
  fields: Fields.from([
    ["sec-websocket-protocol", "chat, superchat"],
    ["sec-websocket-extensions", "permessage-deflate"],
    ["sec-websocket-version", "13"],
    ["origin", "http://www.example.com"],
  ]),
};
const POLICY: ServerPolicy = { origins: ["http://www.example.com"], subprotocols: ["chat"] };
const pairs = ({ fields }: Accepted | Refused): string[] => fields.map(({ name, value }) => `${name}: ${value}`);
const ask = (change: Partial<RequestHead>, policy = POLICY): Accepted | Refused => acceptConnect({ ...HEAD, ...change }, policy);
const say = (answer: Accepted | Refused): string => (answer.is === "accepted" ? answer.is : `${answer.status} ${answer.fault.name}`);

test("server: the specification's example is accepted, without a key (rfc8441#5.1)", () => {
  const answer = ask({});
  expect(answer).toMatchObject({ is: "accepted", status: 200, subprotocol: "chat", extensions: "", deflate: undefined });
  expect(ask({}, { ...POLICY, deflate: {} })).toMatchObject({ extensions: "permessage-deflate" });
  expect(pairs(answer)).toEqual(["sec-websocket-protocol: chat"]);
  expect(pairs(ask({}, { ...POLICY, deflate: {} }))).toEqual([
    "sec-websocket-protocol: chat",
    "sec-websocket-extensions: permessage-deflate",
  ]);
});

test("server: refuses with a status that suits this version, and names in lower case", () => {
  const { protocol: _none, ...plain } = HEAD;
  expect(say(acceptConnect(plain, POLICY))).toBe("405 methodNotConnect");
  expect(say(ask({ method: "GET" }))).toBe("405 methodNotConnect");
  expect(say(ask({ protocol: "connect-udp" }))).toBe("501 protocolUnknown");
  const without = (name: string): Fields => Fields.from([...HEAD.fields].filter(([other]) => other !== name));
  expect(say(ask({ fields: without("sec-websocket-version") }))).toBe("400 versionMissing");
  const old = ask({ fields: Fields.from([["sec-websocket-version", "8"]]) });
  expect([say(old), ...pairs(old)]).toEqual(["400 versionUnsupported", "sec-websocket-version: 13"]);
  expect(say(ask({}, { subprotocols: ["chat"] }))).toBe("403 originForbidden");
  // A page of the server's own origin, by the scheme of the request.
  const own = Fields.from([
    ["sec-websocket-version", "13"],
    ["origin", "https://server.example.com"],
  ]);
  expect(say(ask({ fields: own }, {}))).toBe("accepted");
});

test("client: sends its offer, and judges the response", () => {
  const offer = offerConnect({ subprotocols: ["chat"], deflate: {} });
  expect(offer.fields.map(({ name }) => name)).toEqual(["sec-websocket-version", "sec-websocket-protocol", "sec-websocket-extensions"]);
  expect(say(ask({ fields: new Fields(offer.fields) }))).toBe("accepted");
  expect(readConnectAnswer(200, Fields.from([["sec-websocket-protocol", "chat"]]), offer)).toEqual({
    is: "established",
    subprotocol: "chat",
    deflate: undefined,
  });
  expect(readConnectAnswer(204, Fields.empty, offer)).toMatchObject({ is: "established" });
  expect(readConnectAnswer(404, Fields.empty, offer)).toEqual({ is: "declined", status: 404 });
  expect(readConnectAnswer(200, Fields.from([["sec-websocket-protocol", "x"]]), offer)).toMatchObject({
    is: "fault",
    name: "protocolUnasked",
  });
});
