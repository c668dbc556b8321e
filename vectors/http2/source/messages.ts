import { credit, data, GET, headers, request, rst, settings, status } from "./craft.ts";
import { type Row, server, client, got, does, asked, asks, responds, answered, refused, PUSHED, FIELD, LINK } from "./steps.ts";

/** Messages, their content, and streams that end before their time. */
export const MESSAGES: readonly Row[] = [
    // Messages.
    server(["a request and its response", "rfc9113#8.1", "Message"], [asked(1), responds(1, 200, [FIELD, true], { events: [{ done: 1 }] })]),
    server(
      ["a request with content and trailers", "rfc9113#8.1", "Message"],
      [
        asked(1, request("POST"), false),
        got(data(1, 3, false), { events: [{ data: 1, octets: 3, end: false }] }),
        got(headers(1, FIELD), { events: [{ trailers: 1, fields: FIELD }] }),
        responds(1, 204, [[], true], { events: [{ done: 1 }] }),
      ],
    ),
    server(
      ["an empty DATA frame that ends a request", "rfc9113#8.1", "Message"],
      [asked(1, request("POST"), false), got(data(1, 0), { events: [{ data: 1, octets: 0, end: true }] })],
    ),
    server(
      ["interim responses before the final one", "rfc9113#8.1", "Message"],
      [
        asked(1),
        does({ do: "interim", stream: 1, status: 103, fields: LINK }, { sends: [{ HEADERS: 1, fields: status(103, ...LINK), end: false }] }),
        does({ do: "interim", stream: 1, status: 100, fields: [] }, { sends: [{ HEADERS: 1, fields: status(100), end: false }] }),
        responds(1, 200, [[], true], { events: [{ done: 1 }] }),
      ],
    ),
    server(
      ["a response in three parts with trailers", "rfc9113#8.1", "Message"],
      [
        asked(1),
        responds(1, 200, [[], false]),
        does({ do: "data", stream: 1, octets: 5, end: false }, { sends: [{ DATA: 1, octets: 5, end: false }] }),
        does({ do: "trailers", stream: 1, fields: FIELD }, { sends: [{ HEADERS: 1, fields: FIELD, end: true }], events: [{ done: 1 }] }),
      ],
    ),
    server(
      ["a response that ends before its request", "rfc9113#8.1", "Message"],
      [
        asked(1, request("POST"), false),
        responds(1, 413, [[], true]),
        got(data(1, 2, false), { events: [{ data: 1, octets: 2, end: false }] }),
        got(data(1, 1), { events: [{ data: 1, octets: 1, end: true }, { done: 1 }] }),
      ],
    ),
    server(
      ["a response that ends, and no need for the rest of its request", "rfc9113#8.1", "Reset"],
      [
        asked(1, request("POST"), false),
        responds(1, 413, [[], true]),
        does({ do: "reset", stream: 1, code: "NO_ERROR" }, { sends: [{ RST_STREAM: 1, code: "NO_ERROR" }] }),
      ],
    ),
    server(
      ["content that waits for credit, and no need for the rest of its request", "rfc9113#8.1", "Reset"],
      [
        got(settings([4, 10]), { sends: [{ SETTINGS: "ack" }] }),
        asked(1, request("POST"), false),
        responds(1, 200, [[], false]),
        does({ do: "data", stream: 1, octets: 15, end: true }, { sends: [{ DATA: 1, octets: 10, end: false }] }),
        does({ do: "reset", stream: 1, code: "NO_ERROR" }),
        got(credit(1, 5), { sends: [{ DATA: 1, octets: 5, end: true }, { RST_STREAM: 1, code: "NO_ERROR" }] }),
      ],
    ),
    server(
      ["content and trailers that wait for credit, and no need for the rest of its request", "rfc9113#8.1", "Reset"],
      [
        got(settings([4, 10]), { sends: [{ SETTINGS: "ack" }] }),
        asked(1, request("POST"), false),
        responds(1, 200, [[], false]),
        does({ do: "data", stream: 1, octets: 15, end: false }, { sends: [{ DATA: 1, octets: 10, end: false }] }),
        does({ do: "trailers", stream: 1, fields: FIELD }),
        does({ do: "reset", stream: 1, code: "NO_ERROR" }),
        got(credit(1, 5), {
          sends: [
            { DATA: 1, octets: 5, end: false },
            { HEADERS: 1, fields: FIELD, end: true },
            { RST_STREAM: 1, code: "NO_ERROR" },
          ],
        }),
      ],
    ),
    server(
      ["a response that is given up while its content waits", "rfc9113#5.4.2", "Reset"],
      [
        got(settings([4, 10]), { sends: [{ SETTINGS: "ack" }] }),
        asked(1),
        responds(1, 200, [[], false]),
        does({ do: "data", stream: 1, octets: 15, end: false }, { sends: [{ DATA: 1, octets: 10, end: false }] }),
        does({ do: "reset", stream: 1, code: "INTERNAL_ERROR" }, { sends: [{ RST_STREAM: 1, code: "INTERNAL_ERROR" }] }),
        got(credit(1, 5)),
      ],
    ),
    client(
      ["a response with content and trailers", "rfc9113#8.1", "Message"],
      [
        asks(1),
        answered(1, 200, [FIELD, false]),
        got(data(1, 4, false), { events: [{ data: 1, octets: 4, end: false }] }),
        got(headers(1, FIELD), { events: [{ trailers: 1, fields: FIELD }, { done: 1 }] }),
      ],
    ),
    client(
      ["interim responses with their fields", "rfc9113#8.1", "Message"],
      [
        asks(1),
        got(headers(1, status(103, ...LINK), false), { events: [{ interim: 1, status: 103, fields: LINK }] }),
        got(headers(1, status(100), false), { events: [{ interim: 1, status: 100, fields: [] }] }),
        answered(1, 204, [FIELD, true], [{ done: 1 }]),
      ],
    ),
    client(
      ["an interim response that ends its stream", "rfc9113#8.1", "Message"],
      [asks(1), got(headers(1, status(103), true), refused(1, "PROTOCOL_ERROR"))],
    ),
    client(
      ["a request in parts, with its response before the end", "rfc9113#8.1", "Message"],
      [
        asks(1, request("POST"), false),
        answered(1, 200, [[], true]),
        does({ do: "data", stream: 1, octets: 3, end: true }, { sends: [{ DATA: 1, octets: 3, end: true }], events: [{ done: 1 }] }),
      ],
    ),

    // Content.
    client(
      ["a response to HEAD with the length of its content, and none", "rfc9110#8.6", "Content"],
      [asks(1, request("HEAD")), answered(1, 200, [[["content-length", "5"]], true], [{ done: 1 }])],
    ),
    client(
      ["content in a response to HEAD", "rfc9110#9.3.2", "Content"],
      [asks(1, request("HEAD")), answered(1, 200, [[], false]), got(data(1, 1), refused(1, "PROTOCOL_ERROR"))],
    ),
    client(
      ["less content than a response to GET announces", "rfc9113#8.1.1", "Content"],
      [asks(1), got(headers(1, status(200, ["content-length", "5"])), refused(1, "PROTOCOL_ERROR"))],
    ),
    client(
      ["a tunnel: content without regard to a length", "rfc9113#8.5", "Content"],
      [
        asks(1, [[":method", "CONNECT"], [":authority", "b.example:80"]], false),
        answered(1, 200, [[], false]),
        does({ do: "data", stream: 1, octets: 2, end: false }, { sends: [{ DATA: 1, octets: 2, end: false }] }),
        got(data(1, 9, false), { events: [{ data: 1, octets: 9, end: false }] }),
        got(data(1, 1), { events: [{ data: 1, octets: 1, end: true }] }),
      ],
    ),
    client(
      ["a frame of another type in a tunnel", "rfc9113#8.5", "Content"],
      [
        asks(1, [[":method", "CONNECT"], [":authority", "b.example:80"]], false),
        answered(1, 200, [[], false]),
        got(headers(1, FIELD), refused(1, "PROTOCOL_ERROR")),
      ],
    ),
    client(
      ["a refused tunnel is a response like others", "rfc9113#8.5", "Content"],
      [
        asks(1, [[":method", "CONNECT"], [":authority", "b.example:80"]], false),
        answered(1, 403, [[["content-length", "2"]], false]),
        got(data(1, 2, false), { events: [{ data: 1, octets: 2, end: false }] }),
        got(headers(1, FIELD), { events: [{ trailers: 1, fields: FIELD }] }),
      ],
    ),
    server(
      ["a tunnel that a server opens and ends", "rfc9113#8.5", "Content"],
      [
        asked(1, [[":method", "CONNECT"], [":authority", "b.example:80"]], false),
        responds(1, 200, [[], false]),
        got(data(1, 7, false), { events: [{ data: 1, octets: 7, end: false }] }),
        does({ do: "data", stream: 1, octets: 2, end: true }, { sends: [{ DATA: 1, octets: 2, end: true }] }),
        got(data(1, 1), { events: [{ data: 1, octets: 1, end: true }, { done: 1 }] }),
      ],
    ),
    server(
      ["more content than a request announces", "rfc9113#8.1.1", "Content"],
      [asked(1, request("POST", ["content-length", "2"]), false), got(data(1, 3), refused(1, "PROTOCOL_ERROR"))],
    ),

    // Resets.
    server(
      ["a request that is cancelled, with the code", "rfc9113#6.4", "Reset"],
      [asked(1), got(rst(1, 8), { events: [{ reset: 1, code: "CANCEL", by: "peer" }] }), does({ do: "respond", stream: 1, status: 200, fields: [], end: true })],
    ),
    server(
      ["content for a stream that was cancelled is not sent", "rfc9113#5.1", "Reset"],
      [
        asked(1),
        responds(1, 200, [[], false]),
        got(rst(1, 5), { events: [{ reset: 1, code: "STREAM_CLOSED", by: "peer" }] }),
        does({ do: "interim", stream: 1, status: 103, fields: [] }),
        does({ do: "data", stream: 1, octets: 3, end: true }),
        does({ do: "trailers", stream: 1, fields: [] }),
        does({ do: "reset", stream: 1, code: "CANCEL" }),
        does({ do: "push", stream: 1, fields: PUSHED }),
      ],
    ),
    server(
      ["an unknown code of a reset is an internal error", "rfc9113#7", "Reset"],
      [asked(1), got(rst(1, 0xf00d), { events: [{ reset: 1, code: "INTERNAL_ERROR", by: "peer" }] })],
    ),
    server(
      ["a request that becomes malformed after its response has begun", "rfc9113#8.1.1", "Reset"],
      [asked(1, request("POST", ["content-length", "2"]), false), responds(1, 200, [[], false]), got(data(1, 1), refused(1, "PROTOCOL_ERROR")), asked(3)],
    ),
    server(
      ["a stream beyond the limit is refused, and those before it live on", "rfc9113#5.1.2", "Streams"],
      [asked(1), got(headers(3, GET), refused(3, "REFUSED_STREAM")), responds(1, 200, [[], true], { events: [{ done: 1 }] }), asked(5)],
      { MAX_CONCURRENT_STREAMS: 1 },
    ),
    client(
      ["a request that is refused", "rfc9113#8.7", "Reset"],
      [asks(1), got(rst(1, 7), { events: [{ reset: 1, code: "REFUSED_STREAM", by: "peer" }] })],
    ),
    client(
      ["a request that the client gives up", "rfc9113#5.4.2", "Reset"],
      [asks(1), does({ do: "reset", stream: 1, code: "CANCEL" }, { sends: [{ RST_STREAM: 1, code: "CANCEL" }] }), got(headers(1, status(200)))],
    ),
    client(
      ["a complete response, and a reset without an error: the rest of the request is not needed", "rfc9113#8.1", "Reset"],
      [
        asks(1, request("POST"), false),
        answered(1, 200, [[], true]),
        got(rst(1, 0), { events: [{ done: 1 }] }),
        does({ do: "data", stream: 1, octets: 3, end: true }),
      ],
    ),

];
