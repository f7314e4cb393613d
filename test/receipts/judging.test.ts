import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { IncludedTransaction } from '../../src/protocol/fate/index.ts';
import {
  type ContractAddress,
  type SettlementHash,
  type StellarAddress,
  USDC_CONTRACT,
} from '../../src/protocol/index.ts';
import {
  collectReceipt,
  didDocumentOf,
  type ReceiptFile,
  readReceiptFile,
  signOffer,
  signReceipt,
} from '../../src/protocol/receipts/index.ts';
import {
  type Judgement,
  type ReceiptReaders,
  verifyReceiptFile,
  webReaders,
} from '../../src/sdk/receipts/index.ts';
import { testKey } from './signing.ts';

const NOW = 1_790_000_000;
const URL_ASKED = 'https://api.example.com/weather?city=Lima';
const PAYER = 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5';
const PAY_TO = 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57';
const HASH = 'ab'.repeat(32) as SettlementHash;
const key = testKey(1);
const multibase = key.kid.split('#')[1] ?? '';

const paid = {
  ...{ scheme: 'exact', network: 'stellar:testnet', asset: USDC_CONTRACT },
  ...{ payTo: PAY_TO, amount: '100000' },
};
const offerTerms = { resourceUrl: URL_ASKED, ...paid, validUntil: NOW + 60 };
const statement = {
  ...{ network: 'stellar:testnet', resourceUrl: URL_ASKED, payer: PAYER },
  ...{ issuedAt: NOW, transaction: HASH as string },
};
const request = {
  ...{ method: 'GET', url: URL_ASKED, paidAt: NOW, paid, payer: PAYER, transaction: HASH },
};

function fileOf(changes: {
  readonly offers?: readonly unknown[];
  readonly receipt?: unknown;
  readonly request?: Partial<ReceiptFile>;
}): ReceiptFile {
  const offers = changes.offers ?? [signOffer(offerTerms, key, 0)];
  const receipt = 'receipt' in changes ? changes.receipt : signReceipt(statement, key);
  const file = collectReceipt(
    { ...request, ...changes.request },
    { extensions: { 'offer-receipt': { info: { offers } } } },
    { extensions: { 'offer-receipt': { info: { receipt } } } },
  );
  assert.ok(file);
  return file;
}

const judge = (file: ReceiptFile, readers: ReceiptReaders = {}): Promise<Judgement> =>
  verifyReceiptFile(file, { readers, now: NOW + 5 });

function about(judgement: Judgement, subject: string) {
  const found = judgement.findings.find((finding) => finding.about === subject);
  assert.ok(found, JSON.stringify(judgement));
  return found;
}

const transfer = (amount: bigint): IncludedTransaction => ({
  ...{ hash: HASH, ledger: 77, successful: true, envelope: '' },
  movements: [
    {
      asset: USDC_CONTRACT as ContractAddress,
      from: PAYER as StellarAddress,
      to: PAY_TO as StellarAddress,
      amount,
    },
  ],
});

describe('What a seller signed, in words', () => {
  it('holds without any network, and says which questions stay open', async () => {
    const judgement = await judge(fileOf({}));
    assert.equal(judgement.verdict, 'holds');
    assert.equal(judgement.signer, `did:key:${multibase}`);
    assert.deepEqual(
      judgement.findings.map((finding) => [finding.about, finding.verdict, finding.where]),
      [
        ['offer', 'holds', 'file'],
        ['receipt', 'holds', 'file'],
        ['origin', 'open', 'web'],
        ['pay_to', 'open', 'ledger'],
        ['ledger', 'open', 'ledger'],
      ],
    );
    assert.match(about(judgement, 'offer').words, /signed by did:key:z6Mk.*0\.01 USDC to GDVE/);
    assert.match(
      about(judgement, 'origin').words,
      /^Nothing says that this key speaks for https:\/\/api\.example\.com: .* was not read\.$/,
    );
  });

  it('survives being written and read as JSON', async () => {
    const file = fileOf({});
    assert.deepEqual(readReceiptFile(JSON.stringify(file)), file);
  });

  const other = testKey(2);
  for (const [what, changes, subject, reason] of [
    [
      'an offer for a lower price',
      { offers: [signOffer({ ...offerTerms, amount: '1' }, key, 0)] },
      'offer',
      'other_terms',
    ],
    [
      'an offer that had expired',
      { offers: [signOffer({ ...offerTerms, validUntil: NOW - 1 }, key, 0)] },
      'offer',
      'expired',
    ],
    [
      'an offer for another network',
      { offers: [signOffer({ ...offerTerms, network: 'stellar:pubnet' }, key, 0)] },
      'offer',
      'other_network',
    ],
    ['an offer that is a text', { offers: ['paid'] }, 'offer', 'artifact_malformed'],
    [
      'a receipt for another resource',
      { receipt: signReceipt({ ...statement, resourceUrl: 'https://api.example.com/x' }, key) },
      'receipt',
      'other_resource',
    ],
    [
      'a receipt for another payer',
      { receipt: signReceipt({ ...statement, payer: PAY_TO }, key) },
      'receipt',
      'other_payer',
    ],
    [
      'a receipt for another transaction',
      { receipt: signReceipt({ ...statement, transaction: 'cd'.repeat(32) }, key) },
      'receipt',
      'other_transaction',
    ],
    [
      'a receipt by another key than the offer',
      { receipt: signReceipt(statement, other) },
      'receipt',
      'other_signer',
    ],
    [
      'a receipt from before the payment',
      { receipt: signReceipt({ ...statement, issuedAt: NOW - 600 }, key) },
      'receipt',
      'issued_before_payment',
    ],
    ['a receipt that is null', { receipt: null }, 'receipt', 'artifact_malformed'],
  ] as const) {
    it(`reports ${what}`, async () => {
      const judgement = await judge(fileOf(changes));
      assert.equal(judgement.verdict, 'fails');
      const found = about(judgement, subject);
      assert.deepEqual([found.verdict, found.reason], ['fails', reason]);
      assert.match(found.words, /does not hold\. /);
    });
  }

  it('reports words that a changed file no longer fits', async () => {
    for (const [changed, reason] of [
      [{ url: 'https://api.example.com/other' }, 'other_resource'],
      [{ paid: { ...paid, amount: '99' } }, 'other_terms'],
      [{ paid: { ...paid, payTo: PAYER } }, 'other_terms'],
    ] as const) {
      const judgement = await judge(fileOf({ request: changed }));
      assert.equal(judgement.verdict, 'fails');
      assert.equal(about(judgement, 'offer').reason, reason);
    }
  });

  it('keeps nothing without signed words, and says what was too long', async () => {
    assert.equal(collectReceipt(request, {}, undefined), undefined);
    const long = { format: 'jws', signature: 'a'.repeat(30_000) };
    const file = fileOf({ offers: [long], receipt: long });
    assert.deepEqual(file.omitted, ['offers', 'receipt']);
    assert.ok(JSON.stringify(file).length < 5_000);
    const judgement = await judge(file);
    assert.equal(judgement.verdict, 'open');
    assert.match(about(judgement, 'receipt').words, /not verified/);
  });

  it('takes the offer that was paid among those for other ways to pay', async () => {
    const elsewhere = signOffer({ ...offerTerms, amount: '5' }, key, 0);
    const judgement = await judge(fileOf({ offers: [elsewhere, signOffer(offerTerms, key, 1)] }));
    assert.equal(judgement.verdict, 'holds');
  });
});

describe('Who a key speaks for', () => {
  const origin = 'https://api.example.com';

  it("is an origin whose own document names it, and no other's", async () => {
    const asked: string[] = [];
    const readers = (document: unknown): ReceiptReaders => ({
      didDocument: async (of) => {
        asked.push(of);
        return document;
      },
    });
    const right = didDocumentOf(origin, key.publicKey);
    const named = about(await judge(fileOf({}), readers(right)), 'origin');
    assert.deepEqual(
      [named.verdict, named.words],
      ['holds', `This key speaks for ${origin}, because its /.well-known/did.json names it.`],
    );
    for (const document of [
      didDocumentOf('https://other.example', key.publicKey),
      didDocumentOf(origin, testKey(2).publicKey),
      { ...right, assertionMethod: [] },
      undefined,
      'text',
    ]) {
      const found = about(await judge(fileOf({}), readers(document)), 'origin');
      assert.equal(found.verdict, 'open', JSON.stringify(document));
      assert.match(found.words, /^Nothing says that this key speaks for/);
    }
    assert.ok(asked.every((one) => one === origin));
  });

  it('is the origin of a did:web key, which nobody else is asked for', async () => {
    const web = { ...key, kid: 'did:web:api.example.com#key-1' };
    const file = fileOf({
      offers: [signOffer(offerTerms, web, 0)],
      receipt: signReceipt(statement, web),
    });
    const readers = { didDocument: async () => didDocumentOf(origin, key.publicKey) };
    assert.equal((await judge(file, readers)).verdict, 'holds');
    const blind = await judge(file);
    assert.deepEqual(
      [blind.verdict, about(blind, 'receipt').verdict, about(blind, 'receipt').reason],
      ['open', 'open', 'did_unresolved'],
    );
  });

  it('is the account whose entry names it, or whose home domain names both', async () => {
    const ask = async (account: object, toml?: string) =>
      about(
        await judge(fileOf({}), {
          account: async () => ({ homeDomain: '', entries: [], ...account }),
          stellarToml: async () => toml,
        }),
        'pay_to',
      );
    const entry = await ask({ entries: [multibase] });
    assert.deepEqual(
      [entry.verdict, entry.words],
      [
        'holds',
        `This key speaks for ${PAY_TO}, because its entry offer_receipt_key or offer_receipt_key_2 on the ledger names it.`,
      ],
    );
    const domain = { homeDomain: 'example.com' };
    const right = `VERSION="2.0.0"\nACCOUNTS=[\n "${PAYER}", # other\n "${PAY_TO}",\n]\nOFFER_RECEIPT_KEYS=["${multibase}"]\n[DOCUMENTATION]\nORG_NAME="x"\n`;
    const named = await ask(domain, right);
    assert.deepEqual(
      [named.verdict, named.words],
      [
        'holds',
        `This key speaks for ${PAY_TO}, because the stellar.toml of its home domain example.com names both.`,
      ],
    );
    for (const [account, toml] of [
      [{ entries: [testKey(2).kid.split('#')[1]] }, undefined],
      [domain, right.replace(PAY_TO, PAYER)],
      [domain, right.replace(multibase, testKey(2).kid.split('#')[1] ?? '')],
      [domain, `[A]\n${right}`],
      [domain, `${right}`.replace('OFFER_RECEIPT_KEYS', '# OFFER_RECEIPT_KEYS')],
      [domain, undefined],
      [{ homeDomain: '127.0.0.1' }, right],
      [{ homeDomain: 'example.com:8443/x' }, right],
      [{}, right],
    ] as const) {
      const found = await ask(account, toml);
      assert.equal(found.verdict, 'open', `${JSON.stringify(account)} ${toml}`);
    }
  });

  it('is nobody whose document cannot be read, and the rest is judged', async () => {
    const fail = async (): Promise<never> => {
      throw new Error('no network');
    };
    const judgement = await judge(fileOf({}), {
      ...{ didDocument: fail, stellarToml: fail, account: fail, transaction: fail },
    });
    assert.equal(judgement.verdict, 'holds');
    for (const subject of ['origin', 'pay_to', 'ledger']) {
      assert.equal(about(judgement, subject).verdict, 'open');
      assert.match(about(judgement, subject).words, /failed\.$/);
    }
  });

  it('costs little to read from a hostile stellar.toml', async () => {
    const started = performance.now();
    await judge(fileOf({}), {
      account: async () => ({ homeDomain: 'example.com', entries: [] }),
      stellarToml: async () => 'A=[\n'.repeat(200_000),
    });
    assert.ok(performance.now() - started < 1_000);
  });
});

describe('The ledger behind a receipt', () => {
  const ask = async (found: IncludedTransaction | undefined, file = fileOf({})) => {
    const judgement = await judge(file, { transaction: async () => found });
    return { judgement, finding: about(judgement, 'ledger') };
  };

  it('shows that the transaction paid the terms', async () => {
    const { judgement, finding } = await ask(transfer(100_000n));
    assert.deepEqual([judgement.verdict, finding.verdict], ['holds', 'holds']);
    assert.match(finding.words, /^Ledger 77 has transaction abab.*0\.01 USDC from GBBD.* to GDVE/);
  });

  it('contradicts a receipt whose transaction failed, or paid less, or somebody else', async () => {
    for (const found of [
      transfer(99_999n),
      { ...transfer(100_000n), successful: false },
      { ...transfer(0n), movements: [] },
    ]) {
      const { judgement, finding } = await ask(found);
      assert.deepEqual(
        [judgement.verdict, finding.verdict, finding.reason],
        ['fails', 'fails', 'other_payment'],
      );
    }
  });

  it('leaves open what its server forgot, or shows no events of', async () => {
    const { movements: _, ...silent } = transfer(100_000n);
    for (const found of [undefined, silent]) {
      const { judgement, finding } = await ask(found);
      assert.deepEqual([judgement.verdict, finding.verdict], ['holds', 'open']);
    }
  });
});

describe('Documents of the web', () => {
  const reader = (respond: (url: string, init: RequestInit | undefined) => Response) =>
    webReaders((async (url: string, init?: RequestInit) => respond(url, init)) as typeof fetch);

  it('are asked for at their fixed places, and no redirect is followed', async () => {
    const asked: unknown[] = [];
    const readers = reader((url, init) => {
      asked.push([url, init?.redirect]);
      return new Response('{}');
    });
    await readers.didDocument('https://api.example.com');
    await readers.stellarToml('example.com');
    assert.deepEqual(asked, [
      ['https://api.example.com/.well-known/did.json', 'manual'],
      ['https://example.com/.well-known/stellar.toml', 'manual'],
    ]);
    await assert.rejects(readers.didDocument('http://api.example.com'));
    const moved = reader(() => new Response(null, { status: 302, headers: { location: '/x' } }));
    await assert.rejects(moved.didDocument('https://api.example.com'));
    const none = reader(() => new Response('', { status: 404 }));
    assert.equal(await none.didDocument('https://api.example.com'), undefined);
  });

  it('are read up to 100 KiB', async () => {
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        controller.enqueue(new Uint8Array(16 * 1024).fill(0x20));
      },
    });
    await assert.rejects(reader(() => new Response(endless)).stellarToml('example.com'));
    assert.ok(sent < 12, `${sent}`);
  });
});
