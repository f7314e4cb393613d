import { writeSync } from 'node:fs';
import { Account, Asset, Keypair, Operation, TransactionBuilder, xdr } from '@stellar/stellar-sdk';
import { startLedger } from '../../src/index.ts';

/*
 * A network whose 50 channel accounts pay each other without end, to be killed at any moment.
 * usage: payingNetwork DATA_FOLDER
 * It writes sequence and hash of each ledger that a client could see, one a line.
 */

const STDOUT = 1;
const [dataFolder = ''] = process.argv.slice(2);
const ledger = await startLedger({ dataFolder, port: null, close: { kind: 'manual' } });
const sources = await Promise.all(
  ledger.accounts.channels.map(async ({ secret, address }) => {
    const keypair = Keypair.fromSecret(secret);
    return { keypair, account: new Account(address, await sequenceOf(keypair)) };
  }),
);
writeSync(STDOUT, 'ready\n');

for (let round = 0; ; round++) {
  for (const [at, { keypair, account }] of sources.entries()) {
    const to = sources[(at + round + 1) % sources.length];
    if (to === undefined || to.keypair === keypair) continue;
    const payment = Operation.payment({
      destination: to.keypair.publicKey(),
      asset: Asset.native(),
      amount: '0.0000001',
    });
    const transaction = new TransactionBuilder(account, {
      fee: '100',
      networkPassphrase: ledger.passphrase,
    })
      .addOperation(payment)
      .setTimeout(0)
      .build();
    transaction.sign(keypair);
    await ledger.call('sendTransaction', { transaction: transaction.toXdr() });
  }
  ledger.closeLedger();
  const latest = (await ledger.call('getLatestLedger')) as { id: string; sequence: number };
  writeSync(STDOUT, `${latest.sequence} ${latest.id}\n`);
}

async function sequenceOf(keypair: Keypair): Promise<string> {
  const key = xdr.LedgerKey.account(
    new xdr.LedgerKeyAccount({
      accountId: xdr.PublicKey.publicKeyTypeEd25519(keypair.rawPublicKey()),
    }),
  );
  const { entries } = (await ledger.call('getLedgerEntries', { keys: [key.toXdr('base64')] })) as {
    entries: { xdr: string }[];
  };
  const entry = xdr.LedgerEntryData.fromXdr(entries[0]?.xdr ?? '', 'base64');
  return entry.type === 'account' ? String(entry.account.seqNum) : '0';
}
