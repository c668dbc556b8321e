/** One case of another suite, as its report gives it: its section in that suite's own numbering, and its title. */
export type TheirCase = {
  readonly section: string;
  readonly title: string;
  readonly verdict: "pass" | "fail" | "skip";
  readonly detail: string;
};

/** Which of our cases check the same as one of theirs. The keys are section and title, which stay the same between versions. */
export type CaseMap = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** Another suite for the same protocol, which judges the same server. */
export type Crosscheck = {
  readonly tool: string;
  readonly map: CaseMap;
  /** The program: as given, or where it is usually installed. Throws `WrongUse` with how to install it. */
  readonly find: (given: string | undefined) => string;
  readonly version: (program: string) => Promise<string>;
  /** Runs it on a server. `seconds` is how long it waits for an answer. */
  readonly run: (program: string, url: string, seconds: number) => Promise<TheirCase[]>;
};
