import { role, type Settings, type Suite } from "../harness/suite.ts";

/** The folder of the authority, by --authority. */
const folderOf = ({ authority }: Settings): string | undefined => (authority === undefined ? undefined : String(authority));

export const suite: Suite = {
  about: "mutual TLS under HTTP/1.1, HTTP/2 and WebSocket (RFC 8446, RFC 5280)",
  roles: {
    server: role({
      cases: async () => (await import("./cases/load.ts")).loadCases("server"),
      driver: async ({ url, authority: own }, { settings, timeout = 2000, verify }) => {
        const { readAuthority, Wallet } = await import("./certificates.ts");
        const { ServerDriver } = await import("./driver/index.ts");
        const folder = folderOf(settings);
        const authority = own ?? (folder === undefined ? undefined : readAuthority(folder));
        const wallet = authority === undefined ? undefined : new Wallet("client", Promise.resolve(authority));
        return new ServerDriver({ url, timeout, verify, wallet });
      },
      concurrency: 8,
      words: async () => {
        const { SERVER_FEATURES } = await import("./driver/index.ts");
        const { REFUSALS } = await import("./vocabulary.ts");
        return { features: Object.keys(SERVER_FEATURES), monitors: [], refusals: REFUSALS };
      },
      embedded: {
        name: "touchstone's own server",
        subjects: [
          {
            start: async () => {
              const { Wallet } = await import("./certificates.ts");
              const clients = new Wallet("client");
              const { subject, ...rest } = await (await import("./embedded/server.ts")).startServer(clients);
              return { subject: { ...subject, authority: await clients.authority }, ...rest };
            },
          },
        ],
      },
    }),
    client: role({
      cases: async () => (await import("./cases/load.ts")).loadCases("client"),
      driver: async ({ client }, { timeout = 2000 }) => new (await import("./driver/index.ts")).ClientDriver({ client, timeout }),
      concurrency: 4,
      words: async () => {
        const { CLIENT_FEATURES } = await import("./driver/index.ts");
        const { REFUSALS } = await import("./vocabulary.ts");
        return { features: Object.keys(CLIENT_FEATURES), monitors: [], refusals: REFUSALS };
      },
      embedded: {
        name: "touchstone's own client",
        subjects: [{ start: async () => ({ subject: { client: (await import("./embedded/client.ts")).client } }) }],
      },
    }),
  },
  flags: [
    {
      name: "authority",
      value: "<folder>",
      about:
        "a folder with the authority whose client certificates the server accepts (ca.pem, ca-key.pem); it issues the certificates of the run",
    },
    {
      name: "certificates",
      value: "<folder>",
      about: "write such an authority, with a certificate for the server and one for a client, and exit",
      instead: async (folder) => (await import("./certificates.ts")).writeAuthority(folder),
    },
  ],
  examples: [
    ["tls --certificates ./pki", "certificates for a server under test"],
    ["tls https://127.0.0.1:8443/ --authority ./pki", "a server that requires client certificates of ./pki/ca.pem"],
    ["tls --client 'curl -s --cacert {ca} --cert {cert} --key {key} {url}'"],
  ],
};
