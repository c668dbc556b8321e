/** The receiving part of a stream as one table (rfc9000#3.2). */
export type RecvState = "recv" | "sizeKnown" | "dataRecvd" | "resetRecvd" | "dataRead" | "resetRead";

export type RecvInput =
  | "recv STREAM"
  | "recv FIN"
  /** The last gap was filled. */
  | "recv all data"
  | "recv RESET_STREAM"
  /** The application has got everything, with the end. */
  | "app read all data"
  | "app read reset";

type Cell = RecvState | "stay" | "ignore" | "misuse";

/** Total: a cell that is left out does not compile. What breaks the final size is refused before the table is asked (rfc9000#4.5). */
export const RECV_TABLE: Readonly<Record<RecvState, Readonly<Record<RecvInput, Cell>>>> = {
  recv: {
    "recv STREAM": "stay",
    "recv FIN": "sizeKnown",
    "recv all data": "misuse",
    "recv RESET_STREAM": "resetRecvd",
    "app read all data": "misuse",
    "app read reset": "misuse",
  },
  sizeKnown: {
    "recv STREAM": "stay",
    "recv FIN": "stay",
    "recv all data": "dataRecvd",
    "recv RESET_STREAM": "resetRecvd",
    "app read all data": "misuse",
    "app read reset": "misuse",
  },
  dataRecvd: {
    "recv STREAM": "ignore",
    "recv FIN": "ignore",
    "recv all data": "misuse",
    "recv RESET_STREAM": "ignore",
    "app read all data": "dataRead",
    "app read reset": "misuse",
  },
  resetRecvd: {
    "recv STREAM": "ignore",
    "recv FIN": "ignore",
    "recv all data": "misuse",
    "recv RESET_STREAM": "ignore",
    "app read all data": "misuse",
    "app read reset": "resetRead",
  },
  dataRead: {
    "recv STREAM": "ignore",
    "recv FIN": "ignore",
    "recv all data": "misuse",
    "recv RESET_STREAM": "ignore",
    "app read all data": "misuse",
    "app read reset": "misuse",
  },
  resetRead: {
    "recv STREAM": "ignore",
    "recv FIN": "ignore",
    "recv all data": "misuse",
    "recv RESET_STREAM": "ignore",
    "app read all data": "misuse",
    "app read reset": "misuse",
  },
};

/** Nothing more will be received, and nothing is kept. */
export const isRecvDone = (state: RecvState): boolean => state === "dataRead" || state === "resetRead";
