import * as xdr from '@stellar/stellar-sdk/xdr';
import * as z from 'zod/mini';
import { type ContractAddress, TESTNET_PASSPHRASE } from '../../protocol/index.ts';
import { readSpendingLimit } from '../../protocol/policies/index.ts';
import { instanceKey, readScAddress, toScAddress } from '../../protocol/stellar/index.ts';
import {
  connectRpc,
  type HttpTransport,
  NULL_ACCOUNT,
  transferEnvelope,
} from '../../sdk/exact/index.ts';
import type { LedgerLimit, LedgerPolicy, WalletReading } from '../policies/index.ts';
import { t } from '../words/index.ts';
import { type RpcCall, readContractData, rpcCaller } from './rpcCall.ts';

const ledgerShape = z.object({ closeTime: z.optional(z.union([z.string(), z.number()])) });
const networkShape = z.object({ passphrase: z.string() });

/**
 * Reads from the ledger which policies a smart account holds, and what each stores.
 * @throws ReadError if the RPC does not respond, or its response is invalid
 */
export async function readWalletPolicies(
  rpcUrl: string,
  wallet: ContractAddress,
  transport: HttpTransport,
  signal?: AbortSignal,
): Promise<WalletReading> {
  const call = rpcCaller(rpcUrl, transport, signal);
  const [instance] = await instancesOf([wallet], call);
  if (instance === undefined) {
    const { passphrase } = await call('getNetwork', undefined, networkShape);
    return passphrase === TESTNET_PASSPHRASE
      ? { kind: 'absent' }
      : { kind: 'wrong_network', passphrase };
  }
  if (instance.executable.type !== 'contractExecutableWasm') {
    return { kind: 'not_a_wallet', why: t('it is an asset contract') };
  }
  const addresses = addressesOf(member(storageOf(instance), 'policies'));
  if (addresses === undefined && !(await answersPolicies(rpcUrl, wallet, transport, signal))) {
    return { kind: 'not_a_wallet', why: t('it has no function `policies`') };
  }
  const ids = addresses ?? [];
  const instances = ids.length === 0 ? [] : await instancesOf(ids, call);
  const { closeTime = 0 } = await call('getLatestLedger', undefined, ledgerShape);
  return {
    kind: 'wallet',
    policies: ids.map((id, index) => policyOf(id, instances[index])),
    ledgerTime: BigInt(closeTime),
  };
}

/** The instances of contracts, in the given order; `undefined` for one that does not exist. */
async function instancesOf(
  contracts: readonly ContractAddress[],
  call: RpcCall,
): Promise<(xdr.ScContractInstance | undefined)[]> {
  const values = await readContractData(contracts.map(instanceKey), call);
  return values.map((value) =>
    value?.type === 'scvContractInstance' ? value.instance : undefined,
  );
}

/** An account that never held a policy stores no list; only calling it shows whether it is an account. */
async function answersPolicies(
  rpcUrl: string,
  wallet: ContractAddress,
  transport: HttpTransport,
  signal?: AbortSignal,
): Promise<boolean> {
  const invocation = new xdr.InvokeContractArgs({
    contractAddress: toScAddress(wallet),
    functionName: 'policies',
    args: [],
  });
  const envelope = transferEnvelope({
    source: NULL_ACCOUNT,
    invocation,
    authorizations: [],
    now: Date.now() / 1_000,
  });
  const { error } = await connectRpc(rpcUrl, transport).simulate(envelope, signal);
  return typeof error !== 'string';
}

function policyOf(contractId: string, instance: xdr.ScContractInstance | undefined): LedgerPolicy {
  if (instance === undefined) {
    return { contractId, wasmHash: undefined, limit: undefined, registry: undefined };
  }
  const { executable } = instance;
  const storage = storageOf(instance);
  const config = member(storage, 'config');
  return {
    contractId,
    wasmHash:
      executable.type === 'contractExecutableWasm'
        ? Buffer.from(executable.wasmHash.value).toString('hex')
        : undefined,
    limit: limitOf(storage),
    registry: addressOf(member(mapOf(config), 'registry')),
  };
}

function limitOf(storage: Entries): LedgerLimit | undefined {
  const named = storage.flatMap(({ key, val }) =>
    key.type === 'scvSymbol' ? [[key.sym.toString(), val] as const] : [],
  );
  const state = readSpendingLimit(new Map(named));
  if (state === undefined) return undefined;
  const { token, upto, limit, sliding, maxPayments, perPayment, recipients, counted } = state;
  return {
    ...{ token, upto, limit, sliding, maxPayments, perPayment, recipients },
    ...{ windowSeconds: state.window, window: counted },
  };
}

type Entries = readonly xdr.ScMapEntry[];

function storageOf({ storage }: xdr.ScContractInstance): Entries {
  return storage ?? [];
}

function mapOf(value: xdr.ScVal | undefined): Entries {
  return value?.type === 'scvMap' ? (value.map ?? []) : [];
}

function member(entries: Entries, name: string): xdr.ScVal | undefined {
  return entries.find(({ key }) => key.type === 'scvSymbol' && key.sym.toString() === name)?.val;
}

function addressOf(value: xdr.ScVal | undefined): string | undefined {
  return value?.type === 'scvAddress' ? readScAddress(value.address) : undefined;
}

function addressesOf(value: xdr.ScVal | undefined): ContractAddress[] | undefined {
  if (value?.type !== 'scvVec') return undefined;
  return (value.vec ?? []).flatMap((one) => {
    const address = addressOf(one);
    return address === undefined ? [] : [address as ContractAddress];
  });
}
