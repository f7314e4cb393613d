import { randomBytes } from 'node:crypto';
import { xdr } from '@stellar/stellar-sdk';
import { decodeStrKey } from '../../protocol/index.ts';
import { entryReader, type LedgerService } from '../close/index.ts';
import { balanceOfContract, contractBalanceKey } from '../control/index.ts';
import { type LocalKey, NATIVE } from '../genesis/index.ts';
import type { FoundTransaction } from '../history/index.ts';
import { accountKeyId, ledgerKeyId, storedEntry } from '../state/index.ts';
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
} from './fundingTransaction.ts';

/** Operations of a transaction. */
const MAX_ACCOUNTS = 100;

/** Who gets a starting balance. */
type Beneficiary =
  | { readonly kind: 'account'; readonly account: xdr.PublicKey }
  | { readonly kind: 'contract'; readonly contract: xdr.ScAddress };

/** Requests for one address that wait for the same transaction. */
interface Wish {
  readonly to: Beneficiary;
  readonly waiting: {
    readonly granted: (found: FoundTransaction) => void;
    readonly refused: (error: unknown) => void;
  }[];
}

/**
 * Gives 10,000 XLM to accounts and contracts that have less, as testnet's friendbot does: it creates an account, and pays
 * one that exists. It has one account, and so one transaction a ledger: requests that arrive meanwhile share the next one.
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
   * Funds an address, and waits for its ledger; where ledgers close only by hand, it closes one with its transaction.
   * @param address `G…` or `C…`
   * @throws FriendbotError
   */
  fund(address: string): Promise<FoundTransaction> {
    const to = beneficiaryOf(address);
    if (to === undefined) {
      const why = 'addr: invalid address: must be a valid G or C address';
      return Promise.reject(new FriendbotError('BAD_ADDRESS', why));
    }
    return new Promise((granted, refused) => {
      const wish = this.#wishes.get(address) ?? { to, waiting: [] };
      wish.waiting.push({ granted, refused });
      this.#wishes.set(address, wish);
      if (this.#working) return;
      this.#working = true;
      // All requests of the same moment share a ledger.
      setImmediate(() => void this.#work());
    });
  }

  /** Reads what funding an address reads, and changes nothing. Throws where it cannot be funded. */
  rehearse(address: string): void {
    const to = beneficiaryOf(address);
    if (to !== undefined) this.#transaction([to]);
  }

  async #work(): Promise<void> {
    while (this.#wishes.size > 0) {
      const wishes = this.#takeBatch();
      try {
        if (wishes.length > 0) await this.#grant(wishes);
      } catch (error) {
        for (const wish of wishes) refuse(wish, error);
      }
    }
    this.#working = false;
  }

  /** Takes as many wishes as one transaction can grant, and refuses those of addresses that have enough. */
  #takeBatch(): Wish[] {
    const batch: Wish[] = [];
    for (const [address, wish] of this.#wishes) {
      if (batch.length === MAX_ACCOUNTS) break;
      // The transaction that calls a contract does nothing else.
      if (wish.to.kind === 'contract' && batch.length > 0) continue;
      this.#wishes.delete(address);
      if ((this.#balance(wish.to) ?? 0n) >= STARTING_BALANCE) {
        refuse(wish, alreadyFunded());
        continue;
      }
      batch.push(wish);
      if (wish.to.kind === 'contract') break;
    }
    return batch;
  }

  async #grant(wishes: readonly Wish[]): Promise<void> {
    const found = await this.#send(wishes.map(({ to }) => to));
    if (found.transaction.successful) {
      for (const wish of wishes) grant(wish, found);
      return;
    }
    // An account was created or removed meanwhile: each request gets its own transaction, then.
    for (const wish of wishes) {
      if ((this.#balance(wish.to) ?? 0n) >= STARTING_BALANCE) refuse(wish, alreadyFunded());
      else if (wishes.length > 1) await this.#grant([wish]);
      else refuse(wish, notFunded('the transaction failed'));
    }
  }

  async #send(beneficiaries: readonly Beneficiary[]): Promise<FoundTransaction> {
    const { hash, submission } = this.#service.submit(this.#transaction(beneficiaries));
    if (submission.status !== 'PENDING') {
      const why = submission.status === 'ERROR' ? submission.result.result.type : submission.status;
      throw notFunded(why);
    }
    // Nobody else would close a ledger for it.
    if (this.#service.closeMode.kind === 'manual') this.#service.closeLedger([hash]);
    return await this.#service.closed(hash);
  }

  #transaction(beneficiaries: readonly Beneficiary[]): xdr.TransactionEnvelope {
    const source = this.#source();
    const accounts: FundedAccount[] = [];
    for (const to of beneficiaries) {
      if (to.kind === 'contract') {
        const call = contractFunding(source, to.contract);
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

  /** In stroops; undefined where there is no such account, or the contract holds none. */
  #balance(to: Beneficiary): bigint | undefined {
    const { state, networkId } = this.#service.engine;
    if (to.kind === 'account') {
      const entry = state.peek(accountKeyId(to.account));
      return entry?.data.type === 'account' ? entry.data.account.balance : undefined;
    }
    const xlm = assetContractId(networkId, NATIVE);
    const found = storedEntry(state, ledgerKeyId(contractBalanceKey(xlm, to.contract)));
    return found?.entry.data.type === 'contractData'
      ? balanceOfContract(found.entry.data.contractData, xlm)
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

/** In the words by which clients recognize it: they take it for a success. */
function alreadyFunded(): FriendbotError {
  return new FriendbotError(
    'ALREADY_EXISTS',
    'createAccountAlreadyExist: account already funded to starting balance',
  );
}

function notFunded(why: string): FriendbotError {
  return new FriendbotError('NOT_FUNDED', `the network did not take the transaction: ${why}`);
}
