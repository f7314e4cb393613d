import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { verifyEd25519 } from '../../src/machine/index.ts';
import {
  didDocument,
  type ExpectedOffer,
  type ExpectedReceipt,
  judgeOffer,
  judgeReceipt,
  type KeyRing,
  type Refusal,
  signOffer,
  signReceipt,
} from '../../src/protocol/receipts/index.ts';
import { OTHER_ASSET, PAYER, SELLER } from '../support/payment.ts';
import { keyFrom, NOW, OFFER, RECEIPT, SELLER_KEY } from './sale.ts';

const { validUntil: _, ...offered } = OFFER;
const EXPECTED: ExpectedOffer = { ...offered, now: NOW };
const SALE: ExpectedReceipt = {
  network: RECEIPT.network,
  resourceUrl: RECEIPT.resourceUrl,
  payer: RECEIPT.payer,
  transaction: RECEIPT.transaction,
  paidAfter: NOW - 5,
  now: NOW + 5,
};
const RING: KeyRing = { verify: verifyEd25519 };
const FORGER = keyFrom(66);
const WEB = 'did:web:api.example.com';

const base64url = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

type Kind = 'offer' | 'receipt';
const termsOf = (kind: Kind): object => ({ version: 1, ...(kind === 'offer' ? OFFER : RECEIPT) });

/** Signs any header and payload, as texts or values. */
async function signed(header: unknown, payload: unknown, key = SELLER_KEY): Promise<string> {
  const head = `${base64url(header)}.${base64url(payload)}`;
  return `${head}.${Buffer.from(await key.sign(Buffer.from(head))).toString('base64url')}`;
}

const HEADER = { alg: 'EdDSA', kid: SELLER_KEY.kid };

async function judge(kind: Kind, signature: unknown, ring = RING, sale: object = {}) {
  const text = { format: 'jws' as const, signature: signature as string };
  return kind === 'offer'
    ? judgeOffer(text, { ...EXPECTED, ...sale }, ring)
    : judgeReceipt(text, { ...SALE, ...sale }, ring);
}

interface Forgery {
  readonly name: string;
  readonly kind: Kind;
  readonly text: unknown;
  readonly refused: Refusal;
  readonly ring?: KeyRing;
  readonly sale?: object;
}

const forgeries: Forgery[] = [];
const KINDS: readonly Kind[] = ['offer', 'receipt'];

function add(kind: Kind, name: string, text: unknown, refused: Refusal, more: object = {}): void {
  forgeries.push({ name: `${kind}: ${name}`, kind, text, refused, ...more });
}

for (const kind of KINDS) {
  const terms = termsOf(kind);
  const good = await signed(HEADER, terms);
  const [head = '', body = '', tail = ''] = good.split('.');

  // Algorithms: each name that a verifier may have taken for a reason to check less, or with another kind of key.
  for (const alg of [
    'none',
    'None',
    'NONE',
    '',
    null,
    0,
    ['EdDSA'],
    'HS256',
    'HS384',
    'HS512',
    'RS256',
    'PS256',
    'ES256',
    'ES256K',
    'ES384',
    'Ed448',
    'eddsa',
    'ed25519',
    'EdDSA ',
    'ML-DSA-44',
  ]) {
    add(
      kind,
      `algorithm ${JSON.stringify(alg)}`,
      await signed({ ...HEADER, alg }, terms),
      'algorithm',
    );
  }
  add(kind, 'without an algorithm', await signed({ kid: HEADER.kid }, terms), 'algorithm');
  const hmacHead = `${base64url({ ...HEADER, alg: 'HS256' })}.${body}`;
  const hmac = createHmac('sha256', SELLER_KEY.publicKey).update(hmacHead).digest('base64url');
  add(kind, 'HMAC with the public key as its secret', `${hmacHead}.${hmac}`, 'algorithm');
  add(
    kind,
    'none without a signature',
    `${base64url({ ...HEADER, alg: 'none' })}.${body}.`,
    'not_jws',
  );

  // Keys: other signers, other names, keys that the text brings along.
  add(kind, 'signed by another key', await signed(HEADER, terms, FORGER), 'signature');
  for (const [name, kid, refused] of [
    ['no key', undefined, 'no_key'],
    ['an empty key', '', 'no_key'],
    ['a number', 7, 'no_key'],
    ['a key without a method', SELLER_KEY.kid.slice('did:key:'.length), 'unknown_key'],
    [
      'a key of secp256k1',
      'did:key:zQ3shokFTS3brHcDQrn82RUDfCZESWL1ZdCEJwekUDPQiYBme',
      'unknown_key',
    ],
    ['a key of P-256', 'did:key:zDnaerDaTF5BXEavCrfRZEk316dpbLsfPDZ3WJ5hRTPFU2169', 'unknown_key'],
    ['two fragments', `${SELLER_KEY.kid}#more`, 'unknown_key'],
    [
      'the fragment of another key',
      `${SELLER_KEY.kid.split('#')[0]}#${FORGER.kid.split('#')[1]}`,
      'unknown_key',
    ],
    [
      'a letter that base58 does not have',
      SELLER_KEY.kid.split('#')[0]?.replace(/.$/, '0'),
      'unknown_key',
    ],
    ['one letter more', `${SELLER_KEY.kid.split('#')[0]}1`, 'unknown_key'],
    ['one letter less', SELLER_KEY.kid.split('#')[0]?.slice(0, -1), 'unknown_key'],
    ['did:jwk', `did:jwk:${base64url({ kty: 'OKP', crv: 'Ed25519', x: 'AA' })}`, 'unknown_key'],
    ['did:web without a document', `${WEB}#key`, 'unknown_key'],
    ['a file as did:web', 'did:web:..%2f..%2fetc#key', 'unknown_key'],
    ['did:web with a user', 'did:web:user%40api.example.com#key', 'unknown_key'],
    ['did:web with a path', 'did:web:api.example.com:tenants:evil#key', 'unknown_key'],
    ['did:pkh of an account', `did:pkh:stellar:testnet:${SELLER.address}`, 'unknown_key'],
    ['the account itself', SELLER.address, 'unknown_key'],
    ['an URL', 'https://api.example.com/key.json', 'unknown_key'],
  ] as const) {
    add(kind, `kid is ${name}`, await signed({ alg: 'EdDSA', kid }, terms), refused);
  }
  const forgerX = Buffer.from(FORGER.publicKey).toString('base64url');
  const jwkOf = (more: object) => ({ kty: 'OKP', crv: 'Ed25519', x: forgerX, ...more });
  for (const [name, jwk, refused] of [
    ['another key', jwkOf({}), 'embedded_key'],
    ['another key with its secret', jwkOf({ d: forgerX }), 'embedded_key'],
    ['a symmetric key', { kty: 'oct', k: forgerX }, 'embedded_key'],
    ['a key of another curve', jwkOf({ crv: 'X25519' }), 'embedded_key'],
    ['a short key', jwkOf({ x: 'AAAA' }), 'embedded_key'],
    ['a text', 'key', 'embedded_key'],
    ['nothing', null, 'embedded_key'],
  ] as const) {
    add(kind, `jwk is ${name}`, await signed({ ...HEADER, jwk }, terms, FORGER), refused);
  }
  for (const name of ['jku', 'x5u', 'x5c', 'x5t', 'crit', 'b64']) {
    const value = name === 'crit' ? ['exp'] : name === 'b64' ? false : 'https://evil.example/keys';
    add(
      kind,
      `header ${name}`,
      await signed({ ...HEADER, [name]: value }, terms),
      'critical_header',
    );
  }
  // A point of small order: one signature of zeros fits every message.
  const weak = new Uint8Array(32);
  weak[0] = 1;
  const weakDocument = () => Promise.resolve(didDocument(WEB, 'key', weak));
  const weakHead = `${base64url({ alg: 'EdDSA', kid: `${WEB}#key` })}.${body}`;
  const zeros = Buffer.concat([weak, new Uint8Array(32)]).toString('base64url');
  add(kind, 'a key of small order', `${weakHead}.${zeros}`, 'unknown_key', {
    ring: { ...RING, document: weakDocument },
  });

  // Documents of did:web: keys that they do not name, or not for this.
  const document = didDocument(WEB, 'key', SELLER_KEY.publicKey) as Record<string, unknown>;
  const method = (document['verificationMethod'] as object[])[0] as Record<string, unknown>;
  const forgers = didDocument(WEB, 'key', FORGER.publicKey) as Record<string, unknown>;
  const byWeb = await signed({ alg: 'EdDSA', kid: `${WEB}#key` }, terms);
  for (const [name, found, refused] of [
    ['of another key', forgers, 'signature'],
    ['that is empty', {}, 'unknown_key'],
    ['that is nothing', undefined, 'unknown_key'],
    ['that is a list', [document], 'unknown_key'],
    ['of another origin', { ...document, id: 'did:web:evil.example' }, 'unknown_key'],
    ['whose key may not make assertions', { ...document, assertionMethod: [] }, 'unknown_key'],
    [
      'whose key is for authentication alone',
      { ...document, assertionMethod: undefined, authentication: [`${WEB}#key`] },
      'unknown_key',
    ],
    [
      'whose key another one controls',
      { ...document, verificationMethod: [{ ...method, controller: 'did:web:evil.example' }] },
      'unknown_key',
    ],
    [
      'with two keys of one name',
      { ...document, verificationMethod: [...(forgers['verificationMethod'] as object[]), method] },
      'unknown_key',
    ],
    [
      'with the key under another name',
      { ...document, verificationMethod: [{ ...method, id: `${WEB}#other` }] },
      'unknown_key',
    ],
    [
      'with a secret key',
      { ...document, verificationMethod: [{ ...method, publicKeyJwk: jwkOf({ d: forgerX }) }] },
      'unknown_key',
    ],
  ] as const) {
    add(kind, `a document ${name}`, byWeb, refused, {
      ring: { ...RING, document: () => Promise.resolve(found) },
    });
  }

  // The text itself.
  const flip = (part: string, at: number) =>
    part.slice(0, at) + (part[at] === 'A' ? 'B' : 'A') + part.slice(at + 1);
  for (const [name, text, refused] of [
    ['nothing', undefined, 'not_jws'],
    ['a number', 5, 'not_jws'],
    ['an object', { head, body, tail }, 'not_jws'],
    ['an empty text', '', 'not_jws'],
    ['two parts', `${head}.${body}`, 'not_jws'],
    ['four parts', `${good}.${tail}`, 'not_jws'],
    ['five parts', `${good}..`, 'not_jws'],
    ['spaces around it', ` ${good} `, 'not_jws'],
    ['a line end', `${good}\n`, 'not_jws'],
    ['padding', `${head}.${body}=.${tail}`, 'not_jws'],
    ['base64 of another alphabet', `${head}.${body}+/.${tail}`, 'not_jws'],
    ['JSON instead of the text', JSON.stringify({ payload: body, signatures: [] }), 'not_jws'],
    ['a very long text', `${head}.${body}${'A'.repeat(20_000)}.${tail}`, 'too_long'],
    ['no JSON in its header', `${base64url('{')}.${body}.${tail}`, 'unreadable'],
    ['a list as its header', `${base64url([HEADER])}.${body}.${tail}`, 'unreadable'],
    ['no JSON in its payload', `${head}.${base64url('{')}.${tail}`, 'unreadable'],
    ['a text as its payload', await signed(HEADER, '"offer"'), 'unreadable'],
    ['a short signature', `${head}.${body}.${tail.slice(0, 40)}`, 'unreadable'],
    ['a long signature', `${good}AAAA`, 'unreadable'],
    [
      'a signature in a second spelling',
      `${head}.${body}.${tail.slice(0, -1)}${tail.endsWith('A') ? 'B' : String.fromCharCode(tail.charCodeAt(85) + 1)}`,
      'unreadable',
    ],
    ['another signature', `${head}.${body}.${flip(tail, 3)}`, 'signature'],
    ['the signature of zeros', `${head}.${body}.${'A'.repeat(86)}`, 'signature'],
    [
      'an algorithm twice',
      await signed(`{"alg":"none","alg":"EdDSA","kid":"${SELLER_KEY.kid}"}`, terms),
      'unreadable',
    ],
    [
      'a network twice',
      await signed(HEADER, JSON.stringify(terms).replace('{', '{"network":"stellar:pubnet",')),
      'unreadable',
    ],
  ] as const) {
    add(kind, name, text, refused);
  }

  // Forms: signed by the seller's own key, and not of version 1.
  for (const [name, change] of [
    ['version 2', { version: 2 }],
    ['version "1"', { version: '1' }],
    ['no version', { version: undefined }],
    ['no resource', { resourceUrl: undefined }],
    ['a list as its network', { network: ['stellar:testnet'] }],
  ] as const) {
    add(kind, name, await signed(HEADER, { ...terms, ...change }), 'form');
  }
  const other = await signed(HEADER, termsOf(kind === 'offer' ? 'receipt' : 'offer'));
  add(kind, `the seller's ${kind === 'offer' ? 'receipt' : 'offer'} in its place`, other, 'form');
}

for (const [name, change, refused] of [
  ['a number as its amount', { amount: 10_000 }, 'form'],
  ['an amount with a sign', { amount: '+10000' }, 'form'],
  ['an amount with a zero in front', { amount: '010000' }, 'form'],
  ['an amount in hex', { amount: '0x2710' }, 'form'],
  ['a negative end', { validUntil: -1 }, 'form'],
  ['an end that is no integer', { validUntil: NOW + 0.5 }, 'form'],
  ['a lower amount', { amount: '9999' }, 'amount'],
  ['a higher amount', { amount: '10001' }, 'amount'],
  ['another asset', { asset: OTHER_ASSET }, 'asset'],
  ['another recipient', { payTo: PAYER.address }, 'pay_to'],
  ['another scheme', { scheme: 'upto' }, 'scheme'],
  ['another network', { network: 'stellar:pubnet' }, 'network'],
  ['another resource', { resourceUrl: 'https://api.example.com/quote?of=BTC' }, 'resource'],
  [
    'another origin',
    { resourceUrl: 'https://api.example.com.evil.example/quote?of=XLM' },
    'resource',
  ],
  ['the resource over HTTP', { resourceUrl: 'http://api.example.com/quote?of=XLM' }, 'resource'],
  ['an end in the past', { validUntil: NOW - 61 }, 'expired'],
] as const) {
  add(
    'offer',
    `signed with ${name}`,
    await signed(HEADER, { ...termsOf('offer'), ...change }),
    refused,
  );
}

for (const [name, change, refused] of [
  ['a text as its time', { issuedAt: String(NOW) }, 'form'],
  ['no time', { issuedAt: 0 }, 'form'],
  ['no payer', { payer: undefined }, 'form'],
  ['another payer', { payer: SELLER.address }, 'payer'],
  ['the payer in small letters', { payer: PAYER.address.toLowerCase() }, 'payer'],
  ['another transaction', { transaction: 'cd'.repeat(32) }, 'transaction'],
  ['a transaction in capitals', { transaction: 'AB'.repeat(32) }, 'transaction'],
  ['another network', { network: 'stellar:pubnet' }, 'network'],
  ['another resource', { resourceUrl: 'https://api.example.com/quote?of=BTC' }, 'resource'],
  ['a time before the payment', { issuedAt: NOW - 66 }, 'time'],
  ['a time in the future', { issuedAt: NOW + 66 }, 'time'],
] as const) {
  add(
    'receipt',
    `signed with ${name}`,
    await signed(HEADER, { ...termsOf('receipt'), ...change }),
    refused,
  );
}

// Replays: genuine texts, shown again where they do not belong.
const genuineOffer = (await signOffer(OFFER, SELLER_KEY, 0)).signature;
const genuineReceipt = (await signReceipt(RECEIPT, SELLER_KEY)).signature;
for (const [name, sale, refused] of [
  ['after its end', { now: OFFER.validUntil + 61 }, 'expired'],
  ['at another price', { amount: '20000' }, 'amount'],
  ['at another shop', { resourceUrl: 'https://other.example/quote?of=XLM' }, 'resource'],
  ['for another recipient', { payTo: PAYER.address }, 'pay_to'],
] as const) {
  add('offer', `replayed ${name}`, genuineOffer, refused, { sale });
}
for (const [name, sale, refused] of [
  ['for a later payment', { paidAfter: NOW + 100, now: NOW + 110 }, 'time'],
  ['for another payment of the same minute', { transaction: 'ef'.repeat(32) }, 'transaction'],
  ['for a payment that nobody saw', { transaction: undefined }, 'transaction'],
  ['to another payer', { payer: SELLER.address }, 'payer'],
  ['on another network', { network: 'stellar:pubnet' }, 'network'],
] as const) {
  add('receipt', `replayed ${name}`, genuineReceipt, refused, { sale });
}

describe('A signed text that is not what it claims', () => {
  it('is one of at least 200', () => {
    assert.ok(forgeries.length >= 200, `${forgeries.length}`);
    assert.equal(new Set(forgeries.map(({ name }) => name)).size, forgeries.length);
  });

  for (const { name, kind, text, refused, ring, sale } of forgeries) {
    it(`is refused, with the reason: ${name}`, async () => {
      const judged = await judge(kind, text, ring, sale);
      assert.equal(judged.refused, refused);
    });
  }
});

describe('A genuine text', () => {
  it('is verified, and without a known key nobody vouches for it', async () => {
    for (const [kind, text] of [
      ['offer', genuineOffer],
      ['receipt', genuineReceipt],
    ] as const) {
      const judged = await judge(kind, text);
      assert.ok(judged.refused === undefined);
      assert.deepEqual(judged.authority, { of: 'nobody' });
      const known = await judge(kind, text, { ...RING, known: [SELLER_KEY.publicKey] });
      assert.ok(known.refused === undefined);
      assert.deepEqual(known.authority, { of: 'known_key' });
    }
  });

  it('speaks for its origin if that publishes the key, and for no other origin', async () => {
    const key = { kid: `${WEB}#key`, sign: SELLER_KEY.sign };
    const document = () => Promise.resolve(didDocument(WEB, 'key', SELLER_KEY.publicKey));
    const own = await judge('offer', (await signOffer(OFFER, key, 0)).signature, {
      ...RING,
      document,
    });
    assert.ok(own.refused === undefined);
    assert.deepEqual(own.authority, { of: 'origin', origin: 'https://api.example.com' });
    const resourceUrl = 'https://other.example/quote';
    const { signature } = await signOffer({ ...OFFER, resourceUrl }, key, 0);
    const other = await judge('offer', signature, { ...RING, document }, { resourceUrl });
    assert.ok(other.refused === undefined);
    assert.deepEqual(other.authority, { of: 'nobody' });
  });

  it('is believed for a minute after its end, as clocks differ', async () => {
    assert.equal(
      (await judge('offer', genuineOffer, RING, { now: OFFER.validUntil + 60 })).refused,
      undefined,
    );
  });
});
