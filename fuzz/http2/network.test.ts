import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { seeded } from "../../reference/core/index.ts";
import { peerAt } from "../lib/network.ts";
import { sequence } from "./grammar.ts";
import { fuzzPeer } from "./network.ts";
import { expected } from "./oracle.ts";

const PING_ACK_HEAD = Buffer.from("000008060100000000", "hex");
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A peer that calls back for each frame after the preface. */
async function peerThat(onFrame: (type: number, payload: Buffer, socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    let inbox: Buffer = Buffer.alloc(0);
    let skip = 24;
    socket.on("error", () => socket.destroy());
    socket.write(Buffer.from("000000040000000000", "hex"));
    socket.on("data", (chunk: Buffer) => {
      inbox = Buffer.concat([inbox, chunk]);
      if (inbox.length < skip) return;
      inbox = inbox.subarray(skip);
      skip = 0;
      while (inbox.length >= 9 && inbox.length >= 9 + inbox.readUIntBE(0, 3)) {
        const end = 9 + inbox.readUIntBE(0, 3);
        onFrame(inbox[3] ?? 0, inbox.subarray(9, end), socket);
        inbox = inbox.subarray(end);
      }
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const answerPing = (type: number, payload: Buffer, socket: Socket): void =>
  void (type === 6 && socket.write(Buffer.concat([PING_ACK_HEAD, payload])));

describe("the network fuzzer", () => {
  test("reports a peer that accepts everything, with the section of the rule and a short sequence", async () => {
    const report = await fuzzPeer(await peerThat(answerPing), { seed: 7, seconds: 20, sequences: 60 });
    const accepted = report.findings.filter((finding) => finding.kind.startsWith("accepted"));
    expect(accepted.length).toBeGreaterThan(3);
    for (const finding of accepted) {
      expect(finding.rule.ref).toMatch(/^rfc\d+#\d/);
      expect(finding.pieces.length, finding.kind).toBeLessThanOrEqual(4);
    }
  });

  test("reports a peer that refuses a legal frame", async () => {
    const url = await peerThat((type, payload, socket) => {
      // GOAWAY with PROTOCOL_ERROR on any PRIORITY.
      if (type === 2) socket.end(Buffer.from("000008070000000000" + "00000000" + "00000001", "hex"));
      else answerPing(type, payload, socket);
    });
    const report = await fuzzPeer(url, { seed: 7, seconds: 20, sequences: 60 });
    const refused = report.findings.find((finding) => finding.kind === "refused PROTOCOL_ERROR");
    expect(refused?.pieces.map((piece) => piece.words.split(" ")[0])).toEqual(["PRIORITY"]);
  });

  test("counts a refusal of legal frames as suspect, and reports each cause", async () => {
    const url = await peerThat((type, payload, socket) => {
      // GOAWAY with PROTOCOL_ERROR on any PRIORITY, and on any frame of an unknown type.
      if (type === 2 || type >= 0x20) socket.end(Buffer.from("000008070000000000" + "00000000" + "00000001", "hex"));
      else answerPing(type, payload, socket);
    });
    const report = await fuzzPeer(url, { seed: 7, seconds: 20, sequences: 200 });
    const refused = report.findings.filter((finding) => finding.kind === "refused PROTOCOL_ERROR");
    expect(refused.map(({ pieces }) => pieces.at(-1)?.words.split(" ")[0]).sort()).toEqual(["PRIORITY", "unknown"]);
    for (const { weight, rule } of refused)
      expect([weight, rule.ref, rule.level]).toEqual(["suspect", "rfc9113#5.4.1/end-any-time", "MAY"]);
  });

  test("counts what a MUST forbids as broken", async () => {
    const report = await fuzzPeer(await peerThat(answerPing), { seed: 7, seconds: 20, sequences: 60 });
    const onStream = report.findings.find(({ kind }) => kind === "accepted pingOnStream" || kind === "accepted settingsOnStream");
    expect(onStream).toMatchObject({ weight: "broken", rule: { level: "MUST", subject: "receiver" } });
  });

  test("reports a peer that dies, and stops", async () => {
    const url = await peerThat((type, payload, socket) => {
      if (type === 3) {
        socket.destroy();
        for (const server of servers) server.close();
      } else answerPing(type, payload, socket);
    });
    const report = await fuzzPeer(url, { seed: 7, seconds: 20, sequences: 200 });
    expect(report.findings.at(-1)?.kind).toBe("gone");
  });

  test("reports no findings if nothing listens", async () => {
    const url = await peerThat(answerPing);
    await new Promise((resolve) => servers[0]?.close(resolve));
    expect(await fuzzPeer(url, { seed: 7, seconds: 5 })).toMatchObject({ unreachable: true, sequences: 0, findings: [] });
  });

  test("accepts addresses of this machine, and others with consent", () => {
    expect(() => peerAt("http://192.0.2.1:80", {})).toThrow("192.0.2.1 is not this machine: add --i-operate-this-target");
    expect(peerAt("http://192.0.2.1:8080", { consents: true }).port).toBe("8080");
    expect(peerAt("http://[::1]:8080", {}).port).toBe("8080");
  });
});

describe("the oracle", () => {
  const frames = (...hex: string[]) => hex.map((h) => ({ words: h, hex: h }));

  test("names the rule and the frame that broke it", () => {
    const legalThenWrong = frames("0000080600000000000102030405060708", "0000080600000000010102030405060708");
    expect(expected(legalThenWrong)).toMatchObject({ is: "refused", at: 1, fault: { name: "pingOnStream", spec: "rfc9113#6.7" } });
  });

  test("reports a field block still open at the end: the PING interrupts it", () => {
    expect(expected(frames("000000010000000001"))).toMatchObject({ is: "refused", at: 1 });
  });

  test("applies the settings that the server announced", () => {
    const large = frames(`0043010b0000000000${"00".repeat(0x4301)}`.replace("0043010b", "004301fa"));
    expect(expected(large)).toMatchObject({ is: "refused", fault: { code: "FRAME_SIZE_ERROR" } });
    expect(expected(large, { maxFrameSize: 0xffffff })).toEqual({ is: "fine" });
  });

  test("leaves it open how DATA that is too large is refused", () => {
    expect(expected(frames(`00400100000000000${1}${"00".repeat(0x4001)}`))).toEqual({ is: "unsure" });
  });

  test("is sure about most generated sequences", () => {
    const rng = seeded(3);
    const answers = Array.from({ length: 300 }, () => expected(sequence(rng, "127.0.0.1:80")).is);
    const count = (is: string): number => answers.filter((answer) => answer === is).length;
    expect(count("fine")).toBeGreaterThan(100);
    expect(count("refused")).toBeGreaterThan(40);
    expect(count("unsure")).toBeLessThan(120);
  });
});
