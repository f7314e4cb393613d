import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import * as xdr from '@stellar/stellar-sdk/xdr';
import { OTHER_ASSET, PAYER, STRANGER, USDC } from '../../../../../test/support/payment.ts';
import {
  accountWith,
  assetContract,
  contractBalance,
  type Entry,
  failure,
  ownToken,
  success,
  type Told,
  toldLedger,
  trustline,
} from '../../../../../test/support/toldLedger.ts';
import type { ContractAddress, StellarAddress } from '../../../../protocol/index.ts';
import { toI128, toScAddress } from '../../../../protocol/stellar/index.ts';
import { readHolding } from './readHolding.ts';

const ISSUED = { code: 'USDC', issuer: STRANGER.address };
const LONG_CODE = { code: 'USDCOIN', issuer: STRANGER.address };
const open: { close(): Promise<void> }[] = [];
after(() => Promise.all(open.map((one) => one.close())));

async function holding(told: Told, holder: StellarAddress = PAYER.address) {
  const ledger = await toldLedger(told);
  open.push(ledger);
  return readHolding(holder, USDC, ledger.network);
}

/** What an address holds, where the contract is that of a Stellar asset. */
async function held(
  asset: Parameters<typeof assetContract>[1],
  entries: readonly Entry[],
  holder?: StellarAddress,
) {
  return (await holding({ entries: [assetContract(USDC, asset), ...entries] }, holder)).held;
}

const liabilities = (selling: bigint) => new xdr.Liabilities({ buying: 5_000n, selling });

/** A trustline of 1,000, of which offers may sell a part. */
function trustlineSelling(selling: bigint): Entry {
  const [key, data] = trustline(PAYER.address, ISSUED, 1_000n);
  if (data.type !== 'trustline') throw new TypeError('no trustline');
  const v1 = new xdr.TrustLineEntryV1({
    liabilities: liabilities(selling),
    ext: xdr.TrustLineEntryV1Ext.v0(),
  });
  const ext = xdr.TrustLineEntryExt.v1(v1);
  return [key, xdr.LedgerEntryData.trustline(new xdr.TrustLineEntry({ ...data.trustLine, ext }))];
}

/** An account of 10 XLM. */
function accountSelling(selling: bigint, numSubEntries: number): Entry {
  const [key, data] = accountWith(PAYER.address, 100_000_000n);
  if (data.type !== 'account') throw new TypeError('no account');
  const v1 = new xdr.AccountEntryExtensionV1({
    liabilities: liabilities(selling),
    ext: xdr.AccountEntryExtensionV1Ext.v0(),
  });
  const ext = xdr.AccountEntryExt.v1(v1);
  return [
    key,
    xdr.LedgerEntryData.account(new xdr.AccountEntry({ ...data.account, numSubEntries, ext })),
  ];
}

describe('What a payer can spend of a Stellar asset', () => {
  it('is the balance of its trustline, without what its offers sell', async () => {
    assert.equal(await held(ISSUED, [trustline(PAYER.address, ISSUED, 1_000n)]), 1_000n);
    assert.equal(await held(LONG_CODE, [trustline(PAYER.address, LONG_CODE, 7n)]), 7n);
    assert.equal(await held(ISSUED, [trustlineSelling(300n)]), 700n);
  });

  it('is nothing without a trustline', async () => {
    assert.equal(await held(ISSUED, []), 0n);
  });

  it('of XLM, is the balance without the reserve and what its offers sell', async () => {
    // Two base reserves of 0.5 XLM for the account.
    assert.equal(await held('native', [accountWith(PAYER.address, 100_000_000n)]), 90_000_000n);
    // And one for each of its three entries.
    assert.equal(await held('native', [accountSelling(1_000n, 3)]), 74_999_000n);
  });

  it('of a contract, is its balance in the contract of the asset', async () => {
    const balance = contractBalance(USDC, OTHER_ASSET, 42n);
    assert.equal(await held(ISSUED, [balance], OTHER_ASSET), 42n);
    assert.equal(await held('native', [balance], OTHER_ASSET), 42n);
  });

  it('is without end for the issuer, who needs no trustline', async () => {
    assert.equal(await held(ISSUED, [], STRANGER.address), 2n ** 127n - 1n);
    // An issuer of XLM does not exist.
    assert.equal(await held('native', [], STRANGER.address), 0n);
  });

  it('is stated with the ledger at which it was read', async () => {
    const { ledger } = await holding({ entries: [assetContract(USDC, ISSUED)] });
    assert.equal(ledger, 1_000);
  });
});

describe('What a payer can spend of another token (SEP-41)', () => {
  const token = (contract: ContractAddress = USDC) => [ownToken(contract)];

  it('is what the token’s `balance` returns', async () => {
    const told = { entries: token(), simulations: [success({ returned: toI128(123n) })] };
    assert.deepEqual(await holding(told), { held: 123n, ledger: 1_000 });
  });

  it('is asked of the token, with the payer’s address', async () => {
    const ledger = await toldLedger({ entries: token() });
    open.push(ledger);
    let asked = '';
    await readHolding(PAYER.address, USDC, {
      ...ledger.network,
      getLedgerEntries: (keys) => ledger.network.getLedgerEntries(keys),
      simulate: async (envelope) => {
        asked = envelope;
        return { status: 'failure', latestLedger: 1_000, error: 'gone' };
      },
    });
    const { tx } = readV1(asked);
    const [operation] = tx.operations;
    assert.equal(operation?.body.type, 'invokeHostFunction');
    const called = operation.body.invokeHostFunctionOp.hostFunction;
    assert.equal(called.type, 'hostFunctionTypeInvokeContract');
    const { contractAddress, functionName, args } = called.invokeContract;
    assert.equal(contractAddress.toXdr('hex'), toScAddress(USDC).toXdr('hex'));
    assert.equal(functionName.toString(), 'balance');
    assert.deepEqual(
      args.map((one) => one.toXdr('hex')),
      [xdr.ScVal.scvAddress(toScAddress(PAYER.address)).toXdr('hex')],
    );
  });

  it('is unknown if the call fails, or returns no amount', async () => {
    const unknown = { held: undefined, ledger: 1_000 };
    const failed = { entries: token(), simulations: [failure('HostError: gone')] };
    assert.deepEqual(await holding(failed), unknown);
    const nothing = { entries: token(), simulations: [success({ returned: xdr.ScVal.scvVoid() })] };
    assert.deepEqual(await holding(nothing), unknown);
  });

  it('is asked of an asset whose contract does not say what it is', async () => {
    const told = { entries: [], simulations: [success({ returned: toI128(9n) })] };
    assert.deepEqual(await holding(told), { held: 9n, ledger: 1_000 });
  });
});

function readV1(envelope: string): xdr.TransactionV1Envelope {
  const decoded = xdr.TransactionEnvelope.fromXdr(envelope, 'base64');
  if (decoded.type !== 'envelopeTypeTx') throw new TypeError(decoded.type);
  return decoded.v1;
}
