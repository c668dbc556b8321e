import type { Level } from "../reference/core/index.ts";

/** Sections with a few requirements each, shaped like the real ones, for the sample results. */
export type Rule = readonly [slug: string, level: Level, text: string, expected: string, mistake: string, twin: string];
export type Section = readonly [section: string, title: string, rules: readonly Rule[]];

const goaway = (code: string): string => `GOAWAY ${code}`;
export const SECTIONS: readonly Section[] = [
  [
    "3.4",
    "HTTP/2 Connection Preface",
    [
      [
        "preface-wrong",
        "MUST",
        "A preface with other octets ends the connection.",
        goaway("PROTOCOL_ERROR"),
        "preface PRI * HTTP/3.0",
        "preface PRI * HTTP/2.0",
      ],
      [
        "preface-in-single-octets",
        "MUST",
        "A preface that comes octet by octet is taken.",
        "SETTINGS ACK",
        "preface in 24 writes",
        "preface in one write",
      ],
    ],
  ],
  [
    "4.2",
    "Frame Size",
    [
      [
        "data-beyond-max-frame-size",
        "MUST",
        "A DATA frame longer than SETTINGS_MAX_FRAME_SIZE is answered with FRAME_SIZE_ERROR.",
        "RST_STREAM 1 FRAME_SIZE_ERROR",
        "DATA stream 1 16385 octets",
        "DATA stream 1 16384 octets",
      ],
      [
        "headers-beyond-max-frame-size",
        "MUST",
        "A HEADERS frame that is too long is a connection error, since it changes the field compression state.",
        goaway("FRAME_SIZE_ERROR"),
        "HEADERS stream 1 16385 octets",
        "HEADERS stream 1 16384 octets",
      ],
    ],
  ],
  [
    "5.1",
    "Stream States",
    [
      [
        "data-on-idle-stream",
        "MUST",
        "DATA on a stream that was never opened ends the connection.",
        goaway("PROTOCOL_ERROR"),
        "DATA stream 5 END_STREAM",
        "DATA stream 1 END_STREAM",
      ],
      [
        "headers-on-closed-stream",
        "MUST",
        "HEADERS on a stream that both ends have closed ends the connection with STREAM_CLOSED.",
        goaway("STREAM_CLOSED"),
        "HEADERS stream 1 END_STREAM again",
        "HEADERS stream 3 END_STREAM",
      ],
      [
        "priority-in-every-state",
        "MUST",
        "PRIORITY is taken in every state of a stream.",
        "a response on stream 3",
        "PRIORITY stream 7",
        "PRIORITY stream 1",
      ],
    ],
  ],
  [
    "5.1.2",
    "Stream Concurrency",
    [
      [
        "streams-beyond-the-limit",
        "MUST",
        "A stream beyond the announced limit is refused with PROTOCOL_ERROR or REFUSED_STREAM.",
        "RST_STREAM REFUSED_STREAM",
        "101 HEADERS without END_STREAM",
        "100 HEADERS without END_STREAM",
      ],
    ],
  ],
  [
    "6.1",
    "DATA",
    [
      [
        "data-padding-too-long",
        "MUST",
        "Padding that fills the payload or more ends the connection.",
        goaway("PROTOCOL_ERROR"),
        "DATA stream 1 PADDED pad length 9 of 5 octets",
        "DATA stream 1 PADDED pad length 4 of 5 octets",
      ],
      [
        "data-padding-counts",
        "MUST",
        "Padding counts against the window of the stream and of the connection.",
        "WINDOW_UPDATE stream 0",
        "DATA stream 1 PADDED 255",
        "DATA stream 1",
      ],
    ],
  ],
  [
    "6.4",
    "RST_STREAM",
    [
      [
        "rst-stream-on-idle",
        "MUST",
        "RST_STREAM on an idle stream ends the connection.",
        goaway("PROTOCOL_ERROR"),
        "RST_STREAM stream 9 CANCEL",
        "RST_STREAM stream 1 CANCEL",
      ],
    ],
  ],
  [
    "6.5.2",
    "Defined Settings",
    [
      [
        "enable-push-two",
        "MUST",
        "SETTINGS_ENABLE_PUSH with a value other than 0 or 1 ends the connection.",
        goaway("PROTOCOL_ERROR"),
        "SETTINGS ENABLE_PUSH 2",
        "SETTINGS ENABLE_PUSH 0",
      ],
      [
        "initial-window-too-large",
        "MUST",
        "An initial window above 2^31-1 ends the connection with FLOW_CONTROL_ERROR.",
        goaway("FLOW_CONTROL_ERROR"),
        "SETTINGS INITIAL_WINDOW_SIZE 2147483648",
        "SETTINGS INITIAL_WINDOW_SIZE 2147483647",
      ],
    ],
  ],
  [
    "6.7",
    "PING",
    [
      [
        "ping-payload-returned",
        "MUST",
        "A PING is answered with the same eight octets.",
        "PING ACK 0102030405060708",
        "PING 0102030405060708",
        "PING 0000000000000000",
      ],
    ],
  ],
  [
    "6.9",
    "WINDOW_UPDATE",
    [
      [
        "window-update-zero-on-stream",
        "MUST",
        "An increment of 0 on a stream is a stream error of type PROTOCOL_ERROR.",
        "RST_STREAM 1 PROTOCOL_ERROR",
        "WINDOW_UPDATE stream 1 increment 0",
        "WINDOW_UPDATE stream 1 increment 1",
      ],
      [
        "window-update-three-octets",
        "MUST",
        "A WINDOW_UPDATE of a length other than 4 is a connection error of type FRAME_SIZE_ERROR.",
        goaway("FRAME_SIZE_ERROR"),
        "WINDOW_UPDATE stream 0 length 3",
        "WINDOW_UPDATE stream 0 increment 1",
      ],
      [
        "window-overflow",
        "MUST",
        "A window that grows past 2^31-1 is a FLOW_CONTROL_ERROR.",
        "RST_STREAM 1 FLOW_CONTROL_ERROR",
        "WINDOW_UPDATE stream 1 increment 2147483647",
        "WINDOW_UPDATE stream 1 increment 1",
      ],
    ],
  ],
  [
    "8.2.1",
    "Field Validity",
    [
      [
        "field-name-upper-case",
        "MUST",
        "A field name with an upper-case letter makes the request malformed.",
        "RST_STREAM 1 PROTOCOL_ERROR",
        "HEADERS stream 1 X-Upper: 1",
        "HEADERS stream 1 x-lower: 1",
      ],
      [
        "field-value-nul",
        "MUST",
        "A NUL in a field value makes the request malformed.",
        "RST_STREAM 1 PROTOCOL_ERROR",
        "HEADERS stream 1 x: a\\x00b",
        "HEADERS stream 1 x: ab",
      ],
    ],
  ],
  [
    "8.3.1",
    "Request Pseudo-Header Fields",
    [
      [
        "path-empty",
        "MUST",
        "An empty :path makes the request malformed.",
        "RST_STREAM 1 PROTOCOL_ERROR",
        "HEADERS stream 1 :path (empty)",
        "HEADERS stream 1 :path /",
      ],
    ],
  ],
  [
    "10.5",
    "Denial-of-Service Considerations",
    [
      [
        "refuses-many-empty-frames",
        "SHOULD",
        "A long run of empty frames is treated as suspicious.",
        goaway("ENHANCE_YOUR_CALM"),
        "10000 DATA stream 1 0 octets",
        "10 DATA stream 1 0 octets",
      ],
    ],
  ],
];
