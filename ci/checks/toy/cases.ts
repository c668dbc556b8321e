import type { Case, Role } from "../../../conformance/harness/case.ts";

type Step = { readonly do: "say"; readonly line: string };
type Sight = { readonly see: "line"; readonly line: string } | { readonly see: "refused" };
export type ToyCase = Case<Step, Sight>;

const say = (line: string): readonly [Step] => [{ do: "say", line }];

/** Two claims of each role. A client sends `ping 7` itself; it gets a line in response, and exits with `done` if it accepts that. */
export const toyCases = (role: Role): ToyCase[] => {
  const [good, bad, seen] = role === "client" ? ["pong 7", "pong 8", "done"] : ["ping 7", "pang 7", "pong 7"];
  const common = { spec: "rfc9110#1", covers: ["rfc9110#1/toy"], level: "MUST", role } as const;
  return [
    {
      ...common,
      id: `toy/${role}-accepts-a-good-line`,
      title: "Accepts a good line.",
      steps: say(good),
      control: say(good),
      allowed: [{ see: { see: "line", line: seen } }],
    },
    {
      ...common,
      id: `toy/${role}-refuses-a-bad-line`,
      title: "Refuses a bad line.",
      steps: say(bad),
      control: say(good),
      allowed: [{ see: { see: "refused" } }],
    },
  ];
};
