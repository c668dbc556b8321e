import { addresses, type BalancingSource, type BalancingStep, call, calls, connected, ejected, failed, life, lost, time } from "./balancing-steps.ts";

/** Lives of `pick_first`. Append to lists only: the position of a vector is its id. */

const POLICY = { pick_first: {} };
const HAPPY = "rpc-happy-eyeballs#happy-eyeballs-in-the-pick-first-lb-policy";
const PASS = { flag: "Pass", spec: HAPPY, policy: POLICY };
const AFTER = { flag: "After", spec: HAPPY, policy: POLICY };
const LISTS = { flag: "Lists", spec: HAPPY, policy: POLICY };
const ORDER = { flag: "Order", spec: "rpc-happy-eyeballs#address-list-handling-in-pick-first", policy: POLICY };
const SHUFFLE = { flag: "Shuffle", spec: "rpc-pick-first#enable-random-shuffling-of-address-list", policy: { pick_first: { shuffleAddressList: true } } };
const BACKOFF = { flag: "Backoff", spec: HAPPY, policy: POLICY };
const ALONE = { flag: "Strangers", spec: HAPPY, policy: POLICY };

/** A policy with addresses whose first one is being tried, alone or before others. */
const woken = (keys: string): BalancingStep[] => [
  addresses(0, keys),
  call(0, "wait", { connects: keys.slice(0, 1), state: "CONNECTING", ...(keys.length > 1 && { next: 250 }) }),
];
/** One address, all of whose attempts fail at once. The waits from begin to begin are these. */
const failing = (...waits: readonly number[]): BalancingStep[] => {
  let at = 0;
  const steps: BalancingStep[] = [...woken("a")];
  for (const [index, wait] of waits.entries()) {
    const next = Math.round((at + wait) * 1_000) / 1_000;
    steps.push(failed(at, "a", { resolves: true, ...(index === 0 && { state: "TRANSIENT_FAILURE" as const }), next }));
    at = Math.ceil(next);
    steps.push(time(at, { connects: "a" }));
    // The next wait counts from here.
  }
  return steps;
};
/** The attempts of one pass, each of which fails at once. */
const pass = (keys: string, order: string): BalancingStep[] => [
  addresses(0, keys),
  call(0, "wait", { connects: order.slice(0, 1), state: "CONNECTING", next: 250 }),
  ...Array.from(order.slice(0, -1), (key, index) => failed(0, key, { connects: order[index + 1]!, ...(index + 2 < order.length && { next: 250 }) })),
];
const shuffled = (draws: readonly number[], order: string): ReturnType<typeof life> =>
  life(`an order of three addresses: ${order}`, { ...SHUFFLE, random: { draws, otherwise: 0.5 } }, ...pass("abc", order));

export const source: BalancingSource = {
  about: "lives of pick_first: which addresses are tried and when, and where calls go",
  spec: HAPPY,
  flags: {
    Pass: { why: "attempts that overlap", bug: "WRONG_STATE" },
    After: { why: "when all addresses have failed", bug: "WRONG_STATE" },
    Lists: { why: "another list of addresses", bug: "WRONG_STATE" },
    Order: { why: "families of addresses take turns", bug: "WRONG_RESULT" },
    Shuffle: { why: "a random order", bug: "WRONG_RESULT" },
    Backoff: { why: "the times between attempts, and their randomness", bug: "WRONG_RESULT" },
    Strangers: { why: "what happens to addresses that do not count", bug: "WRONG_STATE" },
  },
  vectors: [
    // One pass.
    life("nothing is connected before the first call", PASS, addresses(0, "abc"), time(1_000)),
    life("the first address is tried, then each next one after a quarter of a second", PASS, ...woken("abc"), time(249, { next: 250 }), time(250, { connects: "b", next: 500 }), time(499, { next: 500 }), time(500, { connects: "c" }), time(9_000)),
    life("one address has no timer", PASS, ...woken("a"), time(9_000)),
    life("a failure tries the next address at once, and the quarter of a second begins anew", PASS, ...woken("abc"), failed(100, "a", { connects: "b", next: 350 }), time(349, { next: 350 }), time(350, { connects: "c" })),
    life("a failure of an earlier attempt tries the next address, too", PASS, ...woken("abc"), time(250, { connects: "b", next: 500 }), failed(300, "a", { connects: "c" })),
    life("the first connection is taken, and the other attempts end", PASS, ...woken("abc"), time(250, { connects: "b", next: 500 }), connected(300, "b", { drops: "a", state: "READY" }), calls(300, "bbb"), time(9_000)),
    life("the first address may still win when others are tried", PASS, ...woken("abc"), time(250, { connects: "b", next: 500 }), time(500, { connects: "c" }), connected(600, "a", { drops: "bc", state: "READY" }), calls(600, "a")),
    life("calls wait while an attempt is in flight", PASS, ...woken("ab"), failed(10, "a", { connects: "b" }), call(20, "wait")),
    life("one connection for all calls", PASS, ...woken("ab"), connected(10, "a", { state: "READY" }), calls(10, "aaaa")),
    life("a lost connection: the next call begins with the first address", PASS, ...woken("ab"), failed(10, "a", { connects: "b" }), connected(20, "b", { state: "READY" }), lost(2_000, "b", { resolves: true, state: "IDLE" }), time(3_000), call(4_000, "wait", { connects: "a", state: "CONNECTING", next: 4_250 })),
    life("a lost connection: an address whose time has not come is passed over", PASS, ...woken("ab"), failed(10, "a", { connects: "b" }), connected(20, "b", { state: "READY" }), lost(30, "b", { resolves: true, state: "IDLE" }), call(40, "wait", { connects: "b", state: "CONNECTING" })),
    life("a lost connection to the only address", PASS, ...woken("a"), connected(10, "a", { state: "READY" }), lost(20, "a", { resolves: true, state: "IDLE" }), call(30, "wait", { connects: "a", state: "CONNECTING" })),

    // After a pass.
    life("all addresses have failed: calls fail, and the name is looked up", AFTER, ...woken("ab"), failed(10, "a", { connects: "b" }), failed(20, "b", { resolves: true, state: "TRANSIENT_FAILURE", next: 1_000 }), call(30, "fail", { next: 1_000 })),
    life("an attempt in flight: not all have failed", AFTER, ...woken("ab"), time(250, { connects: "b" }), failed(260, "b"), call(270, "wait"), failed(280, "a", { resolves: true, state: "TRANSIENT_FAILURE", next: 1_000 })),
    life("an attempt in flight when the pass is over may succeed", AFTER, ...woken("ab"), time(250, { connects: "b" }), failed(260, "b"), connected(5_000, "a", { state: "READY" }), calls(5_000, "a")),
    life("each address is tried again in its own time", AFTER, ...woken("ab"), failed(10, "a", { connects: "b" }), failed(20, "b", { resolves: true, state: "TRANSIENT_FAILURE", next: 1_000 }), time(999, { next: 1_000 }), time(1_000, { connects: "a", next: 1_010 }), time(1_010, { connects: "b" }), call(1_020, "fail")),
    life("addresses whose time has come together are tried together", AFTER, ...woken("ab"), failed(10, "a", { connects: "b" }), failed(20, "b", { resolves: true, state: "TRANSIENT_FAILURE", next: 1_000 }), time(1_500, { connects: "ab" })),
    life("the name is looked up again when all have failed again", AFTER, ...woken("ab"), failed(10, "a", { connects: "b" }), failed(20, "b", { resolves: true, state: "TRANSIENT_FAILURE", next: 1_000 }), time(1_500, { connects: "ab" }), failed(1_600, "a", { next: 3_100 }), failed(1_700, "b", { resolves: true, next: 3_100 })),
    life("the state stays until a connection stands", AFTER, ...woken("a"), failed(10, "a", { resolves: true, state: "TRANSIENT_FAILURE", next: 1_000 }), time(1_000, { connects: "a" }), call(1_001, "fail"), connected(1_010, "a", { state: "READY" }), calls(1_020, "a")),
    life("a connection after all have failed ends the other attempts", AFTER, ...woken("ab"), failed(10, "a", { connects: "b" }), failed(20, "b", { resolves: true, state: "TRANSIENT_FAILURE", next: 1_000 }), time(1_500, { connects: "ab" }), connected(1_600, "b", { drops: "a", state: "READY" }), time(9_000)),
    life("after a connection, one failure is not that of all", AFTER, ...woken("ab"), failed(10, "a", { connects: "b" }), connected(20, "b", { state: "READY" }), lost(2_000, "b", { resolves: true, state: "IDLE" }), call(2_000, "wait", { connects: "a", state: "CONNECTING", next: 2_250 }), failed(2_010, "a", { connects: "b" }), call(2_020, "wait"), failed(2_030, "b", { resolves: true, state: "TRANSIENT_FAILURE", next: 3_010 })),

    // Back-off.
    life("the times between attempts grow by 1.6 up to two minutes", BACKOFF, ...failing(1_000, 1_600, 2_560, 4_096, 6_553.6, 10_485.76, 16_777.216, 26_843.546, 42_949.673, 68_719.477, 109_951.163, 120_000, 120_000)),
    life("the least of the random part", { ...BACKOFF, random: { otherwise: 0 } }, ...failing(800, 1_280)),
    life("the most of the random part", { ...BACKOFF, random: { otherwise: 1 } }, ...failing(1_200, 1_920)),
    life("an attempt that lasts longer than its wait", BACKOFF, ...woken("a"), failed(1_500, "a", { resolves: true, state: "TRANSIENT_FAILURE", next: 1_500 }), time(1_500, { connects: "a" })),
    life("the wait counts from the begin of an attempt", BACKOFF, ...woken("a"), failed(900, "a", { resolves: true, state: "TRANSIENT_FAILURE", next: 1_000 })),
    life("a connection begins the waits anew", BACKOFF, ...woken("a"), failed(0, "a", { resolves: true, state: "TRANSIENT_FAILURE", next: 1_000 }), time(1_000, { connects: "a" }), connected(1_010, "a", { state: "READY" }), lost(5_000, "a", { resolves: true, state: "IDLE" }), call(5_000, "wait", { connects: "a", state: "CONNECTING" }), failed(5_000, "a", { resolves: true, state: "TRANSIENT_FAILURE", next: 6_000 })),

    // Lists of addresses.
    life("no address", LISTS, addresses(0, "", { resolves: true, state: "TRANSIENT_FAILURE" }), call(0, "fail")),
    life("addresses after none are tried at once, and calls fail until a connection stands", LISTS, addresses(0, "", { resolves: true, state: "TRANSIENT_FAILURE" }), addresses(10, "ab", { connects: "a", next: 260 }), call(20, "fail", { next: 260 }), connected(30, "a", { state: "READY" })),
    life("a list that has the address of the connection changes nothing", LISTS, ...woken("ab"), connected(10, "a", { state: "READY" }), addresses(20, "cba"), calls(30, "a"), time(9_000)),
    life("a list without the address of the connection ends it", LISTS, ...woken("ab"), connected(10, "a", { state: "READY" }), addresses(20, "bc", { drops: "a", state: "IDLE" }), time(30), call(40, "wait", { connects: "b", state: "CONNECTING", next: 290 })),
    life("no address any more", LISTS, ...woken("ab"), connected(10, "a", { state: "READY" }), addresses(20, "", { drops: "a", resolves: true, state: "TRANSIENT_FAILURE" }), call(30, "fail")),
    life("the list after a lost connection is not tried before a call", LISTS, ...woken("a"), connected(10, "a", { state: "READY" }), lost(20, "a", { resolves: true, state: "IDLE" }), addresses(30, "bc"), time(40), call(50, "wait", { connects: "b", state: "CONNECTING", next: 300 })),
    life("a list during a pass begins another one; attempts to its addresses go on", LISTS, ...woken("ab"), time(100, { next: 250 }), addresses(100, "ac", { next: 350 }), time(349, { next: 350 }), time(350, { connects: "c" })),
    life("a list during a pass ends attempts to other addresses", LISTS, ...woken("ab"), addresses(100, "bc", { drops: "a", connects: "b", next: 350 })),
    life("an address that has failed is passed over by the next pass until its time", LISTS, ...woken("abc"), failed(10, "a", { connects: "b", next: 260 }), addresses(20, "abd", { next: 270 }), time(270, { connects: "d" })),
    life("an address that has failed is tried by a pass when its time has come", LISTS, ...woken("a"), failed(10, "a", { resolves: true, state: "TRANSIENT_FAILURE", next: 1_000 }), addresses(1_000, "ab", { connects: "a", next: 1_250 })),
    life("a list while none answers is tried at once", LISTS, ...woken("a"), failed(10, "a", { resolves: true, state: "TRANSIENT_FAILURE", next: 1_000 }), addresses(20, "b", { connects: "b" }), failed(30, "b", { resolves: true, next: 1_020 })),
    life("the same list while all wait is a pass that has failed", LISTS, ...woken("a"), failed(10, "a", { resolves: true, state: "TRANSIENT_FAILURE", next: 1_000 }), addresses(20, "a", { resolves: true, next: 1_000 })),
    life("an address that comes back has no history", LISTS, ...woken("ab"), failed(10, "a", { connects: "b" }), addresses(20, "b"), addresses(30, "ba", { next: 280 }), time(280, { connects: "a" })),

    // Families.
    life("families take turns, that of the first address first", ORDER, ...pass("123ab", "1a2b3")),
    life("the other family is longer", ORDER, ...pass("1abc", "1abc")),
    life("turns of a family that is listed first", ORDER, ...pass("ab1234", "a1b234")),
    life("families that take turns already", ORDER, ...pass("a1b2", "a1b2")),
    life("one family", ORDER, ...pass("abc", "abc")),
    life("addresses of no family take turns, too", ORDER, ...pass("aAbB1", "aA1bB")),

    // A random order.
    shuffled([0.3, 0.4], "bca"),
    shuffled([0.3, 0.5], "cba"),
    shuffled([0.6, 0.4], "cab"),
    shuffled([0.6, 0.5], "acb"),
    shuffled([0.7, 0.4], "bac"),
    shuffled([0.7, 0.5], "abc"),
    life("draws of 1", { ...SHUFFLE, random: { otherwise: 1 } }, ...pass("abcd", "abcd")),
    life("families take turns after the list is shuffled", { ...SHUFFLE, random: { draws: [0, 0], otherwise: 0.5 } }, ...pass("12a", "2a1")),
    life("without the option the order stays", { ...SHUFFLE, policy: { pick_first: { shuffleAddressList: false } }, random: { draws: [0, 0], otherwise: 0.5 } }, ...pass("abc", "abc")),

    // What does not count.
    life("a connection to an address that is not in the list", ALONE, ...woken("ab"), connected(10, "z", { next: 250 }), call(20, "wait", { next: 250 })),
    life("a failure of an address that is not in the list", ALONE, ...woken("ab"), failed(10, "z", { next: 250 }), time(250, { connects: "b" })),
    life("a failure of an attempt that was not made", ALONE, ...woken("ab"), failed(10, "b", { next: 250 }), time(250, { connects: "b" })),
    life("a failure beside a connection", ALONE, ...woken("ab"), time(250, { connects: "b" }), connected(260, "a", { drops: "b", state: "READY" }), failed(270, "b"), calls(280, "a")),
    life("a second connection is not kept", ALONE, ...woken("ab"), time(250, { connects: "b" }), connected(260, "a", { drops: "b", state: "READY" }), connected(270, "b"), calls(280, "a")),
    life("the loss of a connection that is not the one", ALONE, ...woken("ab"), connected(10, "a", { state: "READY" }), lost(20, "b"), lost(30, "z"), calls(40, "a")),
    life("an ejected address keeps its calls", { ...ALONE, spec: "rpc-happy-eyeballs#generic-health-reporting-mechanism" }, ...woken("ab"), connected(10, "a", { state: "READY" }), ejected(20, "a"), calls(30, "a")),
    life("the waits of other addresses end with a connection", AFTER, ...woken("ab"), failed(10, "a", { connects: "b" }), failed(20, "b", { resolves: true, state: "TRANSIENT_FAILURE", next: 1_000 }), time(1_000, { connects: "a", next: 1_010 }), connected(1_005, "a", { state: "READY" }), time(2_000), lost(2_010, "a", { resolves: true, state: "IDLE" }), time(3_000), call(3_000, "wait", { connects: "a", state: "CONNECTING", next: 3_250 })),
    life("a call before the addresses are known", PASS, call(0, "wait"), addresses(10, "ab"), call(20, "wait", { connects: "a", state: "CONNECTING", next: 270 })),
    life("a failure before a new list is none of its pass", LISTS, ...woken("ab"), failed(10, "a", { connects: "b" }), addresses(1_000, "ab", { connects: "a", next: 1_250 }), failed(1_005, "b"), call(1_006, "wait"), connected(1_007, "a", { state: "READY" })),
    life("the loss of a connection that nobody knows", ALONE, ...woken("ab"), lost(10, "z", { next: 250 }), time(250, { connects: "b" })),
  ],
};
