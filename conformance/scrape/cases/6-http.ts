import type { Answer, Settings, Sight, Step } from "../vocabulary.ts";
import { bad, failing, good, LEAK, made, NOT_LEAKED, page, text } from "./phrases.ts";

/** Credentials, redirects, statuses, TLS. */

const H = "configuration.http-config";
const T = "configuration.tls-config";
const field = (name: string, value: string): Sight => ({ see: "asks", rule: "field", words: [name, value] });
const basic = (user: string, password: string): string => `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
const BASIC: Settings = { basic_auth: { username: "u", password: "p w" } };
const BEARER: Settings = { authorization: { credentials: "token" } };

const CREDENTIALS: readonly (readonly [
  id: string,
  covers: string,
  title: string,
  value: string,
  settings: Settings,
  files?: Step["files"],
])[] = [
  ["basic", "basic-auth", "user and password", basic("u", "p w"), BASIC],
  [
    "basic-file",
    "basic-auth",
    "user and the password of a file",
    basic("u", "from file"),
    { basic_auth: { username: "u", password_file: "{dir}/password" } },
    { password: "from file" },
  ],
  ["bearer", "authorization", "credentials, of the type Bearer by default", "Bearer token", BEARER],
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

const redirect = (status: number, location: string): Answer => ({ status, type: null, fields: { location } });
const SECOND = { "/second": { page: text(1, "a 7") } };
const A7: Sight = { see: "stored", name: "a", value: 7, stage: 1 };
/** Redirected to another host, which answers. */
const away = { answer: redirect(302, "{elsewhere}/page"), at: { elsewhere: { page: text(1, "a 7") } } };
const LOOP = { answer: redirect(302, "/second"), at: { "/second": redirect(302, "/third"), "/third": redirect(302, "/second") } };

export const cases = [
  ...CREDENTIALS.map(([id, covers, title, value, settings, files = {}]) =>
    made({
      id: `credentials-${id}`,
      covers: `${H}/${covers}`,
      title: `Each request has the configured ${title}.`,
      settings,
      files,
      see: field("authorization", value),
    }),
  ),
  made({
    id: "header-fields",
    covers: `${H}/headers`,
    title: "Each request has the configured header fields, also those of files.",
    settings: { http_headers: { "X-Own": { values: ["one"] }, "X-Secret": { secrets: ["two"] }, "X-File": { files: ["{dir}/three"] } } },
    files: { three: "three" },
    needs: ["headers"],
    see: [field("x-own", "one"), field("x-secret", "two"), field("x-file", "three")],
  }),
  made({
    id: "credentials-none",
    covers: `${H}/authorization`,
    title: "A job without credentials sends none.",
    see: { see: "asks", rule: "field", words: ["authorization", ""] },
  }),
  ...[301, 302, 303, 307, 308].map((status) =>
    made({
      id: `redirect-${status}`,
      covers: `${H}/follow-redirects`,
      title: `A redirect with ${status} is followed.`,
      stages: [good(redirect(status, "/second"), { at: SECOND })],
      see: [A7, { see: "asks", rule: "get" }],
    }),
  ),
  made({
    id: "redirect-twice",
    covers: `${H}/follow-redirects`,
    title: "Redirects in a row are followed.",
    stages: [
      good(redirect(302, "/first"), {
        at: { "/first": redirect(301, "{target}/second".replace("{target}", "http://{target}")), ...SECOND },
      }),
    ],
    see: A7,
  }),
  made({
    id: "redirect-not-followed",
    covers: `${H}/follow-redirects`,
    title: "With follow_redirects: false a redirect is not followed.",
    settings: { follow_redirects: false },
    stages: [bad(redirect(302, "/second"), { at: { "/second": { page: `${LEAK}\n` } } }), page(2)],
    see: [{ see: "asks", rule: "never-follows", words: ["/second"] }, NOT_LEAKED],
    control: [page(1)],
  }),
  made({
    id: "redirect-keeps-credentials",
    covers: `${H}/authorization`,
    title: "A redirect within the target keeps the credentials.",
    settings: BEARER,
    stages: [good(redirect(302, "/second"), { at: SECOND })],
    see: [field("authorization", "Bearer token"), { see: "asks", rule: "follows", words: ["/second"] }],
  }),
  made({
    id: "redirect-keeps-basic",
    covers: `${H}/basic-auth`,
    title: "A redirect within the target keeps user and password.",
    settings: BASIC,
    stages: [good(redirect(307, "/second"), { at: SECOND })],
    see: [field("authorization", basic("u", "p w")), { see: "asks", rule: "follows", words: ["/second"] }],
  }),
  made({
    id: "redirect-elsewhere",
    covers: `${H}/follow-redirects`,
    title: "A redirect to another host is followed.",
    stages: [good(away.answer, { at: away.at })],
    see: A7,
  }),
  ...(
    [
      ["bearer", "credentials", BEARER],
      ["basic", "user and password", BASIC],
    ] as const
  ).map(([id, what, settings]) =>
    made({
      id: `redirect-elsewhere-without-${id}`,
      covers: "rfc9110#15.4/redirect-changes",
      level: "SHOULD",
      title: `A redirect to another host does not get the ${what} of the target.`,
      settings: settings,
      stages: [good(away.answer, { at: away.at })],
      see: { see: "asks", rule: "keeps-to-itself", words: ["authorization"] },
    }),
  ),
  made({
    id: "redirect-circle",
    covers: "rfc9110#15.4/loops",
    level: "SHOULD",
    title: "Redirects in a circle come to an end.",
    stages: [{ ...LOOP, until: 25 }, page(2)],
    see: [NOT_LEAKED, { see: "asks", rule: "follows-at-most", words: ["/metrics", "20"] }],
    control: [page(1)],
  }),
  ...[401, 403, 404, 500, 503].map((status) =>
    failing({
      id: `status-${status}`,
      covers: "rfc9110#15/class",
      level: "SHOULD",
      title: `The page of a response with the status ${status} is not stored.`,
      answer: { status, page: `${LEAK}\n` },
    }),
  ),
  made({
    id: "tls-authority",
    covers: `${T}/ca`,
    title: "A target over TLS whose certificate the configured authority has made is scraped.",
    isTls: true,
    settings: { scheme: "https", tls_config: { ca_file: "{dir}/ca.pem" } },
    files: { "ca.pem": "{certificate}" },
    stages: [page(1, "a 7")],
    see: A7,
  }),
  made({
    id: "tls-unknown-authority",
    covers: `${T}/ca`,
    title: "A target over TLS whose certificate is of an unknown authority is not scraped.",
    isTls: true,
    settings: { scheme: "https" },
    stages: [{ answer: { page: `${LEAK}\n` }, until: "others" }],
    see: [{ see: "keeps", rule: "is-left-alone" }, NOT_LEAKED],
    control: [page(1)],
    controlSettings: { scheme: "https", tls_config: { insecure_skip_verify: true } },
  }),
  made({
    id: "tls-not-verified",
    covers: `${T}/skip-verify`,
    title: "With insecure_skip_verify the certificate is not validated.",
    isTls: true,
    settings: { scheme: "https", tls_config: { insecure_skip_verify: true } },
    stages: [page(1, "a 7")],
    see: A7,
  }),
];
