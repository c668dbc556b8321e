import { afterEach, describe, expect, test } from "vitest";
import { loopbackCertificate } from "../../conformance/harness/subject/certificate.ts";
import { startPlain } from "../../conformance/http3/embedded/server.ts";
import { Http3End, type Observed } from "../../conformance/wire/http3/end.ts";
import { listenQuic, type QuicListener } from "../../conformance/wire/quic/line.ts";
import { seeded } from "../../reference/core/index.ts";
import { sequence, type Piece } from "./grammar.ts";
import { fuzzPeer } from "./network.ts";
import { expected } from "./oracle.ts";

const listeners: QuicListener[] = [];
afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.stop();
});
/** A peer that never ends a connection by itself is not worth waiting for. */
const IMPATIENT = { limitMs: 2_000, lingerMs: 5 };

/** A peer that answers every request and checks nothing; `misdeed` gets what it sees before. */
async function peerThat(misdeed: (observed: Observed, wire: Http3End) => void): Promise<string> {
  const listener = await listenQuic({
    certificate: await loopbackCertificate(),
    accept: (line) => {
      const wire: Http3End = new Http3End(line, {
        we: "server",
        on: (observed) => {
          misdeed(observed, wire);
          if (observed.is === "end" && wire.kindOf(observed.stream) === "request" && wire.closed === undefined && !wire.endedByUs)
            wire.send(observed.stream, [{ type: "HEADERS", fields: [[":status", "200"]] }], true);
        },
      });
      return (event) => {
        if (event.is === "established") {
          const control = wire.open("unidirectional")!;
          wire.begin(control, "control");
          wire.send(control, [{ type: "SETTINGS" }]);
        }
        wire.receive(event);
      };
    },
  });
  listeners.push(listener);
  return `https://127.0.0.1:${listener.port}/`;
}

describe("the network fuzzer", () => {
  test("finds nothing wrong with our server", async () => {
    const { subject, stop } = await startPlain();
    try {
      const { findings, sequences } = await fuzzPeer(subject.url, { seed: 7, seconds: 60, sequences: 30 });
      expect([findings, sequences]).toEqual([[], 30]);
    } finally {
      await stop?.();
    }
  });

  test("reports a peer that accepts everything, with the rule and a short sequence", async () => {
    const url = await peerThat(() => {});
    const report = await fuzzPeer(url, { seed: 7, seconds: 60, sequences: 20 }, IMPATIENT);
    const broken = report.findings.filter(({ weight }) => weight === "broken");
    expect(broken.length).toBeGreaterThan(3);
    for (const { kind, rule, pieces } of broken) expect([rule.level, pieces.length <= 3], kind).toEqual(["MUST", true]);
  });

  test("counts a refusal of legal frames as suspect", async () => {
    const url = await peerThat((observed, wire) => {
      if (observed.is === "frame" && String(observed.frame.type) === "MAX_PUSH_ID") wire.close("H3_FRAME_UNEXPECTED");
    });
    const { findings } = await fuzzPeer(url, { seed: 7, seconds: 60, sequences: 20 }, IMPATIENT);
    const refused = findings.find(({ kind }) => kind === "refused H3_FRAME_UNEXPECTED");
    expect([refused?.weight, refused?.pieces.at(-1)?.words.split(" ")[1]]).toEqual(["suspect", "MAX_PUSH_ID"]);
  });

  test("reports no findings if nothing listens", async () => {
    const url = await peerThat(() => {});
    await listeners.pop()!.stop();
    expect(await fuzzPeer(url, { seed: 7, seconds: 5 }, { limitMs: 200, lingerMs: 0 })).toMatchObject({ unreachable: true, findings: [] });
  });
});

describe("the oracle", () => {
  const on = (stream: Piece["on"], hex: string, more: Partial<Piece> = {}): Piece => ({ words: hex, on: stream, hex, ...more });
  const SETTINGS = on("control", "0400");

  test.each<[string, readonly Piece[], string, string]>([
    ["DATA before HEADERS", [SETTINGS, on("request 0", "000161")], "dataBeforeHeaders", "rfc9114#4.1/invalid-sequence"],
    ["a payload that is too short", [SETTINGS, on("control", "070140")], "frameTruncated", "rfc9114#7.1/wrong-size"],
    ["a stream that ends within a frame", [SETTINGS, on("request 0", "0105", { end: true })], "frameTruncated", "rfc9114#7.1/truncated"],
    ["an increment of 0", [SETTINGS, on("decoder", "00")], "decoderStreamWrong", "rfc9204#4.4.3/increment-wrong"],
  ])("names the rule of %s", (_, pieces, name, rule) => {
    expect(expected(pieces)).toMatchObject({ is: "refused", fault: { name }, rule });
  });

  test("leaves open what a server need not notice", () => {
    const reset = on("request 0", "", { reset: 0x10c });
    expect(expected([SETTINGS, on("request 0", "000161"), reset])).toEqual({ is: "unsure" });
    expect(expected([SETTINGS, on("decoder", "84")])).toEqual({ is: "unsure" });
    expect(expected([SETTINGS, on("control", "800f07000101")])).toEqual({ is: "unsure" });
  });

  test("is sure about most generated sequences", () => {
    const rng = seeded(3);
    const answers = Array.from({ length: 300 }, () => expected(sequence(rng, "127.0.0.1:443", "/")).is);
    const count = (is: string): number => answers.filter((answer) => answer === is).length;
    expect([count("fine") > 100, count("refused") > 40, count("unsure") < 120], answers.join()).toEqual([true, true, true]);
  });
});
