import * as xdr from '@stellar/stellar-sdk/xdr';
import type { Movement } from '../../src/protocol/fate/index.ts';
import {
  type ContractAddress,
  encodeStrKey,
  type SettlementHash,
  TESTNET_PASSPHRASE,
} from '../../src/protocol/index.ts';
import { type AssetMovement, readScAddress, toI128 } from '../../src/protocol/stellar/index.ts';
import { RpcError, type Simulation, type StellarNetwork } from '../../src/server/network/index.ts';
import { contractEvent } from '../support/events.ts';
import type { Included, ModelLedger } from './modelLedger.ts';
import type { Life, SimWorld } from './simWorld.ts';

/** How the server behind the door behaves at present. */
export interface ServerMood {
  /** Of all calls: those without an answer, before or after the server has acted. */
  silence: number;
  /** Of all answers: those that name a wrong latest ledger. */
  lies: number;
  /** Of all submissions: those that arrive twice, the second answer being the one that comes back. */
  twice: number;
  /** Ends the process at a call. */
  killAtCall: number;
}

const RESOURCES = new xdr.SorobanTransactionData({
  ext: xdr.SorobanTransactionDataExt.v0(),
  resources: new xdr.SorobanResources({
    footprint: new xdr.LedgerFootprint({ readOnly: [], readWrite: [] }),
    instructions: 1_000,
    diskReadBytes: 0,
    writeBytes: 0,
  }),
  resourceFee: 50_000n,
});
const ENCODED_RESOURCES = RESOURCES.toXdr();

function accountEntry(key: xdr.LedgerKey, ledger: ModelLedger): xdr.LedgerEntryData | undefined {
  if (key.type !== 'account' || !ledger.hasAccounts) return undefined;
  const { accountId } = key.account;
  const address = encodeStrKey('account', accountId.ed25519.value);
  return xdr.LedgerEntryData.account(
    new xdr.AccountEntry({
      accountId,
      balance: 1_000_000_000_000n,
      seqNum: ledger.sequenceOf(address),
      numSubEntries: 0,
      inflationDest: null,
      flags: 0,
      homeDomain: new Uint8Array(),
      thresholds: new Uint8Array([1, 0, 0, 0]),
      signers: [],
      ext: xdr.AccountEntryExt.v0(),
    }),
  );
}

/** The events of a simulated transfer, which a token that lies reports like an honest one. */
function eventsOf(transaction: string, ledger: ModelLedger): readonly xdr.DiagnosticEvent[] {
  const found = ledger.eventOf(transaction);
  if (found === undefined) return [];
  const { name, parties, amount } = found.event;
  const contract = found.asset as ContractAddress;
  const data = toI128(amount);
  return [contractEvent({ contract, name: xdr.ScVal.scvSymbol(name), parties, data })];
}

/** Whether a transaction's event is one that a movement may emit; `undefined` stands for any asset and recipient. */
function mayBe({ asset, from, to }: Movement, { transaction, event }: Included): boolean {
  if (event === undefined) return false;
  if (asset !== undefined && transaction.call?.asset !== asset) return false;
  const wanted = { transfer: [from, to], burn: [from], mint: [to] }[event.name];
  return wanted.every((party, index) => party === undefined || event.parties[index] === party);
}

/** What the events of a transaction report to have moved. */
function movementsOf({ transaction: { call }, event }: Included): readonly AssetMovement[] {
  if (call === undefined || event === undefined) return [];
  const { name, amount } = event;
  const [first, second] = event.parties;
  const parties = {
    transfer: { from: first, to: second },
    burn: { from: first, to: undefined },
    mint: { from: undefined, to: first },
  }[name];
  return [{ asset: call.asset, amount, ...parties }];
}

/** An asset's contract: a Stellar asset, or any other program. */
function instanceOf(ledger: ModelLedger): xdr.ScVal {
  const executable =
    ledger.token === undefined
      ? xdr.ContractExecutable.contractExecutableStellarAsset()
      : xdr.ContractExecutable.contractExecutableWasm(new xdr.Hash(Buffer.alloc(32, 9)));
  return xdr.ScVal.scvContractInstance(new xdr.ScContractInstance({ executable, storage: null }));
}

/** A contract's entry: its instance, or the one that a used nonce leaves, with its ledger. */
function contractEntry(
  key: xdr.LedgerKey,
  ledger: ModelLedger,
): { readonly data: xdr.LedgerEntryData; readonly usedIn: number } | undefined {
  if (key.type !== 'contractData') return undefined;
  const { contract, key: name, durability } = key.contractData;
  const entry = (val: xdr.ScVal) =>
    xdr.LedgerEntryData.contractData(
      new xdr.ContractDataEntry({
        ...{ ext: xdr.ExtensionPoint.v0(), contract, key: name, durability, val },
      }),
    );
  if (name.type === 'scvLedgerKeyContractInstance') {
    return { data: entry(instanceOf(ledger)), usedIn: 1 };
  }
  const payer = readScAddress(contract);
  if (payer === undefined || name.type !== 'scvLedgerKeyNonce') return undefined;
  const usedIn = ledger.nonceUsedIn(`${payer}:${name.nonceKey.nonce}`);
  return usedIn === undefined ? undefined : { data: entry(xdr.ScVal.scvVoid()), usedIn };
}

/**
 * The service's door to the network, with a model of one behind. A call takes time, may get no
 * answer or a wrong one, and a process may end at it.
 */
export function simNetwork(
  ledger: ModelLedger,
  world: SimWorld,
  life: Life,
  mood: ServerMood,
  kill: () => void,
): StellarNetwork {
  const { random } = world;

  function latest(): number {
    if (!random.chance(mood.lies)) return ledger.ledger;
    return random.chance(0.5) ? ledger.ledger + 1 + random.below(100_000) : ledger.ledger - 40;
  }

  async function call<T>(method: string, act: () => T): Promise<T> {
    if (life.dead) return life.never();
    await life.wait(1 + random.below(20));
    if (random.chance(mood.killAtCall)) {
      if (random.chance(0.5)) act();
      kill();
      return life.never();
    }
    if (random.chance(mood.silence)) {
      const acted = random.chance(0.5);
      if (acted) act();
      if (random.chance(0.3)) await life.wait(6_000);
      if (acted) throw new RpcError('interrupted', method, 'the answer was lost');
      throw new RpcError('unreachable', method, 'no connection');
    }
    const answer = act();
    await life.wait(1 + random.below(20));
    return answer;
  }

  const readEntries: StellarNetwork['readEntries'] = (keys) =>
    call('getLedgerEntries', () => ({
      latestLedger: latest(),
      found: new Map(
        keys.flatMap((text) => {
          const key = xdr.LedgerKey.fromXdr(text, 'base64');
          const account = accountEntry(key, ledger);
          if (account !== undefined) return [[text, { xdr: account.toXdr('base64') }]];
          const held = contractEntry(key, ledger);
          if (held === undefined) return [];
          const lastModifiedLedgerSeq = held.usedIn;
          return [[text, { xdr: held.data.toXdr('base64'), lastModifiedLedgerSeq }]];
        }),
      ),
    }));

  return {
    getNetwork: () =>
      call('getNetwork', () => ({ passphrase: TESTNET_PASSPHRASE, protocolVersion: 28 })),
    getLatestLedger: () => call('getLatestLedger', latest),
    getHealth: () =>
      call('getHealth', () => ({
        problem: undefined,
        ledgers: { latest: latest(), oldest: 1, oldestClosedAt: ledger.name },
      })),
    ledgerHash: (sequence) =>
      call('getLedgers', () =>
        sequence > ledger.ledger ? undefined : `${ledger.name} ${sequence}`,
      ),
    limitedForMs: 0,
    getLedgerEntries: (keys) =>
      call('getLedgerEntries', () => ({
        latestLedger: latest(),
        entries: keys.map((key) => accountEntry(key, ledger) ?? contractEntry(key, ledger)?.data),
        modifiedIn: keys.map(() => undefined),
        liveUntil: keys.map(() => undefined),
      })),
    readEntries,
    glanceAt: readEntries,
    simulate: (transaction) =>
      call(
        'simulateTransaction',
        (): Simulation =>
          ledger.isUsed(transaction)
            ? {
                status: 'failure',
                latestLedger: latest(),
                error: 'HostError: Error(Auth, ExistingValue) nonce already exists for address',
              }
            : {
                status: 'success',
                latestLedger: latest(),
                minResourceFee: 50_000n,
                transactionData: RESOURCES,
                resourceFee: RESOURCES.resourceFee,
                encodedData: ENCODED_RESOURCES,
                archived: 0,
                events: eventsOf(transaction, ledger),
                returned: undefined,
              },
      ),
    send: (transaction) =>
      call('sendTransaction', () => {
        let status = ledger.send(transaction);
        if (random.chance(mood.twice)) {
          if (random.chance(0.5)) ledger.close();
          status = ledger.send(transaction);
        }
        return typeof status === 'string'
          ? { status, latestLedger: latest(), resultCode: undefined }
          : { status: 'ERROR' as const, latestLedger: latest(), resultCode: status.error };
      }),
    searchMovements: (movement, { start, end, limit }) =>
      call('getEvents', () => {
        if (latest() < end) return undefined;
        const hashes = [...ledger.included.values()]
          .filter((one) => one.ledger >= start && one.ledger <= end && mayBe(movement, one))
          .map(({ transaction: { hash } }) => hash as SettlementHash);
        return { hashes: hashes.slice(0, limit), searchedFrom: start };
      }),
    lookUp: (hash) =>
      call('getTransaction', () => {
        const found = ledger.included.get(hash);
        if (found === undefined) {
          return { status: 'NOT_FOUND' as const, latestLedger: latest(), oldestLedger: 1 };
        }
        return {
          status: found.succeeded ? ('SUCCESS' as const) : ('FAILED' as const),
          latestLedger: latest(),
          ledger: found.ledger,
          feeCharged: 50_200n,
          resultCode: found.succeeded ? 'txSuccess' : 'txFailed',
          envelope: found.transaction.envelope,
          movements: found.succeeded ? movementsOf(found) : undefined,
        };
      }),
    isBehind: () => false,
    ledgerSeconds: () => 5,
    inclusionFee: () => 0n,
    close: () => {},
  };
}
