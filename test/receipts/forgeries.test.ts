import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import {
  didDocumentOf,
  jwkOf,
  type OfferExpectation,
  RECEIPT_PROBLEMS,
  type ReceiptExpectation,
  type ReceiptProblem,
  type ReceiptSigner,
  verifyOffer,
  verifyReceipt,
} from '../../src/protocol/receipts/index.ts';
import { testKey, verifyEd25519 } from './signing.ts';

const key = testKey(1);
const thief = testKey(2);
const now = 1_790_000_000;
const origin = 'https://api.example.com';
const did = 'did:web:api.example.com';
const payTo = 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57';
const payer = 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5';
const contract = 'CBIELTK6YBZJU5UP2WWQEUCYKLPU6AUNZ2BQ4WWFEIE3USCIHMXQDAMA';
const transaction = 'ab'.repeat(32);
const terms = {
  ...{ scheme: 'exact', network: 'stellar:testnet', asset: contract, payTo, amount: '100000' },
};
const OFFER = { version: 1, resourceUrl: `${origin}/a`, ...terms, validUntil: now + 300 };
const RECEIPT = {
  ...{ version: 1, network: 'stellar:testnet', resourceUrl: `${origin}/a`, payer },
  ...{ issuedAt: now, transaction },
};
const EXPECTED_OFFER: OfferExpectation = {
  accepts: [terms, { ...terms, amount: '200000' }],
  ...{ resourceUrl: `${origin}/a`, at: now },
};
const EXPECTED_RECEIPT: ReceiptExpectation = {
  ...{ resourceUrl: `${origin}/a`, network: 'stellar:testnet', payer, transaction },
  ...{ signerKey: key.publicKey, paidAt: now - 5, now },
};

const b64 = (bytes: string | Uint8Array): string => Buffer.from(bytes).toString('base64url');

/** Signs any header and payload, so that only what is wrong in them is judged. */
function jws(payload: unknown, header: object = {}, signer: ReceiptSigner = key): string {
  const head = JSON.stringify({ alg: 'EdDSA', kid: signer.kid, ...header });
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const input = `${b64(head)}.${b64(body)}`;
  return `${input}.${b64(signer.sign(new TextEncoder().encode(input)))}`;
}
const signed = (payload: unknown, header: object = {}, signer: ReceiptSigner = key): object => ({
  ...{ format: 'jws', signature: jws(payload, header, signer) },
});

interface Forgery {
  readonly what: string;
  readonly artifact: unknown;
  readonly reason: ReceiptProblem;
  readonly as: 'offer' | 'receipt';
  readonly documents?: Readonly<Record<string, unknown>> | undefined;
  readonly isKnown?: boolean | undefined;
}
type Row = Omit<Forgery, 'as'>;
const row = (
  what: string,
  artifact: unknown,
  reason: ReceiptProblem,
  more: Partial<Forgery> = {},
): Row => ({ what, artifact, reason, ...more });

/** Forgeries that do not depend on what is signed. */
function common(good: Readonly<Record<string, unknown>>): readonly Row[] {
  const artifact = jws(good);
  const [head = '', body = '', tail = ''] = artifact.split('.');
  const flip = (text: string): string => `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`;
  const bare = (signature: string): object => ({ format: 'jws', signature });
  const withHeader =
    (header: object, more: Partial<Forgery> = {}) =>
    (what: string, reason: ReceiptProblem): Row =>
      row(what, signed(good, header), reason, more);
  const hmac = (alg: string, secret: Uint8Array | string): object => {
    const input = `${b64(JSON.stringify({ alg, kid: key.kid }))}.${body}`;
    return bare(`${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`);
  };
  const unsigned = (alg: unknown): object =>
    bare(`${b64(JSON.stringify({ alg, kid: key.kid }))}.${body}.`);
  const document = didDocumentOf(origin, key.publicKey);
  const web = { kid: `${did}#key-1` };
  const documents = (value: unknown): Partial<Forgery> => ({ documents: { [did]: value } });
  const points = [
    `01${'00'.repeat(31)}`,
    `${'00'.repeat(32)}`,
    `${'00'.repeat(31)}80`,
    `ec${'ff'.repeat(30)}7f`,
    `ed${'ff'.repeat(31)}`,
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
  ];
  return [
    // Keys.
    row(
      'another key signs under this kid',
      signed(good, { kid: key.kid }, thief),
      'signature_invalid',
    ),
    withHeader({ jwk: jwkOf(thief.publicKey) })('jwk of another key', 'jwk_differs'),
    withHeader({ jwk: { ...jwkOf(key.publicKey), d: b64(new Uint8Array(32)) } })(
      'a private jwk',
      'jwk_malformed',
    ),
    withHeader({ jwk: { kty: 'oct', k: b64(key.publicKey) } })('a symmetric jwk', 'jwk_malformed'),
    withHeader({ jwk: { ...jwkOf(key.publicKey), crv: 'X25519' } })(
      'jwk of another curve',
      'jwk_malformed',
    ),
    withHeader({ jwk: { ...jwkOf(key.publicKey), x: 'AAAA' } })('a short jwk', 'jwk_malformed'),
    withHeader({ jwk: 'key' })('jwk as text', 'jwk_malformed'),
    withHeader({ kid: undefined })('no kid', 'kid_malformed'),
    withHeader({ kid: 5 })('kid as a number', 'kid_malformed'),
    withHeader({ kid: '' })('an empty kid', 'kid_malformed'),
    withHeader({ kid: 'key-1' })('kid without a DID', 'kid_malformed'),
    withHeader({ kid: `${key.kid}#more` })('kid with two fragments', 'kid_malformed'),
    withHeader({ kid: `${key.kid.split('#')[0]}#key-1` })(
      'did:key with another fragment',
      'kid_malformed',
    ),
    withHeader({ kid: `${key.kid.split('#')[0]}:x` })('did:key with a path', 'kid_malformed'),
    withHeader({ kid: 'did:key:z6Mk' })('a short did:key', 'kid_malformed'),
    withHeader({ kid: key.kid.replaceAll('z6Mk', 'z6Lk') })(
      'did:key of another codec',
      'kid_malformed',
    ),
    withHeader({ kid: key.kid.replaceAll('z6Mk', 'm6Mk') })(
      'did:key in another base',
      'kid_malformed',
    ),
    withHeader({ kid: ` ${key.kid}` })('kid after a space', 'kid_malformed'),
    withHeader({ kid: thief.kid })('kid of another key', 'signature_invalid'),
    withHeader({ kid: `did:pkh:stellar:testnet:${payTo}` })(
      'did:pkh of the account',
      'did_method_unsupported',
    ),
    withHeader({ kid: 'did:ethr:0x0#a' })('did:ethr', 'did_method_unsupported'),
    withHeader({ kid: `did:jwk:${b64(JSON.stringify({ kty: 'oct', k: 'AA' }))}#0` })(
      'did:jwk, symmetric',
      'kid_malformed',
    ),
    withHeader({ kid: 'did:jwk:!!#0' })('did:jwk that is not base64url', 'kid_malformed'),
    withHeader({ kid: `did:jwk:${b64(JSON.stringify(jwkOf(key.publicKey)))}#1` })(
      'did:jwk with another fragment',
      'kid_malformed',
    ),
    withHeader({ kid: `did:jwk:${b64(JSON.stringify(jwkOf(thief.publicKey)))}#0` })(
      'did:jwk of another key',
      'signature_invalid',
    ),
    // Origins: documents of did:web.
    withHeader(web)('did:web without its document', 'did_unresolved'),
    withHeader({ kid: did }, documents(document))('did:web without a fragment', 'kid_malformed'),
    withHeader({ kid: 'did:web:evil.example.com#key-1' }, documents(document))(
      'did:web of another origin',
      'did_unresolved',
    ),
    withHeader({ kid: `${did}:shop#key-1` }, documents(document))(
      'did:web of a path of this origin',
      'did_unresolved',
    ),
    withHeader({ kid: `${did}%3A8443#key-1` }, documents(document))(
      'did:web of another port',
      'did_unresolved',
    ),
    withHeader({ kid: 'did:web:__proto__#key-1' }, documents(document))(
      'did:web named like a prototype',
      'did_unresolved',
    ),
    withHeader({ kid: `${did}#key-2` }, documents(document))(
      'a key that the document does not name',
      'key_not_in_document',
    ),
    withHeader(web, documents({ ...document, id: 'did:web:evil.example.com' }))(
      'document of another DID',
      'key_not_in_document',
    ),
    withHeader(web, documents({ ...document, assertionMethod: [] }))(
      'a key that is not for statements',
      'key_not_in_document',
    ),
    withHeader(web, documents({ ...document, assertionMethod: undefined }))(
      'document without statements',
      'key_not_in_document',
    ),
    withHeader(web, documents({ ...document, verificationMethod: [] }))(
      'document without keys',
      'key_not_in_document',
    ),
    withHeader(web, documents('text'))('document that is text', 'key_not_in_document'),
    withHeader(web, documents(didDocumentOf(origin, thief.publicKey)))(
      'document with another key',
      'signature_invalid',
    ),
    withHeader(
      { ...web, jwk: jwkOf(key.publicKey) },
      documents(didDocumentOf(origin, thief.publicKey)),
    )('jwk beside a document with another key', 'jwk_differs'),
    withHeader(
      web,
      documents({
        ...document,
        verificationMethod: [
          {
            id: `${did}#key-1`,
            controller: 'did:web:evil.example.com',
            publicKeyJwk: jwkOf(key.publicKey),
          },
        ],
      }),
    )('a key that another DID controls', 'key_not_in_document'),
    withHeader(
      web,
      documents({
        ...document,
        verificationMethod: [thief, key].map((each) => ({
          id: `${did}#key-1`,
          controller: did,
          publicKeyJwk: jwkOf(each.publicKey),
        })),
      }),
    )('two keys of one name', 'key_not_in_document'),
    // Algorithms.
    ...['none', 'None', 'NONE', '', null, undefined, 'eddsa', ['EdDSA']].map((alg) =>
      row(
        `algorithm ${JSON.stringify(alg)} without a signature`,
        unsigned(alg),
        'algorithm_unsupported',
      ),
    ),
    row(
      'HS256 with the public key as secret',
      hmac('HS256', key.publicKey),
      'algorithm_unsupported',
    ),
    row('HS256 with the kid as secret', hmac('HS256', key.kid), 'algorithm_unsupported'),
    row('an HMAC that calls itself EdDSA', hmac('EdDSA', key.publicKey), 'signature_invalid'),
    ...['HS512', 'ES256', 'ES256K', 'RS256', 'PS256', 'Ed448'].map((alg) =>
      withHeader({ alg })(`a good signature that calls itself ${alg}`, 'algorithm_unsupported'),
    ),
    withHeader({ crit: ['exp'], exp: 1 })('a critical header', 'critical_header'),
    withHeader({ crit: [] })('an empty list of critical headers', 'critical_header'),
    withHeader({ b64: false, crit: ['b64'] })('a payload that is not encoded', 'critical_header'),
    withHeader({ b64: true })('b64 without crit', 'critical_header'),
    ...points.map((hex) => {
      const weakKey = Uint8Array.from(Buffer.from(hex, 'hex'));
      const kid = `did:jwk:${b64(JSON.stringify(jwkOf(weakKey)))}#0`;
      return row(`weak key ${hex.slice(0, 8)}…${hex.slice(-2)}`, signed(good, { kid }), 'key_weak');
    }),
    // Signatures.
    row('no signature', bare(`${head}.${body}.`), 'signature_invalid'),
    row('a changed signature', bare(`${head}.${body}.${flip(tail)}`), 'signature_invalid'),
    row('half a signature', bare(`${head}.${body}.${tail.slice(0, 43)}`), 'jws_malformed'),
    row(
      'a signature and a byte',
      bare(
        `${head}.${body}.${b64(Buffer.concat([Buffer.from(tail, 'base64url'), Buffer.alloc(1)]))}`,
      ),
      'signature_invalid',
    ),
    row(
      'a signature of zeros',
      bare(`${head}.${body}.${b64(new Uint8Array(64))}`),
      'signature_invalid',
    ),
    row(
      'a signature over other words',
      bare(`${head}.${b64(JSON.stringify({ ...good, network: 'stellar:pubnet' }))}.${tail}`),
      'signature_invalid',
    ),
    row(
      'a signature under another header',
      bare(`${b64(JSON.stringify({ kid: key.kid, alg: 'EdDSA' }))}.${body}.${tail}`),
      'signature_invalid',
    ),
    row(
      'another spelling of the signature',
      bare(`${head}.${body}.${tail.slice(0, -1)}${tail.endsWith('B') ? 'C' : 'B'}`),
      'jws_malformed',
    ),
    row('padding', bare(`${head}.${body}.${tail}==`), 'jws_malformed'),
    row('a space', bare(`${head}.${body}. ${tail}`), 'jws_malformed'),
    row('two parts', bare(`${head}.${body}`), 'jws_malformed'),
    row('four parts', bare(`${artifact}.${tail}`), 'jws_malformed'),
    row('an empty text', bare(''), 'jws_malformed'),
    row('a text that is too long', bare(`${head}.${body}.${'A'.repeat(20_000)}`), 'jws_malformed'),
    row('a header that is not JSON', bare(`${b64('{')}.${body}.${tail}`), 'jws_malformed'),
    row('a header that is a list', bare(`${b64('[]')}.${body}.${tail}`), 'jws_malformed'),
    row(
      'a header with two algorithms',
      bare(`${b64(`{"alg":"none","alg":"EdDSA","kid":"${key.kid}"}`)}.${body}.${tail}`),
      'jws_malformed',
    ),
    row(
      'JSON with its parts in place of the compact form',
      bare(JSON.stringify({ payload: body, protected: head, signature: tail })),
      'jws_malformed',
    ),
    // Payloads as such.
    row('a payload that is not JSON', signed('{'), 'payload_malformed'),
    row('a payload that is a list', signed('[]'), 'payload_malformed'),
    row('a payload that is null', signed('null'), 'payload_malformed'),
    row(
      'a member twice',
      signed(JSON.stringify(good).replace('{', '{"version":1,')),
      'payload_malformed',
    ),
    row(
      'a member twice, once escaped',
      signed(JSON.stringify(good).replace('{', '{"\\u0076ersion":1,')),
      'payload_malformed',
    ),
    row('a byte order mark', signed(`\uFEFF${JSON.stringify(good)}`), 'payload_malformed'),
    row('version 2', signed({ ...good, version: 2 }), 'version_unsupported'),
    row('version as text', signed({ ...good, version: '1' }), 'version_unsupported'),
    row('no version', signed({ ...good, version: undefined }), 'member_missing'),
    row('a further member', signed({ ...good, refund: 'all' }), 'member_unknown'),
    row(
      'a member named like a prototype',
      signed(JSON.stringify(good).replace('{', '{"__proto__":{},')),
      'member_unknown',
    ),
    ...[
      'ftp://api.example.com/a',
      '/a',
      'https://user@api.example.com/a',
      `${origin}/a#b`,
      'https:\\\\api.example.com/a',
      `${origin}/\u202ea`,
      '',
      5,
      null,
    ].map((resourceUrl) =>
      row(
        `resource ${JSON.stringify(resourceUrl)}`,
        signed({ ...good, resourceUrl }),
        'resource_url_malformed',
      ),
    ),
    ...['testnet', 'stellar', 'STELLAR:testnet', 'stellar:', 'stellar:a:b', 5].map((network) =>
      row(`network ${JSON.stringify(network)}`, signed({ ...good, network }), 'network_malformed'),
    ),
    row('another network', signed({ ...good, network: 'stellar:pubnet' }), 'other_network'),
    ...[
      `${origin}/b`,
      `${origin}/a/`,
      `${origin}/A`,
      `${origin}/a?b`,
      `${origin}:8443/a`,
      'http://api.example.com/a',
      'https://api.example.com.evil.test/a',
      'https://xn--pi-7ka.example.com/a',
    ].map((resourceUrl) =>
      row(`resource ${resourceUrl}`, signed({ ...good, resourceUrl }), 'other_resource'),
    ),
    // Envelopes.
    row('nothing', undefined, 'artifact_malformed'),
    row('text', artifact, 'artifact_malformed'),
    row('null', null, 'artifact_malformed'),
    row('no format', { signature: artifact }, 'format_unsupported'),
    row('eip712', { format: 'eip712', payload: good, signature: '0x00' }, 'format_unsupported'),
    row('JWS in capitals', { format: 'JWS', signature: artifact }, 'format_unsupported'),
    row(
      'a payload beside the JWS',
      { ...bare(artifact), payload: { ...good, network: 'x' } },
      'artifact_malformed',
    ),
    row('no JWS', { format: 'jws' }, 'artifact_malformed'),
    row('a list of JWS', { format: 'jws', signature: [artifact] }, 'artifact_malformed'),
  ];
}

const muxed = 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ';

const offers: readonly Row[] = [
  ...common(OFFER),
  row('a receipt in place of an offer', signed(RECEIPT), 'member_missing'),
  row('an offer that is a receipt too', signed({ ...RECEIPT, ...OFFER }), 'member_unknown'),
  ...['resourceUrl', 'scheme', 'network', 'asset', 'payTo', 'amount'].map((name) =>
    row(`no ${name}`, signed({ ...OFFER, [name]: undefined }), 'member_missing'),
  ),
  ...[
    '1.5',
    '-1',
    '0x10',
    '1e5',
    '',
    ' 100000',
    '0100000',
    '100000\n',
    100000,
    null,
    '9'.repeat(79),
  ].map((amount) =>
    row(
      `amount ${JSON.stringify(amount).slice(0, 20)}`,
      signed({ ...OFFER, amount }),
      'amount_malformed',
    ),
  ),
  row('a higher amount', signed({ ...OFFER, amount: '1000000' }), 'other_terms'),
  row('a lower amount', signed({ ...OFFER, amount: '1' }), 'other_terms'),
  row('another scheme', signed({ ...OFFER, scheme: 'upto' }), 'other_terms'),
  row('a scheme in capitals', signed({ ...OFFER, scheme: 'Exact' }), 'scheme_malformed'),
  row('the payer is paid', signed({ ...OFFER, payTo: payer }), 'other_terms'),
  row('the contract is paid', signed({ ...OFFER, payTo: contract }), 'other_terms'),
  row(
    'asset and account swapped',
    signed({ ...OFFER, asset: payTo, payTo: contract }),
    'asset_malformed',
  ),
  row('an asset by name', signed({ ...OFFER, asset: 'USDC' }), 'asset_malformed'),
  ...[
    payTo.toLowerCase(),
    `${payTo} `,
    muxed,
    payTo.slice(0, -1),
    `${payTo.slice(0, -1)}A`,
    `S${payTo.slice(1)}`,
    'alice*example.com',
  ].map((account) =>
    row(
      `payTo ${account.slice(0, 6)}…${account.slice(-3)}`,
      signed({ ...OFFER, payTo: account }),
      'address_malformed',
    ),
  ),
  ...[0, -1, 1.5, now * 1000, '1790000300', null].map((validUntil) =>
    row(
      `validUntil ${JSON.stringify(validUntil)}`,
      signed({ ...OFFER, validUntil }),
      'time_malformed',
    ),
  ),
  row('an offer of yesterday', signed({ ...OFFER, validUntil: now - 86_400 }), 'expired'),
  row('an offer of a second ago', signed({ ...OFFER, validUntil: now - 1 }), 'expired'),
  ...[-1, 0.5, '0', null].map((acceptIndex) =>
    row(
      `index ${JSON.stringify(acceptIndex)}`,
      { ...signed(OFFER), acceptIndex },
      'artifact_malformed',
    ),
  ),
  row(
    'good index, other terms',
    { ...signed({ ...OFFER, amount: '5' }), acceptIndex: 0 },
    'other_terms',
  ),
];

const receipts: readonly Row[] = [
  ...common(RECEIPT),
  row('an offer in place of a receipt', signed(OFFER), 'member_missing'),
  row('a receipt that is an offer too', signed({ ...OFFER, ...RECEIPT }), 'member_unknown'),
  ...['resourceUrl', 'network', 'payer', 'issuedAt'].map((name) =>
    row(`no ${name}`, signed({ ...RECEIPT, [name]: undefined }), 'member_missing'),
  ),
  row('no transaction', signed({ ...RECEIPT, transaction: undefined }), 'transaction_missing'),
  row(
    'the transaction of another payment',
    signed({ ...RECEIPT, transaction: 'cd'.repeat(32) }),
    'other_transaction',
  ),
  ...['', 'AB'.repeat(32), `0x${'ab'.repeat(32)}`, 'ab'.repeat(31), `${transaction}\n`, 5].map(
    (hash) =>
      row(
        `transaction ${JSON.stringify(hash).slice(0, 8)}`,
        signed({ ...RECEIPT, transaction: hash }),
        'transaction_malformed',
      ),
  ),
  row('the seller as the payer', signed({ ...RECEIPT, payer: payTo }), 'other_payer'),
  row('the contract as the payer', signed({ ...RECEIPT, payer: contract }), 'other_payer'),
  ...[
    payer.toLowerCase(),
    `${payer}\u200b`,
    muxed,
    payer.slice(1),
    `did:pkh:stellar:testnet:${payer}`,
  ].map((account) =>
    row(
      `payer ${JSON.stringify(account).slice(1, 9)}`,
      signed({ ...RECEIPT, payer: account }),
      'address_malformed',
    ),
  ),
  row('the key of a good receipt of another seller', signed(RECEIPT, {}, thief), 'other_signer'),
  row('issued tomorrow', signed({ ...RECEIPT, issuedAt: now + 86_400 }), 'issued_in_future'),
  row('issued in two minutes', signed({ ...RECEIPT, issuedAt: now + 120 }), 'issued_in_future'),
  row(
    'issued before the payment',
    signed({ ...RECEIPT, issuedAt: now - 120 }),
    'issued_before_payment',
  ),
  row('issued in milliseconds', signed({ ...RECEIPT, issuedAt: now * 1000 }), 'time_malformed'),
  row('issued as text', signed({ ...RECEIPT, issuedAt: String(now) }), 'time_malformed'),
  row('issued at 0', signed({ ...RECEIPT, issuedAt: 0 }), 'time_malformed'),
  row('an index on a receipt', { ...signed(RECEIPT), acceptIndex: 0 }, 'artifact_malformed'),
  row('the same receipt for a second payment', signed(RECEIPT), 'replayed', { isKnown: true }),
];

const forgeries: readonly Forgery[] = [
  ...offers.map((each) => ({ ...each, as: 'offer' as const })),
  ...receipts.map((each) => ({ ...each, as: 'receipt' as const })),
];

function judge({ as, artifact, documents, isKnown }: Omit<Forgery, 'what' | 'reason'>) {
  const ports = { verifyEd25519, documents };
  return as === 'offer'
    ? verifyOffer(artifact, EXPECTED_OFFER, ports)
    : verifyReceipt(artifact, { ...EXPECTED_RECEIPT, isKnown: () => isKnown === true }, ports);
}

describe('no forged offer or receipt is accepted', () => {
  it('the true offer and receipt are, under each kind of identifier, so that the forgeries differ in one thing', () => {
    const documents = { [did]: didDocumentOf(origin, key.publicKey) };
    const jwk = jwkOf(key.publicKey);
    const headers = [
      {},
      { jwk },
      { alg: 'Ed25519' },
      { kid: `${did}#key-1` },
      { kid: `did:jwk:${b64(JSON.stringify(jwk))}#0` },
    ];
    for (const header of headers) {
      for (const [as, payload] of [
        ['offer', OFFER],
        ['receipt', RECEIPT],
      ] as const) {
        const judged = judge({ as, artifact: signed(payload, header), documents });
        assert.ok(judged.ok, JSON.stringify({ as, header, judged }));
      }
    }
  });

  it(`refuses each of ${forgeries.length} forgeries for its own reason`, () => {
    assert.ok(forgeries.length >= 200);
    const wrong = forgeries.flatMap(({ what, reason, ...forgery }) => {
      const judged = judge(forgery);
      const found = judged.ok ? 'ACCEPTED' : judged.reason;
      return found === reason ? [] : [`${forgery.as}, ${what}: ${found}, not ${reason}`];
    });
    assert.deepEqual(wrong, []);
  });

  it('has a forgery for each reason', () => {
    const tried = new Set<string>(forgeries.map(({ reason }) => reason));
    assert.deepEqual(
      Object.keys(RECEIPT_PROBLEMS).filter((reason) => !tried.has(reason)),
      [],
    );
  });
});
