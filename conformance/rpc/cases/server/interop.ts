import type { Sight, Step } from "../../vocabulary.ts";
import { all, answer, call, end, fails, lastly, type Row, say } from "./phrases.ts";

/** The service of existing interoperability tests, `grpc.testing.TestService`: only in the dialect that it speaks. */

const path = (method: string): string => `/grpc.testing.TestService/${method}`;
const to = (method: string): Step => call(1, { path: path(method) });
const until = (see: Sight): Step => ({ do: "await", see });
const ofInterop = (
  [id, title, covers]: readonly [id: string, title: string, covers: Row["covers"]],
  steps: readonly Step[],
  allowed: Row["allowed"],
  control?: readonly Step[],
): Row => ({
  id: `interop-${id}`,
  title,
  covers,
  needs: ["interop"],
  steps,
  allowed,
  ...(control === undefined ? {} : { control }),
});

/** Varints in hex. */
const varint = (value: number): string =>
  (value < 128 ? value : (value % 128) | 128).toString(16).padStart(2, "0") + (value < 128 ? "" : varint(Math.floor(value / 128)));
const field = (number: number, hex: string): string => `${varint((number << 3) | 2)}${varint(hex.length / 2)}${hex}`;
const value = (number: number, of: number): string => `${varint(number << 3)}${varint(of)}`;
/** A Payload of so many octets of zero, as a field. */
const payload = (number: number, size: number): string => field(number, field(2, "00".repeat(size)));
const simple = (responseSize: number, size: number): string => `${value(2, responseSize)}${payload(3, size)}`;
const outputs = (...sizes: readonly number[]): string => sizes.map((size) => field(2, value(1, size))).join("");
const status = (code: number, message: string): string => field(7, `${value(1, code)}${field(2, Buffer.from(message).toString("hex"))}`);
/** The octets of the Payload that a response has in its first field. */
const sized = (size: number): number => 1 + varint(size).length / 2 + size;

const SPECIAL = "\t\ntest with whitespace\r\nand Unicode BMP ☺ and non-BMP 😈\t\n";
const OUTLINE = "rpc-http2#outline/response";
const LARGE = [271_828, 314_159] as const;

export const rows: readonly Row[] = [
  ofInterop(
    ["empty-call", "EmptyCall answers an empty message with one.", OUTLINE],
    [to("EmptyCall"), lastly(1, [{ hex: "" }])],
    answer({ payloads: [""], octets: [""] }),
  ),
  ofInterop(
    ["large-call", "UnaryCall answers a large request with a payload of the size that it asks for.", OUTLINE],
    [to("UnaryCall"), lastly(1, [{ hex: simple(LARGE[1], LARGE[0]) }], { patient: true })],
    answer({ sizes: [sized(LARGE[1])] }),
  ),
  ofInterop(
    ["streaming-input", "StreamingInputCall adds up the sizes of its payloads.", "rpc-http2#outline/request"],
    [
      to("StreamingInputCall"),
      lastly(1, [{ hex: payload(1, 27_182) }, { hex: payload(1, 8) }, { hex: payload(1, 1_828) }, { hex: payload(1, 45_904) }], {
        patient: true,
      }),
    ],
    answer({ octets: [value(1, 74_922)], sizes: [0] }),
  ),
  ofInterop(
    ["streaming-output", "StreamingOutputCall sends payloads of the sizes that it is asked for.", OUTLINE],
    [to("StreamingOutputCall"), lastly(1, [{ hex: outputs(31_415, 9, 2_653, 58_979) }])],
    answer({ sizes: [31_415, 9, 2_653, 58_979].map(sized) }),
  ),
  ofInterop(
    ["ping-pong", "FullDuplexCall answers each request before the next one.", OUTLINE],
    [
      to("FullDuplexCall"),
      ...[31_415, 9, 2_653].flatMap((size, at): Step[] => [
        say(1, [{ hex: `${outputs(size)}${payload(3, 10)}` }]),
        until({ see: "messages", call: 1, count: at + 1 }),
      ]),
      end(1),
    ],
    answer({ sizes: [31_415, 9, 2_653].map(sized) }),
  ),
  ofInterop(
    ["empty-stream", "FullDuplexCall without requests ends with OK.", OUTLINE],
    [to("FullDuplexCall"), end(1)],
    answer({ payloads: [] }),
  ),
  ofInterop(
    ["metadata", "UnaryCall returns the metadata for headers and for trailers.", "rpc-http2#requests/binary-suffix"],
    [
      call(1, {
        path: path("UnaryCall"),
        fields: [
          ["x-grpc-test-echo-initial", "test_initial_metadata_value"],
          ["x-grpc-test-echo-trailing-bin", "q6ur"],
        ],
      }),
      lastly(1, [{ hex: simple(1, 1) }]),
    ],
    answer({
      sizes: [sized(1)],
      headers: { "x-grpc-test-echo-initial": "test_initial_metadata_value" },
      trailers: { "x-grpc-test-echo-trailing-bin": "ababab" },
    }),
  ),
  ofInterop(
    ["status", "UnaryCall ends with the status that it is asked for.", "rpc-http2#errors/trailers"],
    [to("UnaryCall"), lastly(1, [{ hex: status(2, "test status message") }])],
    answer({ status: "UNKNOWN", message: "test status message" }),
  ),
  ofInterop(
    ["status-in-stream", "FullDuplexCall ends with the status that it is asked for.", "rpc-http2#errors/trailers"],
    [to("FullDuplexCall"), lastly(1, [{ hex: status(2, "test status message") }])],
    answer({ status: "UNKNOWN", message: "test status message" }),
  ),
  ofInterop(
    ["special-message", "UnaryCall ends with a message of white space and symbols.", "rpc-http2#responses/message-encoding"],
    [to("UnaryCall"), lastly(1, [{ hex: status(2, SPECIAL) }])],
    answer({ status: "UNKNOWN", message: SPECIAL }),
  ),
  ofInterop(
    ["unimplemented-method", "UnimplementedCall fails with UNIMPLEMENTED.", "rpc-status#codes/unimplemented"],
    [to("UnimplementedCall"), lastly(1, [{ hex: "" }])],
    fails("UNIMPLEMENTED"),
    [to("EmptyCall"), lastly(1, [{ hex: "" }])],
  ),
  ofInterop(
    ["unimplemented-service", "A call of the service without methods fails with UNIMPLEMENTED.", "rpc-status#codes/unimplemented"],
    [call(1, { path: "/grpc.testing.UnimplementedService/UnimplementedCall" }), lastly(1, [{ hex: "" }])],
    fails("UNIMPLEMENTED"),
    [to("EmptyCall"), lastly(1, [{ hex: "" }])],
  ),
  ofInterop(
    [
      "timeout",
      "FullDuplexCall that waits longer than the timeout of its call is ended by the server.",
      ["rpc-http2#cancellation/server-deadline", "rpc-status#codes/deadline"],
    ],
    [
      call(1, { path: path("FullDuplexCall"), fields: [["{rpc}-timeout", "50m"]] }),
      say(1, [{ hex: field(2, `${value(1, 31_415)}${value(2, 5_000_000)}`) }]),
    ],
    [
      { see: { see: "reset", call: 1, code: "CANCEL" } },
      { see: { see: "failed", call: 1, status: "DEADLINE_EXCEEDED" }, by: "rpc-status#codes" },
    ],
    [call(1, { path: path("FullDuplexCall"), fields: [["{rpc}-timeout", "9S"]] }), lastly(1, [{ hex: outputs(9) }])],
  ),
  ofInterop(
    ["two-calls", "Two calls at a time are answered.", OUTLINE],
    [to("EmptyCall"), call(3, { path: path("UnaryCall") }), lastly(3, [{ hex: simple(5, 5) }]), lastly(1, [{ hex: "" }])],
    all(answer({ payloads: [""] }, 1), answer({ sizes: [sized(5)] }, 3)),
  ),
];
