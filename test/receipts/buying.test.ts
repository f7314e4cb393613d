import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as xdr from '@stellar/stellar-sdk/xdr';
import { KEY_ENTRIES, type ReceiptFile } from '../../src/protocol/receipts/index.ts';
import { readConfig } from '../../src/proxy/index.ts';
import { accountSigner, createX402Fetch } from '../../src/sdk/index.ts';
import {
  type Judgement,
  ledgerReaders,
  verifyReceiptFile,
  watchReceipts,
} from '../../src/sdk/receipts/index.ts';
import { receiptKey } from '../../src/seller/index.ts';
import { openShop, type Shop, serve } from '../proxy/support/shop.ts';
import { openPayer, openSeller, submit } from '../support/accounts.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';

const verdicts = ({ findings }: Judgement): readonly string[] =>
  findings.map(({ about, verdict }) => `${about} ${verdict}`);

describe('A buyer of the SDK, at a proxy with receipts', () => {
  const key = receiptKey(Buffer.alloc(32, 9));
  let stack: LocalStack;
  let payer: TestKey;
  let payTo: TestKey;
  let api: Awaited<ReturnType<typeof serve>>;
  let shop: Shop;
  let file: ReceiptFile;

  before(async () => {
    stack = await startLocalStack();
    payer = await openPayer(stack, 1_000_000_000n);
    payTo = await openSeller(stack);
    api = await serve((_, response) => response.end('{"tempC":19}'));
    const head = `upstream: ${api.url}\npayTo: ${payTo.address}\notherwise: 0.01\n`;
    shop = await openShop(head, { facilitatorUrl: stack.facilitator.url });
    const read = readConfig(`${head}publicUrl: ${shop.proxy.url}\nreceipts: true\n`);
    assert.ok(read.ok);
    shop.proxy.reload(read.config, key);
  });
  after(async () => {
    await shop.close();
    await api.close();
    await stack.close();
  });

  const verify = (of: ReceiptFile, online = false): Promise<Judgement> =>
    verifyReceiptFile(of, online ? { readers: ledgerReaders(stack.rpcUrl) } : {});

  it('gets the resource, and beside it what the seller signed', async () => {
    const receipts = watchReceipts({ payer: payer.address });
    const pay = createX402Fetch({
      signer: accountSigner(payer.address, async (hash) => payer.sign(hash)),
      ...{ rpcUrl: stack.rpcUrl, maxAmount: 1_000_000n, fetch: receipts.fetch },
    });
    const [one, other] = await Promise.all(
      ['/weather?city=Lima#here', '/weather?city=Quito'].map((path) =>
        pay(`${shop.proxy.url}${path}`),
      ),
    );
    assert.ok(one && other);
    assert.equal(await one.text(), '{"tempC":19}');
    const found = receipts.of(one);
    assert.ok(found);
    file = found;
    assert.equal(file.url, `${shop.proxy.url}/weather?city=Lima`);
    const judgement = await verify(file);
    assert.deepEqual(
      [judgement.verdict, verdicts(judgement)],
      ['holds', ['offer holds', 'receipt holds', 'origin open', 'pay_to open', 'ledger open']],
    );
    const second = receipts.of(other);
    assert.ok(second);
    assert.equal((await verify(second)).verdict, 'holds');
    const swapped = await verify({ ...file, receipt: second.receipt });
    assert.deepEqual(
      swapped.findings.flatMap(({ reason = [] }) => reason),
      ['other_resource'],
    );
    assert.equal(receipts.of(new Response()), undefined);
  });

  it('is shown by the ledger that the transaction paid, and not yet whom the key speaks for', async () => {
    const judgement = await verify(file, true);
    assert.deepEqual(verdicts(judgement), [
      ...['offer holds', 'receipt holds', 'origin open', 'pay_to open', 'ledger holds'],
    ]);
    const dearer = { ...file, paid: { ...file.paid, amount: '100001' } };
    assert.deepEqual(verdicts(await verify(dearer, true)), [
      ...['offer fails', 'receipt holds', 'origin open', 'pay_to open', 'ledger fails'],
    ]);
    const unknown = await verify({ ...file, transaction: '00'.repeat(32) }, true);
    assert.equal(unknown.findings.at(-1)?.verdict, 'open');
  });

  it('is shown by an entry of the paid account that the key speaks for it', async () => {
    const multibase = key.kid.split('#')[1] ?? '';
    const name = (dataName: string, text: string): xdr.OperationBody =>
      xdr.OperationBody.manageData(
        new xdr.ManageDataOp({ dataName, dataValue: new TextEncoder().encode(text) }),
      );
    const payToFinding = async () =>
      (await verify(file, true)).findings.find(({ about }) => about === 'pay_to');
    await submit(stack, payTo, [name('other_key', multibase)]);
    assert.equal((await payToFinding())?.verdict, 'open');
    await submit(stack, payTo, [name(KEY_ENTRIES[1], multibase)]);
    const found = await payToFinding();
    assert.equal(found?.verdict, 'holds', found?.words);
    assert.match(found.words, /^This key speaks for G[A-Z2-7]{55}, because/);
  });
});
