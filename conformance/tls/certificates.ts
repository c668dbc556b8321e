import { createPrivateKey } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeCertificate } from "../../reference/io/index.ts";
import { WrongUse } from "../harness/driver.ts";
import type { Certificate } from "../harness/subject/certificate.ts";
import { type CertificateName, MISNAMED, type Names } from "./vocabulary.ts";

/** The authority and the certificates of one run. */

const DAY = 86_400_000;
const OURS: Names = { dns: ["localhost"], ip: ["127.0.0.1"] };

type Purpose = "server" | "client";
type Wanted = {
  readonly name: string;
  readonly purpose: Purpose;
  readonly days?: readonly [from: number, to: number];
  /** With `common` in place of `name`. */
  readonly names?: Names;
  readonly isAuthority?: true;
  /** Undefined for a self-signed certificate. */
  readonly by?: Certificate;
};

const make = ({ name, purpose, days = [-1, 2], names = OURS, isAuthority, by }: Wanted): Promise<Certificate> =>
  makeCertificate({
    name: names.common ?? name,
    key: by === undefined || createPrivateKey(by.key).asymmetricKeyType === "ec" ? "ec" : "rsa",
    valid: [new Date(Date.now() + days[0] * DAY), new Date(Date.now() + days[1] * DAY)],
    hosts: names,
    purpose: isAuthority === true ? "authority" : purpose,
    ...(by !== undefined && { issuer: by }),
  });

const AUTHORITY = "Touchstone test authority";
const anAuthority = (name: string): Promise<Certificate> => make({ name, purpose: "client", isAuthority: true, days: [-1, 365] });

/** An authority, and the certificates of it and of others for one end, each made when it is first needed. */
export class Wallet {
  readonly authority: Promise<Certificate>;
  readonly #purpose: Purpose;
  readonly #made = new Map<CertificateName, Promise<Certificate>>();

  constructor(purpose: Purpose, authority: Promise<Certificate> = anAuthority(AUTHORITY)) {
    this.#purpose = purpose;
    this.authority = authority;
  }

  /** A wallet of the same authority for the other end. */
  other(): Wallet {
    return new Wallet(this.#purpose === "client" ? "server" : "client", this.authority);
  }

  get(name: CertificateName): Promise<Certificate> {
    const known = this.#made.get(name) ?? this.#make(name);
    this.#made.set(name, known);
    return known;
  }

  async #make(name: CertificateName): Promise<Certificate> {
    const purpose = this.#purpose;
    const good = { name: `${purpose} ${name}`, purpose, by: await this.authority };
    switch (name) {
      case "good":
        return make(good);
      case "expired":
        return make({ ...good, days: [-3, -1] });
      case "early":
        return make({ ...good, days: [1, 3] });
      case "purpose":
        return make({ ...good, purpose: purpose === "client" ? "server" : "client" });
      case "stranger":
        return make({ ...good, by: await anAuthority("A stranger") });
      case "namesake":
        return make({ ...good, by: await anAuthority(AUTHORITY) });
      case "self":
        return make({ name: good.name, purpose });
      case "leaf": {
        const issuer = await this.get("good");
        const leaf = await make({ ...good, by: issuer });
        return { cert: `${leaf.cert.trim()}\n${issuer.cert}`, key: leaf.key };
      }
      default:
        return make({ ...good, names: MISNAMED[name] });
    }
  }
}

/** Writes an authority, and a certificate of it for each end, into a folder. */
export async function writeAuthority(folder: string): Promise<void> {
  const clients = new Wallet("client");
  const [authority, client, server] = await Promise.all([clients.authority, clients.get("good"), clients.other().get("good")]);
  mkdirSync(folder, { recursive: true });
  for (const [name, { cert, key }] of Object.entries({ ca: authority, client, server })) {
    writeFileSync(join(folder, `${name}.pem`), cert);
    writeFileSync(join(folder, `${name}-key.pem`), key, { mode: 0o600 });
  }
  process.stdout.write(
    `Wrote ca.pem, server.pem, client.pem and their keys to ${folder}. Let the server require client certificates of ca.pem, then:\n` +
      `  touchstone check tls https://127.0.0.1:8443/ --authority ${folder}\n`,
  );
}

/** Reads the authority of a folder: ca.pem and ca-key.pem. */
export function readAuthority(folder: string): Certificate {
  try {
    const [cert, key] = ["ca.pem", "ca-key.pem"].map((name) => readFileSync(join(folder, name), "utf8"));
    return {
      cert: cert ?? "",
      key: createPrivateKey(key ?? "")
        .export({ type: "pkcs8", format: "pem" })
        .toString(),
    };
  } catch (error) {
    throw new WrongUse(
      `--authority ${folder} needs ca.pem and ca-key.pem in PEM: ${(error as Error).message}. --certificates writes them.`,
    );
  }
}
