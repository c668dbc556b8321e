import { limitFeature, LIMITS } from "../../limits.ts";
import { answered, get, given, handshake, permitted, post, send } from "../phrases.ts";
import type { Case, FieldSpec, FrameSpec } from "../../vocabulary.ts";

/** A field that counts 43 octets, and is then repeated by an octet each. */
const REPEATED: FieldSpec = ["x-large", "1234", "indexing"];
const REPETITIONS = 50;
const REPEATED_SIZE = 43;
/** Fields that count so much in a block of less than 4,096 octets. */
const sized = (frame: FrameSpec, size: number): FrameSpec => ({
  ...frame,
  fields: [...(frame.fields ?? []), REPEATED],
  sectionSize: size - REPETITIONS * REPEATED_SIZE,
  blockTail: "be".repeat(REPETITIONS),
});
const TRAILERS: FrameSpec = { type: "HEADERS", stream: 1, flags: ["END_STREAM", "END_HEADERS"], fields: [] };
/** The request, or its trailers, are refused; the connection goes on. */
const tooLarge: Case["allowed"] = [
  { see: { see: "response", stream: 1, status: [431] } },
  permitted({ see: "response", stream: 1, status: ["4xx"] }, "rfc9113#10.5.1", "warn"),
  permitted({ see: "RST_STREAM", stream: 1, code: "any error" }, "rfc9113#10.5.1", "warn"),
  permitted({ see: "GOAWAY", code: "any error" }, "rfc9113#10.5.1", "warn"),
];
/** RFC 9113, section 10.5.1: field sections as large as a server accepts that was given a limit (`limits.ts`), and one octet larger. */
export const cases: readonly Case[] = [
  given("section", {
    id: "http2/limit-section",
    spec: "rfc9113#10.5.1",
    title: `The server that accepts field sections of ${LIMITS.section} octets answers a request with as large a one.`,
    steps: [handshake, send(sized(get(1), LIMITS.section))],
    control: [handshake, send(get(1))],
    allowed: answered(1),
  }),
  given("section", {
    id: "http2/limit-section-exceeded",
    spec: "rfc9113#10.5.1",
    title: `The server that accepts field sections of ${LIMITS.section} octets answers 431 to a request with one octet more.`,
    steps: [handshake, send(sized(get(1), LIMITS.section + 1))],
    control: [handshake, send(sized(get(1), LIMITS.section))],
    allowed: tooLarge,
  }),
  given("section", {
    id: "http2/limit-section-of-trailers",
    spec: "rfc9113#10.5.1",
    title: `The server that accepts field sections of ${LIMITS.section} octets answers a request with trailers as large.`,
    needs: ["post", limitFeature("section")],
    steps: [handshake, send(post(1), sized(TRAILERS, LIMITS.section))],
    control: [handshake, send(post(1), TRAILERS)],
    allowed: answered(1),
  }),
  given("section", {
    id: "http2/limit-section-of-trailers-exceeded",
    spec: "rfc9113#10.5.1",
    title: `The server that accepts field sections of ${LIMITS.section} octets refuses a request whose trailers have one octet more.`,
    needs: ["post", limitFeature("section")],
    steps: [handshake, send(post(1), sized(TRAILERS, LIMITS.section + 1))],
    control: [handshake, send(post(1), sized(TRAILERS, LIMITS.section))],
    // The response may be under way when the trailers come: a reset is as strict an answer as 431.
    allowed: [
      { see: { see: "RST_STREAM", stream: 1, code: "any error" } },
      permitted({ see: "response", stream: 1, status: [431] }, "rfc9113#10.5.1"),
      ...tooLarge.filter(({ see, verdict }) => verdict === "warn" && see.see !== "RST_STREAM"),
    ],
  }),
];
