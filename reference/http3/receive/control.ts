import { Reader, readVarint } from "../../core/index.ts";
import { charge, fail, giveUp } from "../endings.ts";
import type { Endpoint } from "../endpoint.ts";
import { fault, type FaultName } from "../faults.ts";
import type { FrameReader } from "../frame/reader.ts";
import { misplaced, type FrameName } from "../frame/type.ts";
import { isReduced, readSettings } from "../settings.ts";
import { isOpenedBy, isRequestId, streamId } from "../stream/id.ts";

/** The control stream of the peer: SETTINGS first, then what concerns the connection (rfc9114#6.2.1). */

/** Pushes that we have promised or could have: none. */
const NO_PUSH = -1;

export function readControl(e: Endpoint, id: number, reader: FrameReader, octets: Uint8Array): void {
  reader.push(octets);
  while (!e.isOver) {
    const unit = reader.next();
    e.transport.consumed(id, reader.takeConsumed());
    if (unit === undefined) return;
    if (unit.is === "head") onHead(e, unit.name);
    else if (unit.is === "frame") onFrame(e, unit.name, unit.payload);
    else fail(e, fault("frameTooLarge"));
  }
}

function onHead(e: Endpoint, name: FrameName | undefined): void {
  if (!e.hasPeerSettings && name !== "SETTINGS") return fail(e, fault("settingsMissing"));
  if (name === undefined) return void charge(e, "unknownFrames");
  if (e.hasPeerSettings && name === "SETTINGS") return fail(e, fault("settingsTwice"));
  const wrong = misplaced(name, "control", e.side);
  return wrong === undefined ? undefined : fail(e, fault(wrong));
}

function onFrame(e: Endpoint, name: FrameName, payload: Uint8Array): void {
  switch (name) {
    case "SETTINGS":
      return onSettings(e, payload);
    case "PRIORITY_UPDATE":
    case "PRIORITY_UPDATE_PUSH":
      return onPriority(e, name, payload);
    default:
      return onInteger(e, name, payload);
  }
}

function onSettings(e: Endpoint, payload: Uint8Array): void {
  const settings = readSettings(payload);
  if ("is" in settings) return fail(e, settings);
  if (e.promised !== undefined && isReduced(settings, e.promised)) return fail(e, fault("settingsReduced"));
  e.peer = settings;
  e.hasPeerSettings = true;
  const wrong = e.encoder.settings({ maxTableCapacity: settings.qpackMaxTableCapacity, maxBlockedStreams: settings.qpackBlockedStreams });
  if (wrong !== undefined) return fail(e, fault("decoderStreamWrong"));
  return e.emit({ is: "settings", settings });
}

/** Frames that consist of one integer: it has to fill the payload (rfc9114#7.1). */
function onInteger(e: Endpoint, name: FrameName, payload: Uint8Array): void {
  const reader = new Reader(payload);
  const value = readVarint(reader);
  if (reader.short) return fail(e, fault("frameTruncated"));
  if (reader.left > 0) return fail(e, fault("frameTooLong"));
  const wrong = INTEGERS[name as keyof typeof INTEGERS](e, value, payload);
  return wrong === undefined ? void charge(e, "controls") : fail(e, fault(wrong));
}

const INTEGERS = {
  GOAWAY: onGoaway,
  CANCEL_PUSH: (_: Endpoint, id: number): FaultName | undefined => (id > NO_PUSH ? "cancelPushUnknown" : undefined),
  MAX_PUSH_ID: (e: Endpoint, id: number): FaultName | undefined => {
    if (id < e.maxPushId) return "maxPushIdFalls";
    e.maxPushId = id;
    return undefined;
  },
} as const;

/** A client learns which requests are processed; a server, which pushes (rfc9114#5.2, #7.2.6). */
function onGoaway(e: Endpoint, last: number, payload: Uint8Array): FaultName | undefined {
  // The last octet has the bits that count, and is exact.
  if (e.side === "client" && !isRequestId(payload.at(-1)!)) return "goawayIdInvalid";
  if (e.peerLast !== undefined && last > e.peerLast) return "goawayIdRises";
  e.peerLast = last;
  if (e.side === "server") return undefined;
  for (const { ticket } of e.waiting.splice(0)) e.emit({ is: "unopened", ticket });
  for (const stream of e.streams) {
    if (stream.id < last || stream.isGivenUp) continue;
    stream.isGivenUp = true;
    e.emit({ is: "reset", stream: stream.id, code: "H3_REQUEST_REJECTED", by: "peer" });
    giveUp(e, stream, "H3_REQUEST_CANCELLED");
  }
  e.emit({ is: "goaway", last: streamId(last) });
  return undefined;
}

/** Server: the priority of a request, perhaps before it begins (rfc9218#7.2). It is checked, and not acted upon: streams take turns. */
function onPriority(e: Endpoint, name: "PRIORITY_UPDATE" | "PRIORITY_UPDATE_PUSH", payload: Uint8Array): void {
  const reader = new Reader(payload);
  const id = readVarint(reader);
  if (reader.short) return fail(e, fault("frameTruncated"));
  const isGood = name === "PRIORITY_UPDATE" && isRequestId(id) && isOpenedBy("client", id);
  if (!isGood) return fail(e, fault("priorityUpdateIdInvalid"));
  return void charge(e, "priorities");
}
