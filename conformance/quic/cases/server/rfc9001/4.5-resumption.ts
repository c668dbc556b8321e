import { accepted, acceptedWith, connectWith, firstFlightError, permitted, SERVER, shown } from "../../phrases.ts";
import type { Case, CodeName, ConnectSpec, Row, Step } from "../../../vocabulary.ts";

const fence: Step = { do: "fence" };
const resume: Step = connectWith({ resume: {} });

/** An offer of a session that the server refuses with an alert. The first flight carries it, so the server may also keep silent. */
const offer = ({
  with: wrong,
  alert,
  others = [],
  ...row
}: Row<"covers" | "spec"> & {
  readonly with: ConnectSpec;
  readonly alert: readonly CodeName[];
  readonly others?: Case["allowed"] | readonly [];
}): Case => {
  const [first, ...rest] = firstFlightError(alert);
  return {
    level: "MUST",
    role: "server",
    needs: ["resumption"],
    steps: [{ do: "connect", impatient: true, resume: {}, ...wrong }],
    control: [resume],
    allowed: [first, ...others, ...rest],
    fence: "connection",
    ...row,
  };
};

/** Sessions of earlier connections (rfc9001#4.5, rfc8446#4.2.9, #4.2.11, #4.6.1). */
export const cases: readonly Case[] = [
  {
    id: "quic/resumption",
    spec: "rfc8446#4.2.11",
    covers: ["rfc8446#4.2.11/resumes"],
    level: "SHOULD",
    role: "server",
    title: "The server completes a handshake with a client that offers the session of an earlier connection.",
    needs: ["resumption"],
    steps: [resume],
    control: [connectWith({})],
    allowed: acceptedWith({ see: "resumed" }),
  },
  {
    id: "quic/ticket-of-nobody",
    spec: "rfc8446#4.2.11",
    covers: ["rfc8446#4.2.11/full-handshake"],
    level: "SHOULD",
    role: "server",
    title: "The server makes a full handshake with a client whose ticket it has not issued.",
    needs: ["resumption"],
    steps: [connectWith({ resume: { offer: { ticket: "other" } } })],
    control: [resume],
    allowed: accepted,
  },
  offer({
    id: "quic/psk-binder-wrong",
    spec: "rfc8446#4.2.11",
    covers: ["rfc8446#4.2.11/binder"],
    title: "The server refuses an offer of its ticket whose binder is wrong with decrypt_error.",
    with: { resume: { offer: { binder: "wrong" } } },
    alert: ["alert decrypt_error", "alert illegal_parameter"],
  }),
  offer({
    id: "quic/psk-binder-missing",
    spec: "rfc8446#4.2.11",
    covers: ["rfc8446#4.2.11/binder"],
    title: "The server refuses an offer of two tickets with one binder if it would resume the session of the second.",
    with: { resume: { offer: { binder: "missing" } } },
    alert: ["alert illegal_parameter", "alert decrypt_error", "alert decode_error"],
    // It need not look at a second one.
    others: [permitted({ see: "full handshake" }, "rfc8446#4.2.11")],
  }),
  offer({
    id: "quic/psk-not-last",
    spec: "rfc8446#4.2.11",
    covers: ["rfc8446#4.2.11/last"],
    title: "The server refuses a ClientHello in which another extension follows pre_shared_key with illegal_parameter.",
    with: { resume: {}, hello: { add: { type: 0x7a7a, hex: "00" } } },
    alert: ["alert illegal_parameter"],
  }),
  offer({
    id: "quic/psk-without-modes",
    spec: "rfc8446#4.2.9",
    covers: ["rfc8446#4.2.9/modes-required"],
    title: "The server refuses a ClientHello with pre_shared_key but without psk_key_exchange_modes.",
    with: { resume: {}, hello: { without: ["psk_key_exchange_modes"] } },
    alert: ["alert missing_extension", "alert illegal_parameter"],
  }),
  shown(SERVER, {
    id: "quic/server-draws-ticket-age-add",
    covers: ["rfc8446#4.6.1/age-add"],
    monitor: "ticket-ages-fresh",
    title: "The server draws another ticket_age_add for each ticket.",
    needs: ["resumption"],
    steps: [resume, fence],
  }),
];
