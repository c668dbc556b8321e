import { latin1 } from "../core/index.ts";
import { isToken, parseStatus } from "../http/index.ts";
import type { Version } from "./contract.ts";
import type { FaultName } from "./faults.ts";
import { Progress } from "./field-lines.ts";
import type { HeadMemory } from "./head-memory.ts";
import type { Inbox } from "./inbox.ts";
import type { Leniency } from "./leniency.ts";
import type { Limits } from "./limits.ts";
import { CR, LF, LOWER, SP, TARGET, VALUE } from "./octets.ts";

/** Octets of a request line besides method and target: two spaces, the version, the line end. */
const REST_OF_LINE = 12;
const VERSION = /^HTTP\/([0-9])\.([0-9])$/;

/** Reads request lines and status lines (rfc9112#3, #4). The members describe the line read last. */
export class StartLine {
  readonly #limits: Limits;
  readonly #lenient: Leniency;
  readonly #memory: HeadMemory;
  method = "";
  target = "";
  status = 0;
  reason = "";
  version: Version = "HTTP/1.1";
  wrong: FaultName = "requestLineInvalid";
  #emptyLines = 0;

  constructor(limits: Limits, lenient: Leniency, memory: HeadMemory) {
    this.#memory = memory;
    this.#limits = limits;
    this.#lenient = lenient;
  }

  /** Skips the empty lines that may come before a message (rfc9112#2.2); `done` at the first octet of the line. */
  skipEmptyLines(inbox: Inbox): Progress {
    const { octets, end } = inbox;
    while (inbox.at < end) {
      const octet = octets[inbox.at];
      if (octet !== CR && octet !== LF) return Progress.done;
      if (octet === LF && !this.#lenient.bareLf) return this.#fail("bareLf");
      if (octet === CR) {
        if (inbox.at + 1 === end) return Progress.wait;
        if (octets[inbox.at + 1] !== LF) return this.#fail("bareCr");
        inbox.at++;
      }
      inbox.at++;
      if (++this.#emptyLines > this.#limits.emptyLines) return this.#fail("tooManyEmptyLines");
    }
    return Progress.wait;
  }

  /** method SP request-target SP HTTP-version (rfc9112#3); a regular line in one pass. The inbox is not empty. */
  readRequest(inbox: Inbox): Progress {
    const limits = this.#limits;
    const lastTarget = this.#memory.target;
    const { octets, at, end } = inbox;
    this.method = "";
    this.#emptyLines = 0;
    if (LOWER[octets[at]!] === 0) return this.#fail("methodInvalid");
    if (inbox.searched <= at) {
      let p = at + 1;
      while (p < end && LOWER[octets[p]!] !== 0) p++;
      const from = p + 1;
      if (octets[p] === SP && p - at <= limits.methodOctets) {
        const method = methodOf(octets, at, p);
        p = from;
        const stop = Math.min(end, from + lastTarget.length);
        while (p < stop && octets[p] === lastTarget.charCodeAt(p - from)) p++;
        const isLast = p === from + lastTarget.length && octets[p] === SP;
        while (p < end && TARGET[octets[p]!] !== 0) p++;
        if (p > from && octets[p] === SP && p - from <= limits.targetOctets && p + 10 < end && isHttp1(octets, p + 1)) {
          const target = isLast ? lastTarget : this.#targetOf(octets, from, p);
          if (target !== undefined) {
            this.method = method;
            this.target = target;
            this.version = octets[p + 8] === 0x30 ? "HTTP/1.0" : "HTTP/1.1";
            inbox.at = p + 11;
            return Progress.done;
          }
        }
      }
    }
    const lf = inbox.lineEnd();
    const size = (lf < 0 ? end : lf + 1) - at;
    if (size > limits.methodOctets + limits.targetOctets + REST_OF_LINE) {
      const space = octets.subarray(at, at + limits.methodOctets + 1).indexOf(SP);
      return this.#fail(space < 0 ? "methodTooLong" : "targetTooLong");
    }
    if (lf < 0) return Progress.wait;
    inbox.at = lf + 1;
    return this.#judgeRequest(octets, at, lf);
  }

  #judgeRequest(octets: Uint8Array, from: number, lf: number): Progress {
    const limits = this.#limits;
    const line = this.#line(octets, from, lf);
    if (line === undefined) return Progress.wrong;
    const first = line.indexOf(" ");
    const last = line.lastIndexOf(" ");
    const method = first < 0 ? line : line.slice(0, first);
    if (!isToken(method)) return this.#fail("methodInvalid");
    if (method.length > limits.methodOctets) return this.#fail("methodTooLong");
    if (first === last) return this.#fail("requestLineInvalid");
    const version = VERSION.exec(line.slice(last + 1));
    if (version === null) return this.#fail("versionInvalid");
    const target = line.slice(first + 1, last);
    if (target.length > limits.targetOctets) return this.#fail("targetTooLong");
    if (target === "" || !isTargetText(target, this.#lenient.rawTarget)) return this.#fail("targetInvalid");
    if (version[1] !== "1") return this.#fail("versionUnsupported");
    this.method = method;
    this.target = target;
    this.version = version[2] === "0" ? "HTTP/1.0" : "HTTP/1.1";
    return Progress.done;
  }

  /** HTTP-version SP status-code SP [ reason-phrase ] (rfc9112#4). The inbox is not empty. */
  readStatus(inbox: Inbox): Progress {
    const { octets, at, end } = inbox;
    this.#emptyLines = 0;
    if (octets[at] !== 0x48) return this.#fail("statusLineInvalid");
    const lf = inbox.lineEnd();
    if ((lf < 0 ? end : lf + 1) - at > this.#limits.targetOctets) return this.#fail("statusLineInvalid");
    if (lf < 0) return Progress.wait;
    inbox.at = lf + 1;
    const line = this.#line(octets, at, lf);
    if (line === undefined) return Progress.wrong;
    const version = VERSION.exec(line.slice(0, 8));
    if (version === null || (line.length > 8 && line[8] !== " ")) return this.#fail("versionInvalid");
    if (version[1] !== "1") return this.#fail("versionUnsupported");
    const status = parseStatus(line.slice(9, 12));
    if (status === undefined) return this.#fail("statusLineInvalid");
    if (line.length === 12 ? !this.#lenient.statusWithoutSpace : line[12] !== " ") return this.#fail("statusLineInvalid");
    for (let i = 13; i < line.length; i++) if (VALUE[line.charCodeAt(i)] === 0) return this.#fail("statusLineInvalid");
    this.status = status;
    this.reason = line.slice(13);
    this.version = version[2] === "0" ? "HTTP/1.0" : "HTTP/1.1";
    return Progress.done;
  }

  /** The line without its end; undefined if that, or a CR within, is wrong. */
  #line(octets: Uint8Array, from: number, lf: number): string | undefined {
    const hasCr = lf > from && octets[lf - 1] === CR;
    if (!hasCr && !this.#lenient.bareLf) {
      this.wrong = "bareLf";
      return undefined;
    }
    const line = latin1(octets, from, hasCr ? lf - 1 : lf);
    if (!line.includes("\r")) return line;
    if (this.#lenient.bareCr) return line.replaceAll("\r", " ");
    this.wrong = "bareCr";
    return undefined;
  }
  /** Undefined if an escape lacks its two digits. */
  #targetOf(octets: Uint8Array, from: number, to: number): string | undefined {
    const target = latin1(octets, from, to);
    if (target.includes("%") && BAD_ESCAPE.test(target)) return undefined;
    this.#memory.rememberTarget(target);
    return target;
  }
  #fail(name: FaultName): Progress {
    this.wrong = name;
    return Progress.wrong;
  }
}

/** Whether `HTTP/1.`, a digit and the line end follow. */
const isHttp1 = (octets: Uint8Array, at: number): boolean =>
  octets[at] === 0x48 &&
  octets[at + 1] === 0x54 &&
  octets[at + 2] === 0x54 &&
  octets[at + 3] === 0x50 &&
  octets[at + 4] === 0x2f &&
  octets[at + 5] === 0x31 &&
  octets[at + 6] === 0x2e &&
  octets[at + 7]! >= 0x30 &&
  octets[at + 7]! <= 0x39 &&
  octets[at + 8] === CR &&
  octets[at + 9] === LF;

function methodOf(octets: Uint8Array, from: number, to: number): string {
  const second = octets[from + 1];
  if (to - from === 3 && octets[from] === 0x47 && second === 0x45 && octets[from + 2] === 0x54) return "GET";
  if (to - from === 4 && octets[from] === 0x50 && second === 0x4f && octets[from + 2] === 0x53 && octets[from + 3] === 0x54) return "POST";
  return latin1(octets, from, to);
}

const BAD_ESCAPE = /%(?![0-9A-Fa-f]{2})/;
/** White space, controls and the number sign, which end a target in every parser. */
const NEVER = /[^\x21\x22\x24-\x7e\x80-\xff]/;

/** Whether all characters may be part of a request target; `raw` also accepts those that a URI must escape. */
export function isTargetText(text: string, raw: boolean): boolean {
  if (raw) return !NEVER.test(text);
  if (BAD_ESCAPE.test(text)) return false;
  for (let i = 0; i < text.length; i++) if ((TARGET[text.charCodeAt(i)] ?? 0) === 0) return false;
  return true;
}
