import type { Role } from "../../conformance/harness/case.ts";
import type { Settings, StartedSubject } from "../../conformance/harness/suite.ts";
import type { ClientRequest } from "../../conformance/harness/subject/subject.ts";

/** Which embedded subject a child starts, and the flags of the suite that choose its cases. */
export type SubjectAddress = { readonly suite: string; readonly role: Role; readonly index: number; readonly settings?: Settings };

/** What a child reports about the subject that it started. */
export type Ready =
  /** `starts`: it is started by messages, once for each configuration. */
  | ({ readonly is: "server"; readonly url: string; readonly pid?: number; readonly starts?: true } & Pick<
      StartedSubject<unknown>,
      "credentials"
    >)
  /** Functions are called by messages. `takesRequest`: the client reads its third parameter. */
  | { readonly is: "client"; readonly takesRequest: boolean; readonly tls: boolean }
  | { readonly is: "proxy" }
  | { readonly is: "command"; readonly command: string; readonly tls: boolean };

export type ToSubject =
  | { readonly is: "call"; readonly id: number; readonly url: string; readonly request: ClientRequest }
  | { readonly is: "abort"; readonly id: number }
  | { readonly is: "start proxy"; readonly id: number; readonly origin: string }
  /** It exits gracefully, with its own child processes. */
  | { readonly is: "stop" }
  | { readonly is: "stop proxy"; readonly id: number; readonly of: number };

export type FromSubject =
  | { readonly is: "ready"; readonly what: Ready }
  | { readonly is: "failed"; readonly why: string }
  | { readonly is: "done"; readonly id: number; readonly value: unknown }
  | { readonly is: "thrown"; readonly id: number; readonly why: string };
