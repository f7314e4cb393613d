// Makes a nested contract call fail on the embedded network of a service, and prints the transaction's hash.
// usage: node --import tsx test/editor/lib/failedCall.ts URL   (URL: the network's address, such as http://127.0.0.1:8000)

import { createHash } from 'node:crypto';
import {
  Address,
  Keypair,
  Operation,
  rpc,
  SorobanDataBuilder,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk';
import { failingContract } from '../../../network/test/helpers/failingContract.ts';
import { TESTNET_PASSPHRASE } from '../../../src/protocol/index.ts';

const PROTOCOL = 27;
const [, , url = ''] = process.argv;
const { wasm, hash } = failingContract(PROTOCOL);
const durability = xdr.ContractDataDurability.persistent;
const key = xdr.ScVal.scvLedgerKeyContractInstance();

async function put(data: xdr.LedgerEntryData): Promise<void> {
  const ext = xdr.LedgerEntryExt.v0();
  const entry = new xdr.LedgerEntry({ lastModifiedLedgerSeq: 1, data, ext }).toXdr('base64');
  const response = await fetch(`${url}/control`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'svc_setEntry', params: { entry } }),
  });
  const { error } = (await response.json()) as { error?: { message: string } };
  if (error !== undefined) throw new Error(error.message);
}

/** Puts a contract on the ledger. */
async function deploy(salt: string): Promise<Address> {
  const id = createHash('sha256').update(salt).digest();
  const executable = xdr.ContractExecutable.contractExecutableWasm(hash);
  await put(
    xdr.LedgerEntryData.contractData(
      new xdr.ContractDataEntry({
        ext: xdr.ExtensionPoint.v0(),
        contract: xdr.ScAddress.scAddressTypeContract(new xdr.ContractId(id)),
        key,
        durability,
        val: xdr.ScVal.scvContractInstance(
          new xdr.ScContractInstance({ executable, storage: null }),
        ),
      }),
    ),
  );
  return Address.contract(id);
}

await put(
  xdr.LedgerEntryData.contractCode(
    new xdr.ContractCodeEntry({ ext: xdr.ContractCodeEntryExt.v0(), hash, code: wasm }),
  ),
);
const outer = await deploy('outer');
const inner = await deploy('inner');

const server = new rpc.Server(`${url}/rpc`, { allowHttp: true });
const source = Keypair.random();
await (await fetch(`${url}/friendbot?addr=${source.publicKey()}`)).text();
const data = new SorobanDataBuilder()
  .setReadOnly([
    xdr.LedgerKey.contractCode(new xdr.LedgerKeyContractCode({ hash })),
    ...[outer, inner].map((address) =>
      xdr.LedgerKey.contractData(
        new xdr.LedgerKeyContractData({ contract: address.toScAddress(), key, durability }),
      ),
    ),
  ])
  .setResources(10_000_000, 10_000, 0)
  .setResourceFee(40_000_000)
  .build();
const transaction = new TransactionBuilder(await server.getAccount(source.publicKey()), {
  fee: '50000000',
  networkPassphrase: TESTNET_PASSPHRASE,
})
  .addOperation(
    Operation.invokeContractFunction({
      contract: outer.toString(),
      function: 'forward',
      args: [inner.toScVal(), xdr.ScVal.scvSymbol('fail'), xdr.ScVal.scvVec([])],
    }),
  )
  .setTimeout(0)
  .setSorobanData(data)
  .build();
transaction.sign(source);
const sent = await server.sendTransaction(transaction);
const found = await server.pollTransaction(sent.hash, { attempts: 100, sleepStrategy: () => 50 });
if (found.status !== 'FAILED') throw new Error(`${sent.status}, ${found.status}`);
console.log(sent.hash);
