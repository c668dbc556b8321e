/** The sending part of a stream as one table (rfc9000#3.1). */
export type SendState = "ready" | "send" | "dataSent" | "resetSent" | "dataRecvd" | "resetRecvd";

export type SendInput =
  /** Octets leave, or the end without octets is still to come. */
  | "send STREAM"
  | "send FIN"
  | "send RESET_STREAM"
  /** Everything, with the end, is acknowledged. */
  | "recv all ACKs"
  | "recv ACK of RESET_STREAM";

type Cell = SendState | "stay" | "ignore" | "misuse";

/** Total: a cell that is left out does not compile. `ignore` is late and without effect, `misuse` is for the caller to avoid. */
export const SEND_TABLE: Readonly<Record<SendState, Readonly<Record<SendInput, Cell>>>> = {
  ready: {
    "send STREAM": "send",
    "send FIN": "dataSent",
    "send RESET_STREAM": "resetSent",
    "recv all ACKs": "ignore",
    "recv ACK of RESET_STREAM": "ignore",
  },
  send: {
    "send STREAM": "stay",
    "send FIN": "dataSent",
    "send RESET_STREAM": "resetSent",
    "recv all ACKs": "ignore",
    "recv ACK of RESET_STREAM": "ignore",
  },
  dataSent: {
    "send STREAM": "stay",
    "send FIN": "stay",
    "send RESET_STREAM": "resetSent",
    "recv all ACKs": "dataRecvd",
    "recv ACK of RESET_STREAM": "ignore",
  },
  resetSent: {
    "send STREAM": "misuse",
    "send FIN": "misuse",
    "send RESET_STREAM": "stay",
    "recv all ACKs": "ignore",
    "recv ACK of RESET_STREAM": "resetRecvd",
  },
  dataRecvd: {
    "send STREAM": "misuse",
    "send FIN": "misuse",
    "send RESET_STREAM": "ignore",
    "recv all ACKs": "stay",
    "recv ACK of RESET_STREAM": "ignore",
  },
  resetRecvd: {
    "send STREAM": "misuse",
    "send FIN": "misuse",
    "send RESET_STREAM": "ignore",
    "recv all ACKs": "ignore",
    "recv ACK of RESET_STREAM": "stay",
  },
};

/** Nothing more will be sent, and nothing is waited for. */
export const isSendDone = (state: SendState): boolean => state === "dataRecvd" || state === "resetRecvd";
