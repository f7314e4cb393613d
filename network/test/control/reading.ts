import assert from 'node:assert/strict';
import { Account, Asset, Keypair, Operation, TransactionBuilder, xdr } from '@stellar/stellar-sdk';
import type { RunningLedger } from '../../src/index.ts';
import type { OpenNetwork } from '../../src/openNetwork.ts';

/** An entry as getLedgerEntries gives it. */
export interface ReadEntry {
  /** LedgerKey in base64. */
  readonly key: string;
  readonly xdr: string;
  readonly lastModifiedLedgerSeq: number;
  readonly liveUntilLedgerSeq?: number;
}

/** @param keys LedgerKeys in base64 */
export async function entriesOf(ledger: RunningLedger, ...keys: string[]): Promise<ReadEntry[]> {
  const { entries } = (await ledger.call('getLedgerEntries', { keys })) as {
    entries: ReadEntry[];
  };
  return entries;
}

export function accountKey(address: string): string {
  const ed25519 = Keypair.fromPublicKey(address).rawPublicKey();
  const accountId = xdr.PublicKey.publicKeyTypeEd25519(ed25519);
  return xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId })).toXdr('base64');
}

/** What an account holds, in atomic units; undefined without account or trustline. */
export async function balanceOf(
  ledger: RunningLedger,
  address: string,
  asset: Asset = Asset.native(),
): Promise<bigint | undefined> {
  if (asset.isNative()) {
    const data = await readData(ledger, accountKey(address));
    return data?.type === 'account' ? data.account.balance : undefined;
  }
  const line = new xdr.LedgerKeyTrustLine({
    accountId: xdr.PublicKey.publicKeyTypeEd25519(Keypair.fromPublicKey(address).rawPublicKey()),
    asset: asset.toTrustLineXdrObject(),
  });
  const data = await readData(ledger, xdr.LedgerKey.trustline(line).toXdr('base64'));
  return data?.type === 'trustline' ? data.trustLine.balance : undefined;
}

export async function sequenceOf(ledger: RunningLedger, address: string): Promise<string> {
  const data = await readData(ledger, accountKey(address));
  return data?.type === 'account' ? String(data.account.seqNum) : '0';
}

/** Pays, closes a ledger, and returns the result. */
export async function pay(
  ledger: RunningLedger,
  from: Keypair,
  destination: string,
  amount: string,
  asset: Asset = Asset.native(),
): Promise<string> {
  const sequence = await sequenceOf(ledger, from.publicKey());
  const transaction = new TransactionBuilder(new Account(from.publicKey(), sequence), {
    fee: '100',
    networkPassphrase: ledger.passphrase,
  })
    .addOperation(Operation.payment({ destination, asset, amount }))
    .setTimeout(0)
    .build();
  transaction.sign(from);
  const sent = (await ledger.call('sendTransaction', { transaction: transaction.toXdr() })) as {
    status: string;
    hash: string;
  };
  if (sent.status !== 'PENDING') return sent.status;
  ledger.closeLedger();
  const { hash } = sent;
  const found = (await ledger.call('getTransaction', { hash })) as { status: string };
  return found.status;
}

/** Asserts that all XLM that anybody holds and the fees paid add up to the total in the header. */
export function totalIsWhole({ service: { engine } }: OpenNetwork): void {
  let coins = engine.state.header.feePool;
  for (const id of engine.state.ids()) {
    const entry = engine.state.glance(id);
    if (entry?.data.type === 'account') coins += entry.data.account.balance;
    if (entry?.data.type === 'contractData') {
      const { val } = entry.data.contractData;
      const [amount] = val.type === 'scvMap' ? (val.map ?? []) : [];
      if (amount?.val.type === 'scvI128') coins += amount.val.i128.lo;
    }
  }
  assert.equal(coins, engine.state.header.totalCoins);
}

async function readData(
  ledger: RunningLedger,
  key: string,
): Promise<xdr.LedgerEntryData | undefined> {
  const [entry] = await entriesOf(ledger, key);
  return entry && xdr.LedgerEntryData.fromXdr(entry.xdr, 'base64');
}
