import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { makeAuthority, makeServerCertificate } from './certificateAuthority.ts';
import { openCertificates } from './certificateFiles.ts';

const NOW = new Date('2026-11-21T00:00:00Z');
const later = (days: number): Date => new Date(NOW.getTime() + days * 86_400_000);

describe('the certificates of a data folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'certificates-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('are created once', async () => {
    const first = await openCertificates(folder, NOW);
    assert.equal(readFileSync(first.authorityFile ?? '', 'utf8'), first.authority);
    assert.deepEqual(await openCertificates(folder, later(30)), first);
  });

  it('are an authority and a server that it vouches for, under loopback names', async () => {
    const { authority, server } = await openCertificates(folder, NOW);
    const issuer = new X509Certificate(authority);
    const certificate = new X509Certificate(server.certificate);
    assert.ok(issuer.ca);
    assert.ok(certificate.verify(issuer.publicKey));
    assert.ok(certificate.checkHost('localhost'));
    assert.ok(certificate.checkIP('127.0.0.1'));
    assert.ok(certificate.checkIP('::1'));
    assert.equal(certificate.checkHost('example.org'), undefined);
    assert.equal(issuer.publicKey.asymmetricKeyDetails?.namedCurve, 'prime256v1');
  });

  it('get a new server certificate in time, under the same authority', async () => {
    const first = await openCertificates(folder, NOW);
    const second = await openCertificates(folder, later(800));
    assert.equal(second.authority, first.authority);
    assert.notEqual(second.server.certificate, first.server.certificate);
  });

  it('are created again if they cannot be read, or do not belong together', async () => {
    const first = await openCertificates(folder, NOW);
    writeFileSync(join(folder, 'tls', 'ca.pem'), 'nonsense');
    const second = await openCertificates(folder, NOW);
    assert.notEqual(second.authority, first.authority);
    const issuer = new X509Certificate(second.authority);
    assert.ok(new X509Certificate(second.server.certificate).verify(issuer.publicKey));
  });

  it('leave nothing behind without a folder', async () => {
    const { authorityFile, authority } = await openCertificates(undefined, NOW);
    assert.equal(authorityFile, null);
    assert.match(authority, /^-----BEGIN CERTIFICATE-----/);
  });
});

describe('the authority', () => {
  it('is limited to loopback names, as a critical extension', async () => {
    const authority = await makeAuthority(NOW);
    const { X509Certificate: Parsed } = await import('@peculiar/x509');
    const constraints = new Parsed(authority.certificate).getExtension('2.5.29.30');
    assert.equal(constraints?.critical, true);
    const der = Buffer.from(constraints?.value ?? new ArrayBuffer(0));
    assert.ok(der.includes(Buffer.from('localhost')));
    assert.ok(der.includes(Buffer.from('7f000000ff000000', 'hex')));
  });

  it('creates another key for each server', async () => {
    const authority = await makeAuthority(NOW);
    const [one, other] = await Promise.all([
      makeServerCertificate(authority, NOW),
      makeServerCertificate(authority, NOW),
    ]);
    assert.notEqual(one.key, other.key);
  });
});
