import { DISCOVERY_LIMITS } from "../limits.ts";
import { isObject, type Json, object, objects, text } from "./json.ts";
import type { KubeObject } from "./objects.ts";

/** A change of one object. */
export type Change<T> = {
  readonly event: "add" | "update" | "delete";
  /** The object, or the last one that was known. */
  readonly object: T;
};
/** What a line of a watch says. */
export type Line<T> =
  | { readonly is: "changes"; readonly changes: readonly Change<T>[] }
  /** The watch can go on, under a newer version. */
  | { readonly is: "bookmark" }
  /** The version of the watch is too old: list again. */
  | { readonly is: "expired" }
  | { readonly is: "fault"; readonly message: string };

const GONE = 410;
const TOO_MANY = 429;

/**
 * The objects of one kind, from lists and watches (the API concepts of Kubernetes: a list in pages, a watch from its resourceVersion, bookmarks, and 410
 * Gone, after which everything is listed again). It makes no requests: its user does, and feeds it what comes.
 */
export class ObjectWatch<T extends KubeObject> {
  readonly #read: (value: Json) => T;
  #objects = new Map<string, T>();
  #version = "";
  /** The objects of the pages of a list that is not complete. */
  #listing: Map<string, T> | undefined;

  constructor(read: (value: Json) => T) {
    this.#read = read;
  }

  /** From which version a watch goes on; empty before the first complete list, and after the version has expired. */
  get version(): string {
    return this.#version;
  }
  get objects(): ReadonlyMap<string, T> {
    return this.#objects;
  }

  /** The list begins again. */
  begin(): void {
    this.#listing = undefined;
  }

  /** A page of a list: what to ask the next page with, the changes if it was the last, or what is wrong. */
  page(answer: unknown): { readonly next: string } | { readonly changes: readonly Change<T>[] } | Error {
    const { items, metadata } = object(answer);
    const { resourceVersion, continue: next } = object(metadata);
    if (!isObject(answer) || text(resourceVersion) === "") return new Error("the answer is not a list with a resourceVersion");
    if (items !== null && !Array.isArray(items)) return new Error("the answer has no items");
    const listing = (this.#listing ??= new Map<string, T>());
    for (const item of objects(items)) {
      const one = this.#read(item);
      listing.set(keyOf(one), one);
    }
    if (listing.size > DISCOVERY_LIMITS.objects) return new Error(`there are more than ${DISCOVERY_LIMITS.objects} objects: select some`);
    if (text(next) !== "") return { next: text(next) };
    this.#listing = undefined;
    this.#version = text(resourceVersion);
    const before = this.#objects;
    this.#objects = listing;
    const changes = [...listing].map(([key, one]): Change<T> => ({ event: before.has(key) ? "update" : "add", object: one }));
    for (const [key, one] of before) if (!listing.has(key)) changes.push({ event: "delete", object: one });
    return { changes };
  }

  /** A line of a watch. */
  line(line: string): Line<T> {
    let event: Json;
    try {
      event = object(JSON.parse(line));
    } catch {
      return { is: "fault", message: "the watch brings a line that is not JSON" };
    }
    const value = object(event["object"]);
    if (event["type"] === "ERROR") {
      // Whatever ends a watch by an error, a new list begins another one.
      if (value["code"] !== TOO_MANY) this.expire();
      if (value["code"] === GONE) return { is: "expired" };
      return { is: "fault", message: `the watch ends: ${text(value["message"]) || text(value["reason"]) || "no reason given"}` };
    }
    const version = text(object(value["metadata"])["resourceVersion"]);
    if (version !== "") this.#version = version;
    switch (event["type"]) {
      case "BOOKMARK":
        return { is: "bookmark" };
      case "ADDED":
      case "MODIFIED":
        return this.#set(this.#read(value));
      case "DELETED": {
        const one = this.#read(value);
        return { is: "changes", changes: this.#objects.delete(keyOf(one)) ? [{ event: "delete", object: one }] : [] };
      }
      default:
        return { is: "fault", message: `the watch brings an event of the unknown type ${JSON.stringify(event["type"])}` };
    }
  }

  /** The version is too old. What is known stays until everything has been listed again. */
  expire(): void {
    this.#version = "";
  }

  #set(one: T): Line<T> {
    const key = keyOf(one);
    const event = this.#objects.has(key) ? "update" : "add";
    if (event === "add" && this.#objects.size >= DISCOVERY_LIMITS.objects)
      return { is: "fault", message: `there are more than ${DISCOVERY_LIMITS.objects} objects: select some` };
    this.#objects.set(key, one);
    return { is: "changes", changes: [{ event, object: one }] };
  }
}

/** How objects are found: those of no namespace by their name alone. */
export const keyOf = ({ meta: { namespace, name } }: KubeObject): string => (namespace === "" ? name : `${namespace}/${name}`);
