import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type AtomicAmount,
  atomicAmount,
  type ContractAddress,
  encodeStrKey,
  type StellarAddress,
} from '../../src/protocol/index.ts';
import { channelAddress } from '../../src/protocol/sessions/index.ts';
import {
  judgeVoucher,
  memoryVouchers,
  type SessionOffer,
  type StoredVoucher,
  sessionChannel,
  type VoucherCase,
} from '../../src/seller/sessions/index.ts';

const contract = (byte: number) =>
  encodeStrKey('contract', Buffer.alloc(32, byte)) as ContractAddress;
const account = (byte: number) => encodeStrKey('account', Buffer.alloc(32, byte)) as StellarAddress;

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const other = generateKeyPairSync('ed25519').privateKey;

const offer: SessionOffer = {
  opener: contract(1),
  module: 'ab'.repeat(32),
  token: contract(2),
  recipient: account(3),
  waitingPeriod: 17_280,
  margin: 720,
};
const terms = {
  token: offer.token,
  payer: account(4),
  voucherKey: Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'),
  recipient: offer.recipient,
  waitingPeriod: offer.waitingPeriod,
  salt: Buffer.alloc(32, 5),
};

function openChannel(changed: Partial<typeof terms> = {}, opener = offer.opener) {
  const all = { ...terms, ...changed };
  const channel = sessionChannel(opener, channelAddress(opener, all), all);
  assert(channel !== undefined);
  return channel;
}
const channel = openChannel();

function units(value: bigint): AtomicAmount {
  const amount = atomicAmount(value);
  assert(amount !== undefined);
  return amount;
}
function voucherOf(amount: bigint, by = privateKey, of = channel): StoredVoucher {
  const signature = sign(null, of.bytes(units(amount)), by).toString('hex');
  return { amount: units(amount), signature };
}
function caseOf(changed: Partial<VoucherCase> = {}): VoucherCase {
  return {
    ...{ offer, channel, now: 1_000, stored: undefined, price: units(10n) },
    reading: {
      ...{ ledger: 1_000, module: offer.module },
      ...{ balance: 1_000n, withdrawn: 0n, refundableFrom: undefined },
    },
    voucher: voucherOf(10n),
    ...changed,
  };
}
function reasonOf(changed: Partial<VoucherCase>): string {
  const judgement = judgeVoucher(caseOf(changed));
  return judgement.verdict === 'refuse' ? judgement.reason : judgement.verdict;
}
const readingOf = (changed: Partial<VoucherCase['reading']>) => ({
  reading: { ...caseOf().reading, ...changed },
});

describe('a seller serves for a voucher', () => {
  it('of a channel that it knows, for what was charged so far and the price', () => {
    assert.deepEqual(judgeVoucher(caseOf()), {
      verdict: 'serve',
      expected: undefined,
      voucher: voucherOf(10n),
    });
    const stored = voucherOf(10n);
    assert.equal(reasonOf({ stored, voucher: voucherOf(20n) }), 'serve');
  });

  it('up to all that the channel held, also after claims', () => {
    const stored = voucherOf(990n);
    const left = readingOf({ balance: 10n, withdrawn: 990n });
    assert.equal(reasonOf({ stored, voucher: voucherOf(1_000n), ...left }), 'serve');
    const less = readingOf({ balance: 9n, withdrawn: 990n });
    assert.equal(reasonOf({ stored, voucher: voucherOf(1_000n), ...less }), 'over_deposit');
  });

  it('in the last ledger in which a close that nobody saw leaves time for a claim', () => {
    assert.equal(reasonOf({ now: 1_000 + 17_280 - 720 - 1 }), 'serve');
    assert.equal(reasonOf({ now: 1_000 + 17_280 - 720 }), 'reading_too_old');
  });
});

describe('a seller refuses a voucher', () => {
  it('of a channel whose address is not that of its terms', () => {
    assert.equal(sessionChannel(offer.opener, contract(9), terms), undefined);
    assert.equal(sessionChannel(contract(8), channel.address, terms), undefined);
  });

  it('of another opener, module, recipient, token or waiting period', () => {
    const by = (changed: ReturnType<typeof openChannel>) => ({
      channel: changed,
      voucher: voucherOf(10n, privateKey, changed),
    });
    assert.equal(reasonOf(by(openChannel({}, contract(8)))), 'other_opener');
    assert.equal(reasonOf(readingOf({ module: 'cd'.repeat(32) })), 'other_module');
    assert.equal(reasonOf(by(openChannel({ recipient: account(6) }))), 'not_offered');
    assert.equal(reasonOf(by(openChannel({ token: contract(6) }))), 'not_offered');
    assert.equal(reasonOf(by(openChannel({ waitingPeriod: 17_279 }))), 'not_offered');
  });

  it('once someone started closing, and repeats what was bought before', () => {
    const closing = readingOf({ refundableFrom: 18_280 });
    assert.equal(reasonOf(closing), 'closing');
    assert.equal(reasonOf({ ...closing, stored: voucherOf(10n) }), 'repeat');
  });

  it('for another amount: less, more, or twice the price', () => {
    for (const amount of [0n, 9n, 11n, 20n]) {
      assert.equal(reasonOf({ voucher: voucherOf(amount) }), 'wrong_amount');
    }
  });

  it('signed by another key, for another channel, or in another form', () => {
    assert.equal(reasonOf({ voucher: voucherOf(10n, other) }), 'bad_signature');
    const elsewhere = openChannel({ salt: Buffer.alloc(32, 6) });
    assert.equal(reasonOf({ voucher: voucherOf(10n, privateKey, elsewhere) }), 'bad_signature');
    const { amount, signature } = voucherOf(10n);
    const loud = { amount, signature: signature.toUpperCase() };
    assert.equal(reasonOf({ voucher: loud }), 'bad_signature');
    assert.equal(reasonOf({ voucher: { amount, signature: '' } }), 'bad_signature');
  });
});

/** One step of buyer, payer, seller and time. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('buy'), price: fc.bigInt(1n, 40n) }) },
  fc.record({ kind: fc.constant('lie'), amount: fc.bigInt(0n, 400n), forged: fc.boolean() }),
  fc.record({ kind: fc.constant('repeat') }),
  fc.record({ kind: fc.constant('look') }),
  fc.record({ kind: fc.constant('claim') }),
  fc.record({ kind: fc.constant('close') }),
  fc.record({ kind: fc.constant('refund') }),
  fc.record({ kind: fc.constant('wait'), ledgers: fc.integer({ min: 1, max: 12_000 }) }),
) as fc.Arbitrary<Step>;

type Step =
  | { readonly kind: 'buy'; readonly price: bigint }
  | { readonly kind: 'lie'; readonly amount: bigint; readonly forged: boolean }
  | { readonly kind: 'wait'; readonly ledgers: number }
  | { readonly kind: 'repeat' | 'look' | 'claim' | 'close' | 'refund' };

/** The rules of the contract, in numbers. */
class Ledger {
  now = 1_000;
  balance = 300n;
  withdrawn = 0n;
  refundableFrom: number | undefined;
  settle(amount: bigint): void {
    const due = amount - this.withdrawn;
    let paid = due;
    if (paid > this.balance) paid = this.balance;
    if (paid <= 0n) return;
    this.balance -= paid;
    this.withdrawn += paid;
  }
  refund(): void {
    if (this.refundableFrom !== undefined && this.now >= this.refundableFrom) this.balance = 0n;
  }
}

describe('whatever buyer and time do', () => {
  it('a seller that looks again before its reading is too old gets all that it served for, and no more', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (steps) => {
        const ledger = new Ledger();
        const store = memoryVouchers();
        const look = () => ({
          ...{ ledger: ledger.now, module: offer.module, balance: ledger.balance },
          ...{ withdrawn: ledger.withdrawn, refundableFrom: ledger.refundableFrom },
        });
        let reading = look();
        let served = 0n;
        const claim = async () =>
          ledger.settle((await store.newest(channel.address))?.amount ?? 0n);
        const present = async (voucher: StoredVoucher, price: bigint) => {
          const stored = await store.newest(channel.address);
          const judgement = judgeVoucher(
            caseOf({ reading, now: ledger.now, stored, voucher, price: units(price) }),
          );
          if (judgement.verdict !== 'serve') return;
          const { expected } = judgement;
          assert(await store.replace(channel.address, expected, judgement.voucher));
          served += price;
        };
        for (const each of steps) {
          switch (each.kind) {
            case 'buy':
              await present(voucherOf(served + each.price), each.price);
              break;
            case 'lie':
              await present(voucherOf(each.amount, each.forged ? other : privateKey), 10n);
              break;
            case 'repeat': {
              const stored = await store.newest(channel.address);
              if (stored !== undefined) await present(stored, 10n);
              break;
            }
            case 'look':
              reading = look();
              break;
            case 'claim':
              await claim();
              break;
            case 'close':
              ledger.refundableFrom ??= ledger.now + offer.waitingPeriod;
              break;
            case 'refund':
              ledger.refund();
              break;
            case 'wait': {
              // The watcher of a seller: it looks before the reading is too old, and claims once it sees a close.
              const end = ledger.now + each.ledgers;
              const lastLook = reading.ledger + offer.waitingPeriod - offer.margin;
              if (end >= lastLook) {
                ledger.now = Math.max(ledger.now, lastLook);
                reading = look();
                if (reading.refundableFrom !== undefined) {
                  ledger.now += offer.margin - 1;
                  await claim();
                }
              }
              ledger.now = Math.max(ledger.now, end);
              break;
            }
          }
        }
        await claim();
        assert.equal(ledger.withdrawn, served);
      }),
      { numRuns: 300 },
    );
  });
});
