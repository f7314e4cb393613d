import { randomBytes, webcrypto } from 'node:crypto';

/** Certificate and private key, as PEM. */
export interface KeyPairPem {
  readonly certificate: string;
  readonly key: string;
}

const CURVE = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const NAME = 'CN=Svc x402 local network';
/** The loopback names and addresses of this machine. */
const LOOPBACK = [
  { type: 'dns', value: 'localhost' },
  { type: 'ip', value: '127.0.0.1' },
  { type: 'ip', value: '::1' },
] as const;
const NAME_CONSTRAINTS = '2.5.29.30';
const DAY_MILLISECONDS = 86_400_000;
/** Apple's systems accept no server certificate that lives longer than 825 days. */
const SERVER_DAYS = 820;
const AUTHORITY_DAYS = 3_650;

/** Creates an authority that clients trust for this machine's loopback names and addresses only. */
export async function makeAuthority(now: Date): Promise<KeyPairPem> {
  const x509 = await library();
  const keys = await newKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: `${NAME} authority`,
    ...validity(now, AUTHORITY_DAYS),
    signingAlgorithm: CURVE,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign,
        true,
      ),
      new x509.Extension(NAME_CONSTRAINTS, true, loopbackOnly()),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate: certificate.toString('pem'), key: await pem(keys.privateKey) };
}

/** Creates a server certificate for the loopback names, signed by the authority. */
export async function makeServerCertificate(authority: KeyPairPem, now: Date): Promise<KeyPairPem> {
  const x509 = await library();
  const keys = await newKeys();
  const issuer = new x509.X509Certificate(authority.certificate);
  const pkcs8 = x509.PemConverter.decodeFirst(authority.key);
  const signingKey = await webcrypto.subtle.importKey('pkcs8', pkcs8, CURVE, false, ['sign']);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: NAME,
    issuer: issuer.subject,
    ...validity(now, SERVER_DAYS),
    signingAlgorithm: CURVE,
    publicKey: keys.publicKey,
    signingKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([...LOOPBACK]),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(issuer),
    ],
  });
  return { certificate: certificate.toString('pem'), key: await pem(keys.privateKey) };
}

/**
 * The extension that makes clients refuse any certificate that the authority signs for another name (RFC 5280 section
 * 4.2.1.10), in DER. A stolen key of a trusted authority must be useless elsewhere.
 */
function loopbackOnly(): Buffer {
  const subtree = (tag: number, base: Buffer): Buffer => der(0x30, [der(tag, [base])]);
  const dnsName = 0x82;
  const ipAddress = 0x87;
  const permitted = [
    subtree(dnsName, Buffer.from('localhost')),
    subtree(ipAddress, Buffer.from('7f000000ff000000', 'hex')),
    subtree(
      ipAddress,
      Buffer.concat([Buffer.alloc(15), Buffer.alloc(1, 1), Buffer.alloc(16, 0xff)]),
    ),
  ];
  return der(0x30, [der(0xa0, permitted)]);
}

/** A DER value of fewer than 128 bytes. */
function der(tag: number, parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, content.length]), content]);
}

/** Loaded only when certificates are created, which happens rarely. */
async function library(): Promise<typeof import('@peculiar/x509')> {
  const x509 = await import('@peculiar/x509');
  // Node 18 has no global `crypto`, which the library would use by default.
  x509.cryptoProvider.set(webcrypto);
  return x509;
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(CURVE, true, ['sign', 'verify']);
}

async function pem(key: webcrypto.CryptoKey): Promise<string> {
  const x509 = await library();
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', key);
  return x509.PemConverter.encode(pkcs8, x509.PemConverter.PrivateKeyTag);
}

function validity(now: Date, days: number): { notBefore: Date; notAfter: Date } {
  // A clock that is slightly behind must not make a new certificate invalid.
  return {
    notBefore: new Date(now.getTime() - DAY_MILLISECONDS),
    notAfter: new Date(now.getTime() + days * DAY_MILLISECONDS),
  };
}

function serialNumber(): string {
  // Positive, and never with a leading zero byte.
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes.toString('hex');
}
