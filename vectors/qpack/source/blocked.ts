import type { VectorField } from "../../load.ts";
import { cancel, capacity, fixed, indexed, insert, instructions, invalid, prefix, type QpackSource, section, valid } from "./craft.ts";

const A: VectorField = ["a", "1"];
const B: VectorField = ["b", "2"];
const GET: VectorField = [":method", "GET"];
const FIRST = instructions(capacity(220), insert("a", "1"));
const SECOND = instructions(insert("b", "2"));
const NEEDS_ONE = (stream: number) => section(stream, prefix(2), indexed(0));
const NEEDS_TWO = (stream: number) => section(stream, prefix(3), indexed(0));

export const source: QpackSource = {
  about: "Sections that wait for insertions, and what the decoder stream says",
  spec: "rfc9204#2.2.1",
  flags: {
    Blocked: { why: "a section arrives before its insertions", bug: "WRONG_ORDER" },
    Answer: { why: "what the decoder says", bug: "WRONG_ANSWER" },
    Limit: { why: "the number of blocked streams", bug: "MISSING_CHECK" },
  },
  vectors: [
    valid({ note: "a section before its insertion", rules: ["rfc9204#2.2.1/blocked-until-inserted"], flag: "Blocked", steps: [NEEDS_ONE(4), FIRST], gives: [[4, A]], said: [["acknowledgment", 4]], required: [1], inserted: 1 }),
    valid({ note: "a section that waits for the second of two insertions", rules: ["rfc9204#2.2.1/blocked-until-inserted"], flag: "Blocked", steps: [NEEDS_TWO(4), FIRST, SECOND], gives: [[4, B]], said: [["acknowledgment", 4]], required: [2], inserted: 2 }),
    valid({ note: "an insertion that comes octet by octet", rules: ["rfc9204#2.2.1/blocked-until-inserted", "rfc9204#4.2/cuts"], flag: "Blocked", steps: [NEEDS_ONE(4), ...`${capacity(220)}${insert("a", "1")}`.match(/../g)!.map((one) => instructions(one))], gives: [[4, A]], said: [["acknowledgment", 4]], required: [1], inserted: 1 }),
    valid({ note: "others pass a section that waits", rules: ["rfc9204#2.2.1/blocked-until-inserted"], flag: "Blocked", steps: [FIRST, NEEDS_TWO(4), NEEDS_ONE(8), section(12, prefix(0), fixed(17)), SECOND], gives: [[8, A], [12, GET], [4, B]], said: [["acknowledgment", 8], ["acknowledgment", 4]], required: [1, 2], inserted: 2 }),
    valid({ note: "one insertion at a time frees one section", rules: ["rfc9204#2.2.1/blocked-until-inserted"], flag: "Blocked", steps: [NEEDS_TWO(4), NEEDS_ONE(8), FIRST, SECOND], gives: [[8, A], [4, B]], said: [["acknowledgment", 8], ["acknowledgment", 4]], required: [1, 2], inserted: 2 }),
    valid({ note: "the insert count of a section that waits is that of its arrival", rules: ["rfc9204#4.5.1.1/encoding"], flag: "Blocked", capacity: 40, steps: [NEEDS_ONE(4), instructions(capacity(40), insert("a", "1"))], gives: [[4, A]], said: [["acknowledgment", 4]], required: [1], inserted: 1 }),

    valid({ note: "sections without references are not acknowledged", rules: ["rfc9204#2.2.2.1/acknowledges"], flag: "Answer", steps: [FIRST, section(0, prefix(0), fixed(17)), NEEDS_ONE(4)], gives: [[0, GET], [4, A]], said: [["acknowledgment", 4]], required: [1], inserted: 1 }),
    valid({ note: "each section of a stream is acknowledged", rules: ["rfc9204#2.2.2.1/acknowledges"], flag: "Answer", steps: [FIRST, SECOND, NEEDS_ONE(4), NEEDS_TWO(4), NEEDS_ONE(4)], gives: [[4, A], [4, B], [4, A]], said: [["acknowledgment", 4], ["acknowledgment", 4], ["acknowledgment", 4]], required: [1, 2, 1], inserted: 2 }),
    valid({ note: "a stream with a large identifier", rules: ["rfc9204#2.2.2.1/acknowledges", "rfc9204#4.1.1/integers"], flag: "Answer", steps: [FIRST, NEEDS_ONE(2 ** 40)], gives: [[2 ** 40, A]], said: [["acknowledgment", 2 ** 40]], required: [1], inserted: 1 }),
    valid({ note: "a stream that is given up while it waits", rules: ["rfc9204#2.2.2.2/cancels"], flag: "Answer", steps: [NEEDS_ONE(4), cancel(4), FIRST], gives: [], said: [["cancellation", 4]], inserted: 1 }),
    valid({ note: "a stream that is given up without a section", rules: ["rfc9204#2.2.2.2/cancels"], flag: "Answer", steps: [FIRST, cancel(8), NEEDS_ONE(4)], gives: [[4, A]], said: [["cancellation", 8], ["acknowledgment", 4]], required: [1], inserted: 1 }),
    valid({ note: "a stream that is given up where no table is permitted", rules: ["rfc9204#2.2.2.2/cancels"], flag: "Answer", capacity: 0, steps: [cancel(4)], gives: [], said: [["cancellation", 4]] }),

    valid({ note: "as many blocked streams as announced", rules: ["rfc9204#2.2.1/blocked-until-inserted"], flag: "Limit", blocked: 2, steps: [NEEDS_ONE(4), NEEDS_ONE(8), FIRST], gives: [[4, A], [8, A]], said: [["acknowledgment", 4], ["acknowledgment", 8]], required: [1, 1], inserted: 1 }),
    valid({ note: "a stream that is given up leaves its place", rules: ["rfc9204#2.2.1/blocked-until-inserted"], flag: "Limit", blocked: 1, steps: [NEEDS_ONE(4), cancel(4), NEEDS_ONE(8), FIRST], gives: [[8, A]], said: [["cancellation", 4], ["acknowledgment", 8]], required: [1], inserted: 1 }),
    valid({ note: "a stream that waits no longer leaves its place", rules: ["rfc9204#2.2.1/blocked-until-inserted"], flag: "Limit", blocked: 1, steps: [NEEDS_ONE(4), FIRST, NEEDS_TWO(8), SECOND], gives: [[4, A], [8, B]], said: [["acknowledgment", 4], ["acknowledgment", 8]], required: [1, 2], inserted: 2 }),
    invalid({ note: "one more blocked stream than announced", rules: ["rfc9204#2.1.2/too-many-blocked"], flag: "Limit", blocked: 2, steps: [NEEDS_ONE(4), NEEDS_ONE(8), NEEDS_ONE(12)], fault: "tooManyBlocked" }),
    invalid({ note: "a blocked stream where none is permitted", rules: ["rfc9204#2.1.2/too-many-blocked"], flag: "Limit", blocked: 0, steps: [NEEDS_ONE(4)], fault: "tooManyBlocked" }),
    invalid({ note: "a section that an insertion frees, and whose references are wrong", rules: ["rfc9204#2.2.3/reference-invalid"], flag: "Blocked", steps: [section(4, prefix(2), indexed(1)), FIRST], fault: "referenceEvicted", code: 0x200 }),
  ],
};
