import { randomBytes } from 'node:crypto';
import { xdr } from '@stellar/stellar-sdk';
import { decodeStrKey } from '../../../common/strKey.ts';
import { USDC_ISSUER } from '../../../common/testnetAssets.ts';
import { entryReader, type LedgerService, LedgerServiceError } from '../close/index.ts';
import { balanceOfContract, contractBalanceKey } from '../control/index.ts';
import { type LocalKey, NATIVE, USDC } from '../genesis/index.ts';
import type { FoundTransaction } from '../history/index.ts';
import { accountKeyId, ledgerKeyId, storedEntry, trustlineKeyId } from '../state/index.ts';
import { assetContractId } from '../transaction/events/index.ts';
import { encodeXdr } from '../xdr/index.ts';
import { FriendbotError } from './friendbotError.ts';
import {
  contractFunding,
  type FundedAccount,
  type FundingSource,
  fundingTransaction,
  type InvocationNeeds,
  invocationTransaction,
  STARTING_BALANCE,
  usdcTransaction,
} from './fundingTransaction.ts';

/** Maximum number of operations in a transaction. */
const MAX_ACCOUNTS = 100;

/** An address that gets a starting balance. */
type Beneficiary =
  | { readonly kind: 'account'; readonly account: xdr.PublicKey }
  | { readonly kind: 'contract'; readonly contract: xdr.ScAddress };

/** Requests for one address that wait for the same transaction. */
interface Wish {
  readonly to: Beneficiary;
  /** Atomic units of USDC instead of XLM. */
  readonly usdc: bigint | undefined;
  readonly waiting: {
    readonly granted: (found: FoundTransaction) => void;
    readonly refused: (error: unknown) => void;
  }[];
}

/**
 * Gives 10,000 XLM to accounts and contracts that have less, as testnet's friendbot does: it creates accounts and pays existing
 * ones. It has one account and therefore one transaction per ledger; requests that arrive in the meantime share the next one.
 * It buys USDC from the market maker.
 */
export class Friendbot {
  readonly #service: LedgerService;
  readonly #key: LocalKey;
  readonly #wishes = new Map<string, Wish>();
  #working = false;

  constructor(service: LedgerService, key: LocalKey) {
    this.#service = service;
    this.#key = key;
  }

  /**
   * Funds an address and waits for the ledger. In manual close mode, it closes a ledger with its own transaction.
   * @param address `G…` or `C…`
   * @param usdc atomic units of USDC to give instead of XLM, to an address that has less; an account needs a trustline
   * @throws FriendbotError
   */
  fund(address: string, usdc?: bigint): Promise<FoundTransaction> {
    const to = beneficiaryOf(address);
    if (to === undefined) {
      const why = 'addr: invalid address: must be a valid G or C address';
      return Promise.reject(new FriendbotError('BAD_ADDRESS', why));
    }
    return new Promise((granted, refused) => {
      const key = usdc === undefined ? address : `${address} ${usdc}`;
      const wish = this.#wishes.get(key) ?? { to, usdc, waiting: [] };
      wish.waiting.push({ granted, refused });
      this.#wishes.set(key, wish);
      if (this.#working) return;
      this.#working = true;
      // Requests that arrive together share a ledger.
      setImmediate(() => void this.#work());
    });
  }

  /** Reads everything that funding an address reads, without changing anything. Throws if it cannot be funded. */
  rehearse(address: string, usdc?: bigint): void {
    const to = beneficiaryOf(address);
    if (to === undefined) return;
    if (usdc === undefined) {
      this.#transaction([to]);
      return;
    }
    this.#usdc(to);
    this.#service.rehearse(this.#purchase(to, usdc));
  }

  async #work(): Promise<void> {
    while (this.#wishes.size > 0) {
      const wishes = this.#takeBatch();
      try {
        const [first] = wishes;
        if (first?.usdc !== undefined) await this.#giveUsdc(first, first.usdc);
        else if (wishes.length > 0) await this.#grant(wishes);
      } catch (error) {
        for (const wish of wishes) refuse(wish, error);
      }
    }
    this.#working = false;
  }

  /** Takes as many wishes as one transaction can grant, and refuses those of addresses that already have enough. */
  #takeBatch(): Wish[] {
    const batch: Wish[] = [];
    for (const [address, wish] of this.#wishes) {
      if (batch.length === MAX_ACCOUNTS) break;
      // A transaction that calls a contract has no other operation, and one that gives USDC has a single beneficiary.
      const alone = wish.to.kind === 'contract' || wish.usdc !== undefined;
      if (alone && batch.length > 0) continue;
      this.#wishes.delete(address);
      const refusal = this.#refusal(wish);
      if (refusal !== undefined) {
        refuse(wish, refusal);
        continue;
      }
      batch.push(wish);
      if (alone) break;
    }
    return batch;
  }

  /** Returns why a wish cannot be granted, as far as the current state shows. */
  #refusal({ to, usdc }: Wish): FriendbotError | undefined {
    if (usdc === undefined) {
      return (this.#balance(to) ?? 0n) >= STARTING_BALANCE ? alreadyFunded() : undefined;
    }
    const held = this.#usdc(to);
    if (held === undefined && to.kind === 'account') {
      return new FriendbotError(
        'NO_TRUSTLINE',
        `usdc: the account has no trustline: create the account and open a trustline to USDC of ${USDC_ISSUER} first`,
      );
    }
    return (held ?? 0n) >= usdc
      ? new FriendbotError('ALREADY_EXISTS', 'the address already holds this much USDC')
      : undefined;
  }

  /** Buys USDC for an account. For a contract, friendbot buys it for itself and passes it on. */
  async #giveUsdc(wish: Wish, usdc: bigint): Promise<void> {
    const bought = await this.#sendAlone(this.#purchase(wish.to, usdc));
    if (wish.to.kind === 'account') {
      grant(wish, bought);
      return;
    }
    const source = this.#source();
    const call = contractFunding(source, wish.to.contract, USDC, usdc);
    grant(wish, await this.#sendAlone(invocationTransaction(source, call, this.#needsOf(call))));
  }

  #purchase(to: Beneficiary, usdc: bigint): xdr.TransactionEnvelope {
    const account = to.kind === 'account' ? to.account : this.#key.publicKey;
    const own = { kind: 'account', account: this.#key.publicKey } as const;
    const opens = to.kind === 'contract' && this.#usdc(own) === undefined;
    return usdcTransaction(this.#source(), account, usdc, opens);
  }

  async #sendAlone(transaction: xdr.TransactionEnvelope): Promise<FoundTransaction> {
    const found = await this.#submit(transaction);
    if (!found.transaction.successful) throw notFunded('the transaction failed');
    return found;
  }

  async #grant(wishes: readonly Wish[]): Promise<void> {
    const found = await this.#send(wishes.map(({ to }) => to));
    if (found.transaction.successful) {
      for (const wish of wishes) grant(wish, found);
      return;
    }
    // An account was created or removed in the meantime, so each request gets its own transaction.
    for (const wish of wishes) {
      if ((this.#balance(wish.to) ?? 0n) >= STARTING_BALANCE) refuse(wish, alreadyFunded());
      else if (wishes.length > 1) await this.#grant([wish]);
      else refuse(wish, notFunded('the transaction failed'));
    }
  }

  #send(beneficiaries: readonly Beneficiary[]): Promise<FoundTransaction> {
    return this.#submit(this.#transaction(beneficiaries));
  }

  async #submit(transaction: xdr.TransactionEnvelope): Promise<FoundTransaction> {
    const { hash, submission } = this.#service.submit(transaction);
    if (submission.status !== 'PENDING') {
      const why = submission.status === 'ERROR' ? submission.result.result.type : submission.status;
      throw notFunded(why);
    }
    try {
      // In manual mode, nobody else would close a ledger for it.
      if (this.#service.closeMode.kind === 'manual') this.#service.closeLedger([hash]);
      return await this.#service.closed(hash);
    } catch (error) {
      if (error instanceof LedgerServiceError) throw notFunded(error.message);
      throw error;
    }
  }

  #transaction(beneficiaries: readonly Beneficiary[]): xdr.TransactionEnvelope {
    const source = this.#source();
    const accounts: FundedAccount[] = [];
    for (const to of beneficiaries) {
      if (to.kind === 'contract') {
        const call = contractFunding(source, to.contract, NATIVE, STARTING_BALANCE);
        return invocationTransaction(source, call, this.#needsOf(call));
      }
      accounts.push({ account: to.account, exists: this.#balance(to) !== undefined });
    }
    return fundingTransaction(source, accounts);
  }

  #source(): FundingSource {
    const { state, networkId } = this.#service.engine;
    const own = state.peek(accountKeyId(this.#key.publicKey));
    if (own?.data.type !== 'account') throw notFunded('friendbot has no account');
    const { baseFee } = state.header;
    return { networkId, key: this.#key, sequence: own.data.account.seqNum + 1n, baseFee };
  }

  #needsOf(call: xdr.HostFunction): InvocationNeeds {
    const { state } = this.#service.engine;
    const { host } = this.#service.engine.environment();
    const { ledgerSeq, scpValue } = state.header;
    const outcome = host.simulateInvoke({
      ledger: { sequence: ledgerSeq, closeTime: scpValue.closeTime },
      hostFunction: encodeXdr(call),
      sourceAccount: encodeXdr(this.#key.publicKey),
      auth: { mode: 'record', allowNonRoot: false, addressV2: false },
      prngSeed: randomBytes(32),
      instructionLeeway: 0,
      diagnostics: false,
      read: entryReader(state),
    });
    if (!outcome.ok) throw notFunded(outcome.error.summary);
    return {
      auth: outcome.auth.map((entry) => xdr.SorobanAuthorizationEntry.fromXdr(entry)),
      data: xdr.SorobanTransactionData.fromXdr(outcome.transactionData),
      resourceFee: outcome.minResourceFee,
    };
  }

  /** In stroops; undefined if the account does not exist or the contract holds none. */
  #balance(to: Beneficiary): bigint | undefined {
    if (to.kind === 'contract') return this.#contractHolds(to.contract, NATIVE);
    const entry = this.#service.engine.state.peek(accountKeyId(to.account));
    return entry?.data.type === 'account' ? entry.data.account.balance : undefined;
  }

  /** Atomic units of USDC; undefined if an account has no trustline or a contract holds none. */
  #usdc(to: Beneficiary): bigint | undefined {
    if (to.kind === 'contract') return this.#contractHolds(to.contract, USDC);
    const line = xdr.TrustLineAsset.assetTypeCreditAlphanum4(USDC.alphaNum4);
    const entry = this.#service.engine.state.peek(trustlineKeyId(to.account, line));
    return entry?.data.type === 'trustline' ? entry.data.trustLine.balance : undefined;
  }

  #contractHolds(holder: xdr.ScAddress, asset: xdr.Asset): bigint | undefined {
    const { state, networkId } = this.#service.engine;
    const contract = assetContractId(networkId, asset);
    const found = storedEntry(state, ledgerKeyId(contractBalanceKey(contract, holder)));
    return found?.entry.data.type === 'contractData'
      ? balanceOfContract(found.entry.data.contractData, contract)
      : undefined;
  }
}

function beneficiaryOf(address: string): Beneficiary | undefined {
  const account = decodeStrKey('account', address);
  if (account !== undefined) {
    return { kind: 'account', account: xdr.PublicKey.publicKeyTypeEd25519(account) };
  }
  const contract = decodeStrKey('contract', address);
  return contract === undefined
    ? undefined
    : {
        kind: 'contract',
        contract: xdr.ScAddress.scAddressTypeContract(new xdr.ContractId(contract)),
      };
}

function grant({ waiting }: Wish, found: FoundTransaction): void {
  for (const { granted } of waiting) granted(found);
}

function refuse({ waiting }: Wish, error: unknown): void {
  for (const { refused } of waiting) refused(error);
}

/** In the words by which clients recognize this error, which they treat as success. */
function alreadyFunded(): FriendbotError {
  return new FriendbotError(
    'ALREADY_EXISTS',
    'createAccountAlreadyExist: account already funded to starting balance',
  );
}

function notFunded(why: string): FriendbotError {
  return new FriendbotError('NOT_FUNDED', `the network did not accept the transaction: ${why}`);
}
