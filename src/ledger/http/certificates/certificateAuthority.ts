import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import {
  bits,
  integer,
  objectId,
  octets,
  partsOf,
  printable,
  sequence,
  setOf,
  TRUE,
  tagged,
  time,
} from './der.ts';

/** Certificate and private key, as PEM. */
export interface KeyPairPem {
  readonly certificate: string;
  readonly key: string;
}

/** What a certificate says of whom, and who says so. */
interface Claim {
  readonly subject: Uint8Array;
  readonly issuer: Uint8Array;
  readonly publicKey: KeyObject;
  readonly signingKey: KeyObject;
  readonly now: Date;
  readonly days: number;
  readonly extensions: readonly Uint8Array[];
}

const NAME = 'Svc x402 local network';
const DAY_MILLISECONDS = 86_400_000;
/** Apple's systems accept no server certificate that lives longer than 825 days. */
const SERVER_DAYS = 820;
const AUTHORITY_DAYS = 3_650;

const ECDSA_WITH_SHA256 = sequence(objectId('1.2.840.10045.4.3.2'));
/** Version 3. */
const VERSION = tagged(0xa0, integer(2));
/** Bytes of an uncompressed point of P-256, with which the public key ends. */
const POINT_BYTES = 65;
/** Where the subject stands among the parts of what is signed. */
const SUBJECT_AT = 5;

/** The kinds of names in alternative names and constraints (RFC 5280 section 4.2.1.6). */
const DNS_NAME = 0x82;
const IP_ADDRESS = 0x87;
const LOCALHOST = tagged(DNS_NAME, Buffer.from('localhost'));
const IPV6_LOOPBACK = Buffer.concat([Buffer.alloc(15), Buffer.alloc(1, 1)]);

/**
 * Makes an authority that clients believe for this machine's own names and addresses only. Certificates are written by
 * hand: reading a library for them took nearly as long as all else that the network begins with.
 */
export function makeAuthority(now: Date): KeyPairPem {
  const { publicKey, privateKey } = newKeys();
  const name = commonName(`${NAME} authority`);
  const certificate = certificateOf({
    subject: name,
    issuer: name,
    publicKey,
    signingKey: privateKey,
    now,
    days: AUTHORITY_DAYS,
    extensions: [
      // An authority, with no other below it.
      critical('2.5.29.19', sequence(TRUE, integer(0))),
      // To sign certificates, and lists of those that are revoked.
      critical('2.5.29.15', bits(Uint8Array.of(0x06), 1)),
      critical('2.5.29.30', loopbackOnly()),
      subjectKeyId(publicKey),
    ],
  });
  return { certificate, key: pkcs8(privateKey) };
}

/** Makes a server certificate for the loopback names, signed by the authority. */
export function makeServerCertificate(authority: KeyPairPem, now: Date): KeyPairPem {
  const { publicKey, privateKey } = newKeys();
  const certificate = certificateOf({
    subject: commonName(NAME),
    issuer: subjectOf(authority.certificate),
    publicKey,
    signingKey: createPrivateKey(authority.key),
    now,
    days: SERVER_DAYS,
    extensions: [
      critical('2.5.29.19', sequence()),
      // To sign what a handshake asks for.
      critical('2.5.29.15', bits(Uint8Array.of(0x80), 7)),
      // A server's.
      extension('2.5.29.37', sequence(objectId('1.3.6.1.5.5.7.3.1'))),
      extension('2.5.29.17', loopbackNames()),
      subjectKeyId(publicKey),
      authorityKeyId(createPublicKey(authority.certificate)),
    ],
  });
  return { certificate, key: pkcs8(privateKey) };
}

/** A certificate (RFC 5280 section 4.1) as PEM. */
function certificateOf(claim: Claim): string {
  const { subject, issuer, publicKey, signingKey, now, days, extensions } = claim;
  const signed = sequence(
    VERSION,
    serialNumber(),
    ECDSA_WITH_SHA256,
    issuer,
    validity(now, days),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensions)),
  );
  const signature = sign('sha256', signed, signingKey);
  const der = sequence(signed, ECDSA_WITH_SHA256, bits(signature));
  const lines = der.toString('base64').replace(/.{64}(?=.)/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

function newKeys(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

function pkcs8(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function commonName(name: string): Buffer {
  return sequence(setOf(sequence(objectId('2.5.4.3'), printable(name))));
}

/** The subject of a certificate, byte for byte: that is how some clients compare it with the issuer of another. */
function subjectOf(certificate: string): Buffer {
  const [signed] = partsOf(new X509Certificate(certificate).raw);
  const subject = signed && partsOf(signed)[SUBJECT_AT];
  if (subject === undefined) throw new TypeError('a certificate has a subject');
  return subject;
}

function validity(now: Date, days: number): Buffer {
  // A clock that is set back a little must not make a fresh certificate unusable.
  const before = new Date(now.getTime() - DAY_MILLISECONDS);
  const after = new Date(now.getTime() + days * DAY_MILLISECONDS);
  return sequence(time(before), time(after));
}

function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  // Positive, and never with a leading zero byte.
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return integer(...bytes);
}

function extension(id: string, value: Uint8Array): Buffer {
  return sequence(objectId(id), octets(value));
}

function critical(id: string, value: Uint8Array): Buffer {
  return sequence(objectId(id), TRUE, octets(value));
}

function loopbackNames(): Buffer {
  return sequence(
    LOCALHOST,
    tagged(IP_ADDRESS, Uint8Array.of(127, 0, 0, 1)),
    tagged(IP_ADDRESS, IPV6_LOOPBACK),
  );
}

/**
 * The extension by which clients refuse whatever the authority signs for any other name (RFC 5280 section 4.2.1.10): a
 * stolen key of an authority that somebody trusts must be of no use elsewhere.
 */
function loopbackOnly(): Buffer {
  const permitted = [
    LOCALHOST,
    tagged(IP_ADDRESS, Uint8Array.of(127, 0, 0, 0, 255, 0, 0, 0)),
    tagged(IP_ADDRESS, IPV6_LOOPBACK, Buffer.alloc(16, 0xff)),
  ].map((base) => sequence(base));
  return sequence(tagged(0xa0, ...permitted));
}

function subjectKeyId(key: KeyObject): Buffer {
  return extension('2.5.29.14', octets(keyId(key)));
}

function authorityKeyId(key: KeyObject): Buffer {
  return extension('2.5.29.35', sequence(tagged(0x80, keyId(key))));
}

/** SHA-1 of the key itself: a name for it, which nothing relies on (RFC 5280 section 4.2.1.2). */
function keyId(key: KeyObject): Buffer {
  const point = key.export({ type: 'spki', format: 'der' }).subarray(-POINT_BYTES);
  return createHash('sha1').update(point).digest();
}
