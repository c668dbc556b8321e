import { describe, expect, test } from "vitest";
import { instant, NEVER } from "../../core/index.ts";
import type { Ack } from "../frame/index.ts";
import type { Carried } from "./sent.ts";
import { Recovery, type Outcome, type Situation, type SpaceName } from "./recovery.ts";

const SITUATION: Situation = { isPeerValidated: true, hasHandshakeKeys: true, isConfirmed: true, isStuck: false, peerDelayMs: 25 };
const at = instant;

function rig(initial: Partial<Situation> = {}, space: SpaceName = "application") {
  const situation = { ...SITUATION, ...initial };
  const recovery = new Recovery();
  let next = 0;
  const send = (now: number, elicits = true, number = next): number => {
    next = number;
    recovery.sent(space, { number: next, at: at(now), octets: 1200, elicits, isInFlight: elicits, carried: [{ is: "PING" }] });
    return next++;
  };
  const ack = (now: number, ...ranges: readonly (readonly [number, number])[]): string => {
    const frame: Ack = { is: "ACK", delay: 0, ranges: ranges.map(([smallest, largest]) => ({ smallest, largest })) };
    const got = recovery.acknowledge(space, frame, 0, { now: at(now), situation });
    return "is" in got ? got.name : say(got);
  };
  const say = ({ acknowledged, lost }: Outcome): string =>
    `acknowledged ${acknowledged.map(({ number }) => number)} lost ${lost.map(({ number }) => number)}`;
  return {
    recovery,
    send,
    ack,
    situation,
    deadline: () => recovery.deadline(situation),
    timeout: (now: number) => recovery.timeout(at(now), situation),
  };
}

describe("loss detection", () => {
  test("three later packets acknowledged mean lost", () => {
    const { recovery, send, ack } = rig();
    for (let count = 0; count < 5; count++) send(0);
    expect([ack(50, [1, 2]), recovery.inFlight]).toEqual(["acknowledged 1,2 lost ", 3_600]);
    expect([ack(50, [3, 3]), recovery.inFlight]).toEqual(["acknowledged 3 lost 0", 1_200]);
    expect(recovery.congestion.window).toBe(7_200);
    expect(ack(60, [0, 3])).toBe("acknowledged  lost ");
  });

  test("packets of the path before say nothing of the new one (rfc9000#9.4)", () => {
    const { recovery, send, ack } = rig();
    for (let count = 0; count < 8; count++) send(0);
    ack(50, [0, 0]);
    recovery.forgetPath();
    expect([ack(900, [4, 4]), recovery.congestion.window, recovery.rtt.hasSample]).toEqual(["acknowledged 4 lost 1,2,3", 12_000, false]);
    send(900);
    expect([ack(910, [8, 8]), recovery.rtt.smoothed]).toEqual(["acknowledged 8 lost 5,6,7", 10]);
  });
  test("what is in flight on the path before takes no room on the new one, and its probe timeout begins anew (rfc9002#A.3)", () => {
    const { recovery, send, ack, deadline, timeout } = rig();
    for (let count = 0; count < 10; count++) send(0);
    timeout(deadline());
    timeout(deadline());
    expect([recovery.room, recovery.probes, deadline()]).toEqual([0, 2, 4_096]);
    recovery.forgetPath();
    expect([recovery.room, recovery.inFlight, recovery.probes, deadline()]).toEqual([12_000, 0, 0, 1_024]);
    // At the same instant as the last packets of the other path.
    send(0);
    expect([ack(10, [4, 4]), recovery.inFlight, recovery.rtt.hasSample]).toEqual(["acknowledged 4 lost 0,1", 1_200, false]);
    expect([recovery.withdraw("application").length, recovery.inFlight]).toEqual([8, 0]);
  });
  test("a packet that only probes the size of datagrams says nothing of congestion when it is lost", () => {
    const windowAfter = (carried: Carried): number => {
      const { recovery, send, ack } = rig();
      recovery.sent("application", { number: 0, at: at(0), octets: 1_472, elicits: true, isInFlight: true, carried: [carried] });
      for (let count = 0; count < 4; count++) send(0, true, count + 1);
      expect([ack(50, [1, 4]), recovery.inFlight]).toEqual(["acknowledged 1,2,3,4 lost 0", 0]);
      return recovery.congestion.window;
    };
    expect([windowAfter({ is: "size", octets: 1_472 }), windowAfter({ is: "PING" })]).toEqual([16_800, 6_000]);
  });
  test("nine eighths of a round trip after a later packet was acknowledged mean lost", () => {
    const { send, ack, deadline, timeout } = rig();
    send(0);
    send(5);
    expect([ack(90, [1, 1]), deadline()]).toEqual(["acknowledged 1 lost ", 95.625]);
    expect(timeout(95)).toEqual({ lost: [] });
    expect(timeout(95.625)).toMatchObject({ lost: [["application", { number: 0 }]] });
    expect([deadline(), timeout(500)]).toEqual([NEVER, { lost: [] }]);
  });

  test("a packet that was not sent, or left out, cannot be acknowledged", () => {
    const { recovery, send, ack } = rig();
    send(0);
    expect([ack(10, [0, 1]), ack(10, [5, 5])]).toEqual(["ackOfUnsentPacket", "ackOfUnsentPacket"]);
    recovery.sentIn("application").skip();
    recovery.sent("application", { number: 2, at: at(0), octets: 100, elicits: true, isInFlight: true, carried: [] });
    expect([ack(10, [0, 2]), ack(10, [2, 2], [0, 0])]).toEqual(["ackOfUnsentPacket", "acknowledged 0,2 lost "]);
  });

  test("a range of any length costs no more than the packets in flight", () => {
    const { recovery, ack } = rig();
    recovery.sent("application", { number: 1e15, at: at(0), octets: 100, elicits: true, isInFlight: true, carried: [] });
    expect(ack(10, [0, 1e15])).toBe("acknowledged 1000000000000000 lost ");
  });

  test("everything lost for three probe timeouts is persistent congestion", () => {
    const { recovery, send, ack } = rig();
    send(0);
    ack(100, [0, 0]);
    for (let now = 200; now <= 1_400; now += 200) send(now);
    send(1_500);
    expect(ack(1_600, [8, 8])).toBe("acknowledged 8 lost 1,2,3,4,5,6,7");
    expect([recovery.congestion.window, recovery.rtt.min]).toEqual([3_600, 100]);
  });
});

describe("probe timeout", () => {
  test("it doubles until something is acknowledged", () => {
    const { recovery, send, ack, deadline, timeout } = rig();
    expect(deadline()).toBe(NEVER);
    send(0);
    expect(deadline()).toBe(999 + 25);
    expect(timeout(1023)).toEqual({ lost: [] });
    expect(timeout(1024)).toEqual({ lost: [], probe: "application" });
    expect([deadline(), recovery.probes]).toEqual([2048, 1]);
    send(1024);
    expect(deadline()).toBe(1024 + 2048);
    ack(1100, [1, 1]);
    expect(recovery.probes).toBe(0);
  });

  test("data has none before the handshake is confirmed, the handshake has no delay", () => {
    const early = rig({ isConfirmed: false });
    early.send(0);
    expect(early.deadline()).toBe(NEVER);
    const initial = rig({ isConfirmed: false }, "initial");
    initial.send(0);
    expect(initial.deadline()).toBe(999);
  });

  test("a client whose address is not validated probes with nothing in flight, a stuck server does not", () => {
    const client = rig({ isPeerValidated: false, hasHandshakeKeys: false, isConfirmed: false }, "initial");
    expect(client.deadline()).toBe(NEVER);
    client.send(0);
    client.ack(100, [0, 0]);
    expect(client.deadline()).toBe(300);
    expect(client.timeout(300).probe).toBe("initial");
    client.recovery.discard("initial");
    expect(client.deadline()).toBe(300);
    const server = rig({ isStuck: true }, "initial");
    server.send(0);
    expect(server.deadline()).toBe(NEVER);
  });

  test("a discarded space has no timers and nothing in flight", () => {
    const { recovery, send, ack, deadline } = rig({}, "handshake");
    send(0);
    recovery.discard("handshake");
    expect([recovery.inFlight, deadline(), ack(5, [0, 0]), recovery.room]).toEqual([0, NEVER, "acknowledged  lost ", 12_000]);
  });

  test("what is withdrawn is in flight no more, and numbers go on", () => {
    const { recovery, send } = rig();
    send(0);
    send(0);
    expect(recovery.withdraw("application").map(({ number }) => number)).toEqual([0, 1]);
    expect([recovery.inFlight, recovery.sentIn("application").next, recovery.probeMs("application", 25)]).toEqual([0, 2, 1024]);
  });
});
