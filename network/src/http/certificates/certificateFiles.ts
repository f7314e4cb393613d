import { X509Certificate } from 'node:crypto';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../../../common/machine/makeFolder.ts';
import { type KeyPairPem, makeAuthority, makeServerCertificate } from './certificateAuthority.ts';

/** A certificate is replaced when it is valid for less than this. */
const RENEWAL_MILLISECONDS = 30 * 86_400_000;

/** The certificates that a server needs for TLS, and a client to trust it. */
export interface ServerCertificates {
  /** PEM file of the authority; null when it is in memory only. */
  readonly authorityFile: string | null;
  readonly authority: string;
  readonly server: KeyPairPem;
}

/**
 * The certificates of a data folder, created at the first start and whenever they are about to expire. Keys have mode 0600.
 * @param folder undefined: creates new ones, in memory
 */
export async function openCertificates(
  folder: string | undefined,
  now: Date,
): Promise<ServerCertificates> {
  if (folder === undefined) {
    const authority = await makeAuthority(now);
    const server = await makeServerCertificate(authority, now);
    return { authorityFile: null, authority: authority.certificate, server };
  }
  const files = join(folder, 'tls');
  makeFolder(files);
  let authority = read(files, 'ca', now);
  let server = read(files, 'server', now);
  if (authority === undefined) {
    authority = await makeAuthority(now);
    write(files, 'ca', authority);
    server = undefined;
  }
  if (server === undefined || !issuedBy(server, authority)) {
    server = await makeServerCertificate(authority, now);
    write(files, 'server', server);
  }
  return { authorityFile: join(files, 'ca.pem'), authority: authority.certificate, server };
}

function read(folder: string, name: string, now: Date): KeyPairPem | undefined {
  try {
    const certificate = readFileSync(join(folder, `${name}.pem`), 'utf8');
    const key = readFileSync(join(folder, `${name}.key`), 'utf8');
    const left = Date.parse(new X509Certificate(certificate).validTo) - now.getTime();
    return left < RENEWAL_MILLISECONDS ? undefined : { certificate, key };
  } catch {
    // Missing or not a valid certificate: a new one is created.
    return undefined;
  }
}

function issuedBy(server: KeyPairPem, authority: KeyPairPem): boolean {
  const issuer = new X509Certificate(authority.certificate);
  return new X509Certificate(server.certificate).verify(issuer.publicKey);
}

function write(folder: string, name: string, { certificate, key }: KeyPairPem): void {
  const keyFile = join(folder, `${name}.key`);
  writeFileSync(keyFile, key, { mode: 0o600 });
  // The mode above applies only to a new file.
  chmodSync(keyFile, 0o600);
  writeFileSync(join(folder, `${name}.pem`), certificate, { mode: 0o644 });
}
