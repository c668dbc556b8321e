import type { Case } from "../../vocabulary.ts";
import { ARRIVE, INSTRUCTIONS, keeps, refuses, request, send, X, Y } from "../encoder.ts";

/** What an encoder does with the instructions of its decoder (rfc9204#4.4). */
export const cases: readonly Case[] = [
  refuses({
    id: "qpack/encoder-increment-zero",
    title: "An encoder treats an increment of 0 as a connection error.",
    covers: ["rfc9204#4.4.3/increment-wrong"],
    events: [send(0, X), ARRIVE, { answers: "00" }],
    legal: [send(0, X), ARRIVE, { answers: "" }],
  }),
  refuses({
    id: "qpack/encoder-increment-beyond",
    title: "An encoder treats an increment beyond the insertions that it sent as a connection error.",
    covers: ["rfc9204#4.4.3/increment-wrong"],
    events: [send(0, X), ARRIVE, { answers: "3f41" }],
    legal: [send(0, X), ARRIVE, { answers: "" }],
  }),
  refuses({
    id: "qpack/encoder-increment-huge",
    title: "An encoder treats an increment of 62 bits as a connection error.",
    covers: ["rfc9204#4.4.3/increment-wrong", "rfc9204#4.1.1/integers"],
    events: [send(0, X), ARRIVE, { answers: "3fc0ffffffffffffff3f" }],
    legal: [send(0, X), ARRIVE, { answers: "" }],
  }),
  refuses({
    id: "qpack/encoder-acknowledgment-unexpected",
    title: "An encoder treats the acknowledgment of a stream on which it sent nothing as a connection error.",
    covers: ["rfc9204#4.4.1/unexpected"],
    events: [send(0, X), ARRIVE, { answers: "84" }],
    legal: [send(0, X), ARRIVE, { answers: "44" }],
  }),
  refuses({
    id: "qpack/encoder-acknowledgment-twice",
    title: "An encoder treats a second acknowledgment of its only section on a stream as a connection error.",
    covers: ["rfc9204#4.4.1/unexpected"],
    events: [send(0, X), ARRIVE, send(4, X), ARRIVE, { answers: "84" }],
    legal: [send(0, X), ARRIVE, send(4, X), ARRIVE, { answers: "44" }],
  }),
  refuses({
    id: "qpack/encoder-acknowledgment-after-cancellation",
    title: "An encoder treats an acknowledgment after the cancellation of its stream as a connection error.",
    covers: ["rfc9204#4.4.1/unexpected", "rfc9204#4.4.2/releases"],
    events: [send(0, X), INSTRUCTIONS, { cancel: 0 }, { answers: "80" }],
    legal: [send(0, X), INSTRUCTIONS, { cancel: 0 }, { answers: "40" }],
  }),
  keeps({
    id: "qpack/encoder-cancellation-of-unknown-stream",
    title: "An encoder accepts the cancellation of a stream on which it sent nothing, and of one that is done.",
    covers: ["rfc9204#4.4.2/releases"],
    property: "round trip",
    events: [send(0, X), ARRIVE, { answers: "40" }, { answers: "7f01" }, send(4, X, Y), ARRIVE],
  }),
  keeps({
    id: "qpack/encoder-answers-in-pieces",
    title: "An encoder reads its decoder's instructions octet by octet.",
    covers: ["rfc9204#4.4.2/releases"],
    property: "round trip",
    events: [send(0, ...request("/")), ARRIVE, { answers: "7f" }, { answers: "81" }, { answers: "01" }, send(4, ...request("/")), ARRIVE],
  }),
];
