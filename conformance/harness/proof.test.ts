import { describe, expect, test } from "vitest";
import type { AnyCase } from "./case.ts";
import { isNotice, withhold } from "./proof.ts";
import type { CaseResult, Verdict } from "./result.ts";

const accepted = { see: "accepted" };
const refused = { see: "GOAWAY" };
const refusals = ["GOAWAY", "closed after"];

const one = (id: string, see: { readonly see: string }, change: Partial<AnyCase> = {}): AnyCase => ({
  id: `http2/${id}`,
  spec: "rfc9113#6.9",
  covers: ["rfc9113#6.9/x"],
  level: "MUST",
  role: "server",
  title: "T.",
  steps: [id],
  control: ["legal"],
  allowed: [{ see }],
  ...change,
});
const result = ({ id, spec }: AnyCase, verdict: Verdict): CaseResult => ({
  id: id,
  spec,
  level: "MUST",
  role: "server",
  title: "T.",
  verdict,
  reason: "",
  expected: [],
  ...(verdict === "pass" ? { outcome: 0 } : {}),
  observed: "",
  covers: [],
  ms: 0,
  transcript: [],
});

const good = one("good", accepted);
const mistakes = Array.from({ length: 12 }, (_, at) => one(`bad-${at}`, refused));
const nobody = async (): Promise<never> => Promise.reject(new Error("nothing more is performed"));
const verdictsOf = async (all: readonly AnyCase[], results: readonly CaseResult[], perform: (c: AnyCase) => Promise<CaseResult> = nobody) =>
  (await withhold(results, { cases: all, refusals, perform })).map(({ verdict }) => verdict);

describe("withhold()", () => {
  const all = [good, ...mistakes];

  test("a subject that notices no mistake has proved nothing by accepting", async () => {
    const results = [result(good, "pass"), ...mistakes.map((c) => result(c, "fail"))];
    const [first, ...others] = await withhold(results, { cases: all, refusals, perform: nobody });
    expect(first).toMatchObject({ verdict: "unproved", reason: expect.stringContaining("noticed 0 of 12 mistakes") as string });
    expect(others.map(({ verdict }) => verdict)).toEqual(mistakes.map(() => "fail"));
  });

  test("noticing one mistake of many may be chance; two of them, or a tenth, are not", async () => {
    const after = (noticed: number) => [result(good, "pass"), ...mistakes.map((c, at) => result(c, at < noticed ? "pass" : "fail"))];
    expect((await verdictsOf(all, after(1)))[0]).toBe("unproved");
    expect((await verdictsOf(all, after(2)))[0]).toBe("pass");
  });

  test("mistakes that were not selected are tried, once for all, until one is noticed", async () => {
    const tried: string[] = [];
    const perform = async (c: AnyCase): Promise<CaseResult> => {
      tried.push(c.id);
      return result(c, "pass");
    };
    const other = one("good-too", accepted);
    expect(await verdictsOf([...all, other], [result(good, "pass"), result(other, "pass")], perform)).toEqual(["pass", "pass"]);
    expect(tried).toEqual(["http2/bad-0"]);
    expect(await verdictsOf(all, [result(good, "pass")], async (c) => result(c, "fail"))).toEqual(["unproved"]);
  });

  test("a case may name its inverse; without one that can be judged, the section decides", async () => {
    const named = one("named", accepted, { inverse: ["http2/bad-0"] });
    const others = mistakes.slice(1).map((c) => result(c, "pass"));
    const ran = (verdict: Verdict) => [result(named, "pass"), result(mistakes[0] ?? good, verdict), ...others];
    expect((await verdictsOf([named, ...mistakes], ran("fail")))[0]).toBe("unproved");
    expect((await verdictsOf([named, ...mistakes], ran("pass")))[0]).toBe("pass");
    expect((await verdictsOf([named, ...mistakes], ran("skip")))[0]).toBe("pass");
  });

  test("a section with few mistakes is judged with its document, another document with all", async () => {
    const far = one("far", accepted, { spec: "rfc9113#9.1" });
    const elsewhere = one("elsewhere", accepted, { spec: "rfc9218#4" });
    const verdicts = (verdict: Verdict) =>
      verdictsOf(
        [far, elsewhere, ...mistakes],
        [result(far, "pass"), result(elsewhere, "pass"), ...mistakes.map((c) => result(c, verdict))],
      );
    expect((await verdicts("fail")).slice(0, 2)).toEqual(["unproved", "unproved"]);
    expect((await verdicts("pass")).slice(0, 2)).toEqual(["pass", "pass"]);
  });

  test("a pass by refusal is not withheld, and our own close is no mistake to notice", async () => {
    const closing = mistakes.map((c) => ({ ...c, steps: [{ do: "half-close" }] }));
    const results = [result(good, "pass"), ...closing.map((c) => result(c, "pass"))];
    expect(await verdictsOf([good, ...closing], results)).toEqual(results.map(() => "pass"));
    expect(
      (
        await verdictsOf(
          [good, ...mistakes],
          mistakes.map((c) => result(c, "fail")),
        )
      )[0],
    ).toBe("fail");
  });
});

describe("isNotice()", () => {
  test.each([
    [refused, true],
    [accepted, false],
    [{ see: "response", status: [400, "5xx"] }, true],
    [{ see: "response", status: ["2xx", 400] }, false],
    [{ see: "all", of: [accepted, refused] }, true],
    [{ see: "any", of: [accepted, refused] }, false],
    [{ see: "closed after", responses: 0 }, true],
    [{ see: "closed after", responses: 1 }, false],
    [{ see: "exit", ok: false }, true],
  ])("%j: %s", (see, is) => {
    expect(isNotice(see, refusals)).toBe(is);
  });
});

describe("a good answer that is an error by itself", () => {
  const byStatus = one("by-status", refused, { allowed: [{ see: { see: "response", status: ["4xx"] } }] } as never);
  const closed = one("closed", { see: "error and close" });
  const goaway = one("goaway", refused);
  const all = [byStatus, closed, goaway];
  const seen = (c: AnyCase, observed: string): CaseResult => ({ ...result(c, "pass"), observed });
  const verdicts = async (results: readonly CaseResult[]) => {
    const proof = { cases: all, refusals: ["GOAWAY", "error and close"], byStatus: ["error and close"], goodError: 401, perform: nobody };
    return (await withhold(results, proof)).map(({ verdict, reason }) => (verdict === "unproved" ? reason : verdict));
  };

  test("proves nothing as a refusal with the same status", async () => {
    const same = expect.stringContaining("answered with 401, as it answers every good request") as string;
    expect(await verdicts([seen(byStatus, "401 Unauthorized"), seen(closed, "401 Unauthorized; closed")])).toEqual([same, same]);
  });

  test("takes nothing from a refusal with another status, or of another kind", async () => {
    const results = [
      seen(byStatus, "400 Bad Request, 1401 octets"),
      seen(closed, "400 Bad Request; closed"),
      seen(goaway, ":status=401; GOAWAY"),
    ];
    expect(await verdicts(results)).toEqual(["pass", "pass", "pass"]);
  });
});
