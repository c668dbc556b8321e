import type { Settings, Sight } from "../vocabulary.ts";
import { difference } from "./like.ts";
import type { Got, Performance } from "./record.ts";
import { filled } from "./texts.ts";

/** Compares what came of a case with a sight. */

/** The first fault; undefined if all is as it must be. */
export function faultOf(wanted: Sight, record: Performance): string | undefined {
  const see = filled(wanted, record.values, record.answers);
  switch (see.see) {
    case "request": {
      const all = requestsAt(see.at, record);
      if (see.number !== undefined) {
        const one = all[see.number - 1];
        return one === undefined ? `request ${see.number} at ${see.at} did not come` : faultAt(see.is, one);
      }
      if (all.length === 0) return `nothing came at ${see.at}`;
      const faults = all.map((one) => faultAt(see.is, one));
      return faults.includes(undefined) ? undefined : faults[0];
    }
    case "every-request": {
      const all = requestsAt(see.at, record);
      if (all.length === 0) return `nothing came at ${see.at}`;
      return all.map((one) => faultAt(see.is, one)).find((fault) => fault !== undefined);
    }
    case "no-request": {
      const found = matching(see.at, see.is ?? {}, record)[0];
      return found === undefined ? undefined : `at ${see.at} came ${found.method} ${found.path} with ${inShort(found.alerts)}`;
    }
    case "count": {
      const { length } = matching(see.at, see.is ?? {}, record);
      const { least = 0, most = Infinity } = see;
      return length >= least && length <= most ? undefined : `at ${see.at} came ${length} such requests`;
    }
    case "apart": {
      const from = matching(see.at, see.from, record)[0];
      const to = matching(see.at, see.to, record).find((one) => from === undefined || one.ms >= from.ms);
      if (from === undefined || to === undefined) return `one of the two requests at ${see.at} did not come`;
      const apart = Math.round(to.ms - from.ms);
      return apart >= see.leastMs ? undefined : `the two requests at ${see.at} are ${apart} ms apart`;
    }
    case "answer": {
      const answered = record.answers[see.to];
      if (answered === undefined) return `there is no answer to ${see.to}`;
      const { status = [200], is = {} } = see;
      const all = typeof status === "number" ? [status] : status;
      if (!all.includes(answered.status)) return `${see.to} is answered with ${answered.status}: ${inShort(answered.json)}`;
      const fault = difference(is, answered.json, answered.at);
      return fault === undefined ? undefined : `in the answer to ${see.to} ${fault}`;
    }
    case "kinds": {
      const { least = 0, most = Infinity } = see;
      const owners = requestsAt(see.at, record).flatMap(({ body, alerts }) => (Array.isArray(body) ? alerts : [body]));
      const { size } = new Set(owners.map((one) => JSON.stringify((one as Settings | undefined)?.[see.member])));
      return size >= least && size <= most ? undefined : `the requests at ${see.at} have ${size} values of ${see.member}`;
    }
    case "all":
      return see.of.map((one) => faultOf(one, record)).find((fault) => fault !== undefined);
  }
}

const requestsAt = (end: string, { got }: Performance): readonly Got[] => got.filter((one) => one.end === end);
const matching = (end: string, is: unknown, record: Performance): Got[] =>
  requestsAt(end, record).filter((one) => difference(is, one, one.at) === undefined);
const inShort = (value: unknown): string => (JSON.stringify(value) ?? "").slice(0, 160);
const faultAt = (is: unknown, one: Got): string | undefined => {
  const fault = difference(is, one, one.at);
  return fault === undefined ? undefined : `at ${one.end}: ${fault}`;
};

const many = ({ least, most }: { readonly least?: number; readonly most?: number }): string =>
  least === most
    ? String(least)
    : `${least === undefined ? "" : `at least ${least} `}${most === undefined ? "" : `at most ${most}`}`.trim();

/** A sight in words. */
export function inWords(see: Sight): string {
  switch (see.see) {
    case "request":
      return `${see.number === undefined ? "a request" : `request ${see.number}`} at ${see.at} has ${inShort(see.is)}`;
    case "every-request":
      return `every request at ${see.at} has ${inShort(see.is)}`;
    case "no-request":
      return `no request at ${see.at}${see.is === undefined ? "" : ` has ${inShort(see.is)}`}`;
    case "count":
      return `${many(see)} requests at ${see.at}`;
    case "apart":
      return `the two requests at ${see.at} are at least ${see.leastMs} ms apart`;
    case "answer":
      return `the answer to ${see.to} has ${see.status === undefined ? "" : `the status ${String(see.status)} `}${inShort(see.is ?? {})}`;
    case "kinds":
      return `${see.member} has ${many(see)} values at ${see.at}`;
    case "all":
      return see.of.map(inWords).join(", and ");
  }
}
