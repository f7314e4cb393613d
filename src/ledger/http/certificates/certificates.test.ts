import assert from 'node:assert/strict';
import { webcrypto, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type * as x509Types from '@peculiar/x509';
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

  it('are made once', async () => {
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

  it('are made anew when they cannot be read, or do not belong together', async () => {
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
  it('is bound to loopback names, critically', async () => {
    const authority = makeAuthority(NOW);
    const { X509Certificate: Parsed } = await import('@peculiar/x509');
    const constraints = new Parsed(authority.certificate).getExtension('2.5.29.30');
    assert.equal(constraints?.critical, true);
    const der = Buffer.from(constraints?.value ?? new ArrayBuffer(0));
    assert.ok(der.includes(Buffer.from('localhost')));
    assert.ok(der.includes(Buffer.from('7f000000ff000000', 'hex')));
  });

  it('makes another key for each server', () => {
    const authority = makeAuthority(NOW);
    const one = makeServerCertificate(authority, NOW);
    assert.notEqual(one.key, makeServerCertificate(authority, NOW).key);
  });
});

describe('what certificates say, as a reader of another make understands it', () => {
  it('is who they are of, for how long and what for', async () => {
    const x509 = await import('@peculiar/x509');
    x509.cryptoProvider.set(webcrypto);
    const authority = makeAuthority(NOW);
    const issuer = new x509.X509Certificate(authority.certificate);
    const server = new x509.X509Certificate(makeServerCertificate(authority, NOW).certificate);
    assert.ok(await issuer.isSelfSigned());
    assert.ok(await server.verify({ publicKey: issuer.publicKey }));
    assert.equal(issuer.subject, 'CN=Svc x402 local network authority');
    assert.equal(server.subject, 'CN=Svc x402 local network');
    assert.equal(server.issuer, issuer.subject);
    assert.match(server.serialNumber, /^[4-7][0-9a-f]{31}$/);
    assert.deepEqual([server.notBefore, server.notAfter], [later(-1), later(820)]);
    assert.deepEqual([issuer.notBefore, issuer.notAfter], [later(-1), later(3_650)]);

    const told = (of: x509Types.X509Certificate) => ({
      constraints: of.getExtension(x509.BasicConstraintsExtension),
      usages: of.getExtension(x509.KeyUsagesExtension)?.usages,
      extended: Array.from(of.getExtension(x509.ExtendedKeyUsageExtension)?.usages ?? []),
      names: of.getExtension(x509.SubjectAlternativeNameExtension)?.names.toJSON(),
      keyId: of.getExtension(x509.SubjectKeyIdentifierExtension)?.keyId,
      issuerKeyId: of.getExtension(x509.AuthorityKeyIdentifierExtension)?.keyId,
      critical: Array.from(of.extensions).flatMap(({ critical, type }) => (critical ? [type] : [])),
    });
    const { constraints: top, ...ofIssuer } = told(issuer);
    assert.deepEqual([top?.ca, top?.pathLength], [true, 0]);
    const { keyId } = ofIssuer;
    assert.deepEqual(ofIssuer, {
      usages: x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign,
      extended: [],
      names: undefined,
      keyId: Buffer.from(await issuer.publicKey.getKeyIdentifier()).toString('hex'),
      issuerKeyId: undefined,
      critical: ['2.5.29.19', '2.5.29.15', '2.5.29.30'],
    });
    const { constraints: leaf, ...ofServer } = told(server);
    assert.equal(leaf?.ca, false);
    assert.deepEqual(ofServer, {
      usages: x509.KeyUsageFlags.digitalSignature,
      extended: [x509.ExtendedKeyUsage.serverAuth],
      names: [
        { type: 'dns', value: 'localhost' },
        { type: 'ip', value: '127.0.0.1' },
        { type: 'ip', value: '::1' },
      ],
      keyId: Buffer.from(await server.publicKey.getKeyIdentifier()).toString('hex'),
      issuerKeyId: keyId,
      critical: ['2.5.29.19', '2.5.29.15'],
    });
  });

  it('is as true behind the year 2049, which is written otherwise', () => {
    const { certificate } = makeAuthority(new Date('2045-06-02T12:34:56Z'));
    const { validFrom, validTo } = new X509Certificate(certificate);
    assert.equal(new Date(validFrom).toISOString(), '2045-06-01T12:34:56.000Z');
    assert.equal(new Date(validTo).toISOString(), '2055-05-31T12:34:56.000Z');
  });

  it('names the authority byte for byte as it names itself, however it was written', async () => {
    const x509 = await import('@peculiar/x509');
    x509.cryptoProvider.set(webcrypto);
    const keys = await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
      'sign',
      'verify',
    ]);
    const earlier = await x509.X509CertificateGenerator.createSelfSigned({
      serialNumber: '01',
      name: 'CN=Früher, O=Somebody',
      notBefore: NOW,
      notAfter: later(100),
      signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
      keys,
    });
    const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
    const authority = {
      certificate: earlier.toString('pem'),
      key: x509.PemConverter.encode(pkcs8, x509.PemConverter.PrivateKeyTag),
    };
    const server = new x509.X509Certificate(makeServerCertificate(authority, NOW).certificate);
    const [issued, issuing] = [server.issuerName, earlier.subjectName];
    assert.deepEqual(Buffer.from(issued.toArrayBuffer()), Buffer.from(issuing.toArrayBuffer()));
    assert.ok(await server.verify({ publicKey: earlier.publicKey }));
  });
});
