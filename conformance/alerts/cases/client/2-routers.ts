import type { Reply, SenderSetup, Settings } from "../../vocabulary.ts";
import { about, seen, sender, sent, signal, unseen, until } from "../phrases.ts";

/** To which routers alerts are sent, and how. */

const C = "configuration.alertmanager-config";
const H = "configuration.http-config";
const T = "configuration.tls-config";
const listed = (settings: Settings, more: Omit<SenderSetup, "do"> = {}): SenderSetup =>
  sender({ lists: [{ ends: ["main"], settings }], ...more });
const field = (name: string, value: string) => ({ see: "every-request", at: "main", is: { fields: { [name]: value } } }) as const;
const basic = (user: string, password: string): string => `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;

const CREDENTIALS: readonly (readonly [
  id: string,
  covers: string,
  title: string,
  value: string,
  settings: Settings,
  files?: SenderSetup["files"],
])[] = [
  ["basic", "basic-auth", "user and password", basic("u", "p w"), { basic_auth: { username: "u", password: "p w" } }],
  [
    "basic-file",
    "basic-auth",
    "user and the password of a file",
    basic("u", "from file"),
    { basic_auth: { username: "u", password_file: "{dir}/password" } },
    { password: "from file" },
  ],
  ["bearer", "authorization", "credentials, of the type Bearer by default", "Bearer token", { authorization: { credentials: "token" } }],
  [
    "own-type",
    "authorization",
    "credentials of the configured type",
    "Key token",
    { authorization: { type: "Key", credentials: "token" } },
  ],
  [
    "bearer-file",
    "authorization",
    "credentials of a file",
    "Bearer from-file",
    { authorization: { credentials_file: "{dir}/token" } },
    { token: "from-file" },
  ],
];

const PATHS: readonly (readonly [id: string, title: string, prefix: string])[] = [
  ["prefix", "a prefix with a slash", "/own"],
  ["prefix-bare", "a prefix without a slash", "own"],
  ["prefix-ends", "a prefix that ends with a slash", "/own/"],
];

/** A router that is well, in one list with one that is not, or in another list. */
const beside = (bad: NonNullable<SenderSetup["ends"]>[string], isOneList: boolean): SenderSetup => {
  const settings = { timeout: "300ms" };
  const lists = isOneList ? [{ ends: ["bad", "main"], settings }] : [{ ends: ["bad"], settings }, { ends: ["main"] }];
  return sender({ ends: { bad, main: {} }, lists, rules: [{ alert: "One" }, { alert: "Two", expr: 'signal{case="{case}"} == 2' }] });
};
const FAULTS: readonly (readonly [id: string, title: string, end: { readonly replies?: readonly Reply[]; readonly isGone?: true }])[] = [
  ["500", "answers with 500", { replies: [{ status: 500 }] }],
  ["400", "answers with 400", { replies: [{ status: 400 }] }],
  ["hang", "does not answer", { replies: [{ how: "hang" }] }],
  ["drop", "ends its connections", { replies: [{ how: "drop" }] }],
  ["gone", "is not there", { isGone: true }],
];
const away: readonly Reply[] = [{ status: 307, location: "{elsewhere}/moved" }];

export const cases = [
  ...PATHS.map(([id, title, prefix]) =>
    sent({
      id: `path-${id}`,
      covers: `${C}/path`,
      title: `The path of the API follows ${title}.`,
      steps: [listed({ path_prefix: prefix }), until("main")],
      see: { see: "every-request", at: "main", is: { path: "/own/api/v2/alerts" } },
    }),
  ),
  sent({
    id: "path-version",
    covers: `${C}/path`,
    title: "With api_version: v2 the path is that of version 2.",
    steps: [listed({ api_version: "v2" }), until("main")],
    see: { see: "every-request", at: "main", is: { path: "/api/v2/alerts" } },
  }),
  sent({
    id: "path-relabelled",
    covers: `${C}/relabel`,
    title: "Relabelling of __alerts_path__ sets the path.",
    steps: [listed({ relabel_configs: [{ target_label: "__alerts_path__", replacement: "/other/path" }] }), until("main")],
    see: { see: "every-request", at: "main", is: { path: "/other/path" } },
  }),
  ...CREDENTIALS.map(([id, covers, title, value, settings, files = {}]) =>
    sent({
      id: `credentials-${id}`,
      covers: `${H}/${covers}`,
      title: `Each request has the configured ${title}.`,
      steps: [listed(settings, { files }), until("main")],
      see: field("authorization", value),
    }),
  ),
  sent({
    id: "header-fields",
    covers: `${H}/headers`,
    title: "Each request has the configured header fields.",
    needs: ["headers"],
    steps: [listed({ http_headers: { "X-Own": { values: ["one"] }, "X-Secret": { secrets: ["two"] } } }), until("main")],
    see: [field("x-own", "one"), field("x-secret", "two")],
  }),
  sent({
    id: "redirect-followed",
    covers: `${H}/follow-redirects`,
    title: "A redirect with 307 is followed.",
    steps: [sender({ ends: { main: { replies: away } } }), until("main", 1, { host: "elsewhere" })],
    see: seen("main", { host: "elsewhere", method: "POST", alerts: [{ labels: { alertname: "Down" } }] }),
  }),
  sent({
    id: "redirect-not-followed",
    covers: `${H}/follow-redirects`,
    title: "With follow_redirects: false a redirect is not followed.",
    steps: [
      sender({
        ends: { main: { replies: away }, well: {} },
        lists: [{ ends: ["main"], settings: { follow_redirects: false } }, { ends: ["well"] }],
      }),
      until("main"),
      until("well"),
      signal(0),
      until("well", 1, { alerts: [{ endsAt: { $past: true } }] }),
    ],
    see: unseen("main", { host: "elsewhere" }),
    control: [sender({ ends: { main: { replies: away } } }), until("main", 1, { host: "elsewhere" })],
  }),
  ...(
    [
      ["bearer", "credentials", { authorization: { credentials: "token" } }],
      ["basic", "user and password", { basic_auth: { username: "u", password: "p" } }],
    ] as const
  ).map(([id, title, settings]) =>
    sent({
      id: `redirect-without-${id}`,
      covers: "rfc9110#15.4/redirect-changes",
      level: "SHOULD",
      title: `A redirect to another host does not get the ${title} of the router.`,
      steps: [
        sender({ ends: { main: { replies: away } }, lists: [{ ends: ["main"], settings }] }),
        until("main", 1, { host: "elsewhere" }),
      ],
      see: unseen("main", { host: "elsewhere", fields: { authorization: { $is: "text" } } }),
    }),
  ),
  sent({
    id: "tls-authority",
    covers: [`${T}/ca`, `${C}/scheme`],
    title: "A router over TLS whose certificate the configured authority has made gets alerts.",
    steps: [
      listed(
        { scheme: "https", tls_config: { ca_file: "{dir}/ca.pem" } },
        { ends: { main: { isTls: true } }, files: { "ca.pem": "{certificate}" } },
      ),
      until("main"),
    ],
    see: seen("main", about({ alertname: "Down" })),
  }),
  sent({
    id: "tls-not-verified",
    covers: [`${T}/skip-verify`, `${C}/scheme`],
    title: "With insecure_skip_verify the certificate of a router is not validated.",
    steps: [listed({ scheme: "https", tls_config: { insecure_skip_verify: true } }, { ends: { main: { isTls: true } } }), until("main")],
    see: seen("main", about({ alertname: "Down" })),
  }),
  sent({
    id: "tls-unknown-authority",
    covers: `${T}/ca`,
    title: "A router over TLS whose certificate is of an unknown authority gets nothing.",
    steps: [
      sender({ ends: { main: { isTls: true }, well: {} }, lists: [{ ends: ["main"], settings: { scheme: "https" } }, { ends: ["well"] }] }),
      until("well"),
      signal(0),
      until("well", 1, { alerts: [{ endsAt: { $past: true } }] }),
    ],
    see: unseen("main"),
    control: [listed({ scheme: "https", tls_config: { insecure_skip_verify: true } }, { ends: { main: { isTls: true } } }), until("main")],
  }),
  sent({
    id: "routers-of-list",
    covers: `${C}/targets`,
    title: "Every router of a list gets the alerts.",
    steps: [
      sender({ ends: { main: {}, two: {}, three: {} }, lists: [{ ends: ["main", "two", "three"] }] }),
      until("main"),
      until("two"),
      until("three"),
    ],
    see: [
      seen("main", about({ alertname: "Down" })),
      seen("two", about({ alertname: "Down" })),
      seen("three", about({ alertname: "Down" })),
    ],
  }),
  sent({
    id: "routers-of-lists",
    covers: `${C}/targets`,
    title: "The routers of every list get the alerts.",
    steps: [
      sender({ ends: { main: {}, two: {} }, lists: [{ ends: ["main"] }, { ends: ["two"], settings: { path_prefix: "/two" } }] }),
      until("main"),
      until("two"),
    ],
    see: [seen("main", { path: "/api/v2/alerts" }), seen("two", { path: "/two/api/v2/alerts" })],
  }),
  sent({
    id: "routers-of-file",
    covers: `${C}/targets`,
    title: "Routers of a file of targets get the alerts.",
    steps: [sender({ lists: [{ ends: ["main"], isListed: true }] }), until("main")],
    see: seen("main", about({ alertname: "Down" })),
  }),
  sent({
    id: "routers-dropped",
    covers: `${C}/relabel`,
    title: "A router that relabelling drops gets nothing.",
    steps: [
      sender({
        ends: { main: {}, well: {} },
        lists: [
          { ends: ["main", "well"], settings: { relabel_configs: [{ source_labels: ["__address__"], regex: "{main}", action: "drop" }] } },
        ],
      }),
      until("well"),
      signal(0),
      until("well", 1, { alerts: [{ endsAt: { $past: true } }] }),
    ],
    see: unseen("main"),
    control: [sender(), until("main")],
  }),
  ...FAULTS.flatMap(([id, title, end]) =>
    (["list", "lists"] as const).map((where) =>
      sent({
        id: `apart-${id}-${where}`,
        covers: [`${C}/apart`, `${C}/timeout`],
        level: "SHOULD",
        title: `A router that ${title} does not keep alerts from another of ${where === "list" ? "the same" : "another"} list.`,
        steps: [
          beside(end, where === "list"),
          until("main", 1, about({ alertname: "One" })),
          signal(2),
          until("main", 1, about({ alertname: "Two" })),
        ],
        see: [seen("main", about({ alertname: "One" })), seen("main", about({ alertname: "Two" }))],
      }),
    ),
  ),
  sent({
    id: "goes-on-after-500",
    covers: `${C}/apart`,
    level: "SHOULD",
    title: "A router that has answered with 500 gets the next alert.",
    steps: [
      sender({
        ends: { main: { replies: [{ status: 500 }, {}] } },
        rules: [{ alert: "One" }, { alert: "Two", expr: 'signal{case="{case}"} == 2' }],
      }),
      until("main"),
      signal(2),
      until("main", 1, about({ alertname: "Two" })),
    ],
    see: seen("main", about({ alertname: "Two" })),
  }),
];
