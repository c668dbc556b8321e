import { credit, data, frame, GET, goaway, headers, ping, priorityUpdate, promise, request, rst, settings, status } from "./craft.ts";
import { type Row, server, client, got, does, asked, asks, responds, answered, refused, ends, PUSHED, FIELD, entry } from "./steps.ts";

/** Promises, the end of a connection, requests that wait, PING, credit, tables, and mistakes of the peer. */
export const EXCHANGES: readonly Row[] = [
    // Promises.
    client(
      ["a promised response", "rfc9113#8.4", "Promise"],
      [
        asks(1),
        got(promise(1, 2, PUSHED), { events: [{ pushed: 2, on: 1, fields: PUSHED }] }),
        answered(1, 200, [[], true], [{ done: 1 }]),
        answered(2, 200, [FIELD, false]),
        got(data(2, 3), { events: [{ data: 2, octets: 3, end: true }, { done: 2 }] }),
      ],
      { ENABLE_PUSH: 1 },
    ),
    client(
      ["a promise for an origin of which the client has asked nothing, and knows nothing", "rfc9113#8.4", "Promise"],
      [asks(1), got(promise(1, 2, [[":method", "GET"], [":scheme", "https"], [":authority", "b.example"], [":path", "/"]]), refused(2, "PROTOCOL_ERROR"))],
      { ENABLE_PUSH: 1 },
    ),
    client(
      ["a promise for an earlier origin, on a stream of another", "rfc9113#8.4", "Promise"],
      [
        asks(1),
        asks(3, [[":method", "GET"], [":scheme", "https"], [":authority", "b.example"], [":path", "/"]]),
        got(promise(3, 2, PUSHED), { events: [{ pushed: 2, on: 3, fields: PUSHED }] }),
      ],
      { ENABLE_PUSH: 1 },
    ),
    client(
      ["a promise that is not safe", "rfc9113#8.4", "Promise"],
      [asks(1), got(promise(1, 2, [[":method", "POST"], ...PUSHED.slice(1)]), refused(2, "PROTOCOL_ERROR"))],
      { ENABLE_PUSH: 1 },
    ),
    client(
      ["a promised response that the client gives up", "rfc9113#8.4.2", "Promise"],
      [
        asks(1),
        got(promise(1, 2, PUSHED), { events: [{ pushed: 2, on: 1, fields: PUSHED }] }),
        does({ do: "reset", stream: 2, code: "CANCEL" }, { sends: [{ RST_STREAM: 2, code: "CANCEL" }] }),
        got(headers(2, status(200), false)),
      ],
      { ENABLE_PUSH: 1 },
    ),
    client(["a promise that the client forbids", "rfc9113#8.4", "Promise"], [asks(1), got(promise(1, 2, PUSHED), ends(0, "PROTOCOL_ERROR"))], { ENABLE_PUSH: 0 }),
    server(
      ["a server promises a response, and sends it", "rfc9113#8.4", "Promise"],
      [
        asked(1),
        does({ do: "push", stream: 1, fields: PUSHED }, { sends: [{ PUSH_PROMISE: 2, on: 1, fields: PUSHED }] }),
        responds(2, 200, [[], true], { events: [{ done: 2 }] }),
        responds(1, 200, [[], true], { events: [{ done: 1 }] }),
      ],
    ),
    server(
      ["nothing is promised to a client that forbids it", "rfc9113#6.5.2", "Promise"],
      [got(settings([2, 0]), { sends: [{ SETTINGS: "ack" }] }), asked(1), does({ do: "push", stream: 1, fields: PUSHED })],
    ),
    server(
      ["no more is promised than the client permits", "rfc9113#5.1.2", "Promise"],
      [
        got(settings([3, 1]), { sends: [{ SETTINGS: "ack" }] }),
        asked(1),
        does({ do: "push", stream: 1, fields: PUSHED }, { sends: [{ PUSH_PROMISE: 2, on: 1, fields: PUSHED }] }),
        responds(2, 200, [[], false]),
        does({ do: "push", stream: 1, fields: PUSHED }),
        does({ do: "data", stream: 2, octets: 1, end: true }, { sends: [{ DATA: 2, octets: 1, end: true }], events: [{ done: 2 }] }),
        does({ do: "push", stream: 1, fields: PUSHED }, { sends: [{ PUSH_PROMISE: 4, on: 1, fields: PUSHED }] }),
      ],
    ),
    server(
      ["nothing is promised after the GOAWAY of the client", "rfc9113#6.8", "Promise"],
      [asked(1), got(goaway(0, 0), { events: [{ goaway: 0, code: "NO_ERROR", debug: "" }] }), does({ do: "push", stream: 1, fields: PUSHED })],
    ),
    server(
      ["the promised response to HEAD may announce its content", "rfc9110#8.6", "Promise"],
      [
        asked(1),
        does({ do: "push", stream: 1, fields: [[":method", "HEAD"], ...PUSHED.slice(1)] }, { sends: [{ PUSH_PROMISE: 2, on: 1, fields: [[":method", "HEAD"], ...PUSHED.slice(1)] }] }),
        responds(2, 200, [[["content-length", "9"]], true], { events: [{ done: 2 }] }),
      ],
    ),

    // Leaving.
    client(
      ["GOAWAY: what the server has not processed may be sent again", "rfc9113#6.8", "Leave"],
      [
        asks(1),
        asks(3),
        asks(5),
        got(goaway(1, 0, "627965"), {
          events: [
            { goaway: 1, code: "NO_ERROR", debug: "627965" },
            { reset: 3, code: "REFUSED_STREAM", by: "peer" },
            { reset: 5, code: "REFUSED_STREAM", by: "peer" },
          ],
        }),
      ],
    ),
    client(
      ["GOAWAY with an error, by its code", "rfc9113#6.8", "Leave"],
      [asks(1), got(goaway(1, 11), { events: [{ goaway: 1, code: "ENHANCE_YOUR_CALM", debug: "" }] })],
    ),
    client(
      ["requests that wait when the server leaves were not sent", "rfc9113#6.8", "Leave"],
      [
        got(settings([3, 1]), { sends: [{ SETTINGS: "ack" }] }),
        asks(1),
        does({ do: "request", fields: GET, end: true }),
        does({ do: "request", fields: GET, end: true }),
        got(goaway(1, 0), { events: [{ goaway: 1, code: "NO_ERROR", debug: "" }, { unopened: 0 }, { unopened: 1 }] }),
      ],
    ),
    client(
      ["requests that wait get a stream in their order", "rfc9113#5.1.2", "Streams"],
      [
        got(settings([3, 1]), { sends: [{ SETTINGS: "ack" }] }),
        asks(1),
        does({ do: "request", fields: request("GET", ["x-n", "1"]), end: true }),
        does({ do: "request", fields: request("GET", ["x-n", "2"]), end: true }),
        got(headers(1, status(204)), {
          events: [{ response: 1, status: 204, fields: [], end: true }, { done: 1 }, { opened: 3, request: 0 }],
          sends: [{ HEADERS: 3, fields: request("GET", ["x-n", "1"]), end: true }],
        }),
        got(rst(3, 7), {
          events: [{ reset: 3, code: "REFUSED_STREAM", by: "peer" }, { opened: 5, request: 1 }],
          sends: [{ HEADERS: 5, fields: request("GET", ["x-n", "2"]), end: true }],
        }),
      ],
    ),
    client(
      ["a raised limit lets requests through that wait", "rfc9113#5.1.2", "Streams"],
      [
        got(settings([3, 0]), { sends: [{ SETTINGS: "ack" }] }),
        does({ do: "request", fields: GET, end: true }),
        got(settings([3, 1]), { events: [{ opened: 1, request: 0 }], sends: [{ SETTINGS: "ack" }, { HEADERS: 1, fields: GET, end: true }] }),
      ],
    ),
    server(
      ["the GOAWAY of a server names the last stream that it processed", "rfc9113#6.8", "Leave"],
      [asked(1), asked(5), does({ do: "abort", code: "INTERNAL_ERROR" }, { events: [{ closed: null }], sends: [{ GOAWAY: 5, code: "INTERNAL_ERROR" }] })],
    ),
    // PING and credit.
    server(["PING and its answer with the same octets", "rfc9113#6.7", "Ping"], [got(ping("0102030405060708"), { sends: [{ PING: "0102030405060708", ack: true }] })]),
    server(
      ["a PING of the program, and its answer", "rfc9113#6.7", "Ping"],
      [
        does({ do: "ping", octets: "fffefdfcfbfaf9f8" }, { sends: [{ PING: "fffefdfcfbfaf9f8", ack: false }] }),
        got(ping("fffefdfcfbfaf9f8", true), { events: [{ pong: "fffefdfcfbfaf9f8" }] }),
      ],
    ),
    server(
      ["content to the last octet of credit, and after it", "rfc9113#6.9.1", "Credit"],
      [
        got(settings([4, 4]), { sends: [{ SETTINGS: "ack" }] }),
        asked(1),
        responds(1, 200, [[], false]),
        does({ do: "data", stream: 1, octets: 4, end: false }, { sends: [{ DATA: 1, octets: 4, end: false }] }),
        does({ do: "data", stream: 1, octets: 3, end: true }),
        got(credit(1, 2), { sends: [{ DATA: 1, octets: 2, end: false }] }),
        got(credit(1, 1), { sends: [{ DATA: 1, octets: 1, end: true }], events: [{ done: 1 }] }),
      ],
    ),
    server(
      ["an end without content needs no credit", "rfc9113#6.9.1", "Credit"],
      [
        got(settings([4, 0]), { sends: [{ SETTINGS: "ack" }] }),
        asked(1),
        responds(1, 200, [[], false]),
        does({ do: "data", stream: 1, octets: 0, end: true }, { sends: [{ DATA: 1, octets: 0, end: true }], events: [{ done: 1 }] }),
      ],
    ),
    server(
      ["a raised window of all streams lets content through", "rfc9113#6.9.2", "Credit"],
      [
        got(settings([4, 0]), { sends: [{ SETTINGS: "ack" }] }),
        asked(1),
        responds(1, 200, [[], false]),
        does({ do: "data", stream: 1, octets: 6, end: true }),
        got(settings([4, 5]), { sends: [{ SETTINGS: "ack" }, { DATA: 1, octets: 5, end: false }] }),
        got(settings([4, 2])  , { sends: [{ SETTINGS: "ack" }] }),
        got(credit(1, 3), {}),
        got(credit(1, 1), { sends: [{ DATA: 1, octets: 1, end: true }], events: [{ done: 1 }] }),
      ],
    ),

    // The table of the peer: 4,096 octets before its first SETTINGS say otherwise (rfc9113#6.5.2).
    server(
      ["two entries that fill the table of 4,096 octets exactly: the first can be used again", "rfc9113#6.5.2", "Table"],
      [
        asked(1),
        responds(1, 200, [[...entry("x-a", 2_048), ...entry("x-b", 2_048)], true], { events: [{ done: 1 }] }),
        asked(3),
        responds(3, 200, [[...entry("x-a", 2_048), ...entry("x-b", 2_048)], true], { events: [{ done: 3 }] }),
      ],
    ),
    server(
      ["two entries of 4,097 octets: the first is gone from the peer's table", "rfc9113#6.5.2", "Table"],
      [
        asked(1),
        responds(1, 200, [[...entry("x-a", 2_049), ...entry("x-b", 2_048)], true], { events: [{ done: 1 }] }),
        asked(3),
        responds(3, 200, [[...entry("x-a", 2_049), ...entry("x-b", 2_048)], true], { events: [{ done: 3 }] }),
      ],
    ),
    server(
      ["no entry in a table without octets", "rfc9113#6.5.2", "Table"],
      [
        got(settings([1, 0]), { sends: [{ SETTINGS: "ack" }] }),
        asked(1),
        responds(1, 200, [entry("x-a", 40), true], { events: [{ done: 1 }] }),
        asked(3),
        responds(3, 200, [entry("x-a", 40), true], { events: [{ done: 3 }] }),
      ],
    ),

    // Breaches.
    server(["a stream of the server's number", "rfc9113#5.1.1", "Breach"], [asked(1), got(headers(2, GET), ends(1, "PROTOCOL_ERROR"))]),
    server(["a number that is not higher", "rfc9113#5.1.1", "Breach"], [asked(5), got(headers(3, GET), ends(5, "PROTOCOL_ERROR"))]),
    server(["content on a stream that is idle", "rfc9113#5.1", "Breach"], [asked(1), got(data(3, 1), ends(1, "PROTOCOL_ERROR"))]),
    server(["credit of 0 for the connection", "rfc9113#6.9", "Breach"], [asked(1), got(credit(0, 0), ends(1, "PROTOCOL_ERROR"))]),
    server(["credit of 0 for a stream", "rfc9113#6.9", "Breach"], [asked(1), got(credit(1, 0), refused(1, "PROTOCOL_ERROR")), asked(3)]),
    server(
      ["a new priority for a request that is over, while as many are open as may be", "rfc9218#7.1", "Streams"],
      [asked(1), responds(1, 204, [[], true], { events: [{ done: 1 }] }), asked(3, request("POST"), false), got(priorityUpdate(1, "u=1"))],
      { MAX_CONCURRENT_STREAMS: 1 },
    ),
    server(
      ["content for a client that accepts larger frames", "rfc9113#4.2", "Content"],
      [
        got(settings([4, 100_000], [5, 65_536]), { sends: [{ SETTINGS: "ack" }] }),
        got(credit(0, 100_000)),
        asked(1),
        responds(1, 200, [[], false]),
        does({ do: "data", stream: 1, octets: 60_000, end: true }, { sends: [{ DATA: 1, octets: 60_000, end: true }], events: [{ done: 1 }] }),
      ],
    ),
    server(["a PING of seven octets", "rfc9113#6.7", "Breach"], [asked(1), got(frame(6, 0, 0, "00".repeat(7)), ends(1, "FRAME_SIZE_ERROR"))]),
    server(["a promise of a client", "rfc9113#8.4", "Breach"], [asked(1, request("POST"), false), got(promise(1, 2, PUSHED), ends(1, "PROTOCOL_ERROR"))]),
    server(["after the end of a connection nothing is read", "rfc9113#5.4.1", "Breach"], [got(ping("", false) , ends(0, "FRAME_SIZE_ERROR")), got(headers(1, GET)), does({ do: "ping", octets: "0000000000000000" })]),
    client(["a response on a stream that is idle", "rfc9113#5.1", "Breach"], [asks(1), got(headers(3, status(200)), ends(0, "PROTOCOL_ERROR"))]),
    client(["a promise of an odd number", "rfc9113#5.1.1", "Breach"], [asks(1), got(promise(1, 3, PUSHED), ends(0, "PROTOCOL_ERROR"))], { ENABLE_PUSH: 1 }),
    client(
      ["a promise of a number that is used", "rfc9113#5.1.1", "Breach"],
      [
        asks(1),
        got(promise(1, 4, PUSHED), { events: [{ pushed: 4, on: 1, fields: PUSHED }] }),
        got(promise(1, 2, PUSHED), ends(4, "PROTOCOL_ERROR")),
      ],
      { ENABLE_PUSH: 1 },
    ),
    client(["SETTINGS_ENABLE_PUSH of 1 from a server", "rfc9113#6.5.2", "Breach"], [got(settings([2, 1]), ends(0, "PROTOCOL_ERROR"))]),
];
