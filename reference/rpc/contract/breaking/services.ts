import type { Method } from "../model.ts";
import { gone, methods, parts } from "./find.ts";
import { ALL, type BreakingRule, SOURCE } from "./rule.ts";

const KEEP_SERVICE = "Keep it and mark it as deprecated, or use a new version of the package: clients that call it get UNIMPLEMENTED.";
const NEW_METHOD = "Add a method with a new name and mark this one as deprecated.";

/** A part of the description of a method that has changed. */
const changes = (part: (method: Method) => string, what: string): BreakingRule["find"] =>
  methods((old, now) => (part(old) === part(now) ? undefined : `${what} of ${now.fullName}: ${part(old)} before, ${part(now)} now.`));
const streamText = (isStream: boolean): string => (isStream ? "a stream" : "one message");

export const SERVICE_RULES: readonly BreakingRule[] = [
  {
    name: "SERVICE_NO_DELETE",
    strengths: ["file"],
    find: gone(
      (change) => change.goneFromFile("services"),
      (name) => `The service ${name} is no longer in its file.`,
    ),
    advice: KEEP_SERVICE,
  },
  {
    name: "PACKAGE_SERVICE_NO_DELETE",
    strengths: ["package"],
    find: gone(
      (change) => change.goneFromPackage("services"),
      (name) => `The service ${name} is no longer in its package.`,
    ),
    advice: KEEP_SERVICE,
  },
  {
    name: "RPC_NO_DELETE",
    strengths: SOURCE,
    find: parts(
      ({ services }) => services,
      (old, now) => old.methods.filter(({ name }) => !now.methods.some((method) => method.name === name)),
      ({ fullName }) => `The method ${fullName} is gone.`,
    ),
    advice: "Keep it and mark it as deprecated: clients that call it get UNIMPLEMENTED.",
  },
  { name: "RPC_SAME_REQUEST_TYPE", strengths: ALL, find: changes(({ request }) => request, "Requests"), advice: NEW_METHOD },
  { name: "RPC_SAME_RESPONSE_TYPE", strengths: ALL, find: changes(({ response }) => response, "Responses"), advice: NEW_METHOD },
  {
    name: "RPC_SAME_CLIENT_STREAMING",
    strengths: ALL,
    find: changes(({ requestStream }) => streamText(requestStream), "Requests"),
    advice: NEW_METHOD,
  },
  {
    name: "RPC_SAME_SERVER_STREAMING",
    strengths: ALL,
    find: changes(({ responseStream }) => streamText(responseStream), "Responses"),
    advice: NEW_METHOD,
  },
  {
    name: "RPC_SAME_IDEMPOTENCY_LEVEL",
    strengths: ALL,
    find: changes(({ idempotency }) => idempotency, "The idempotency level"),
    advice: "Keep the option idempotency_level: clients repeat calls, or send them by GET, as it permits.",
  },
];
