import { xdr } from '@stellar/stellar-sdk';
import { decodeStrKey } from '../../protocol/index.ts';
import type { LedgerService } from '../close/index.ts';
import type { LocalKey } from '../genesis/index.ts';
import type { FoundTransaction } from '../history/index.ts';
import { type AccountIdString, accountIdString, accountKeyId } from '../state/index.ts';
import { FriendbotError } from './friendbotError.ts';
import { fundingTransaction } from './fundingTransaction.ts';

/** Operations of a transaction. */
const MAX_ACCOUNTS = 100;

/** Somebody who waits for an account. */
interface Wish {
  readonly account: xdr.PublicKey;
  readonly granted: (found: FoundTransaction) => void;
  readonly refused: (error: unknown) => void;
}

/**
 * Gives 10,000 XLM to whoever asks, once. It has one account, and so one transaction a ledger: who asks meanwhile shares
 * the next one.
 */
export class Friendbot {
  readonly #service: LedgerService;
  readonly #key: LocalKey;
  readonly #wishes = new Map<AccountIdString, Wish[]>();
  #working = false;

  constructor(service: LedgerService, key: LocalKey) {
    this.#service = service;
    this.#key = key;
  }

  /**
   * Creates an account, and waits for its ledger.
   * @param address `G…`
   * @throws FriendbotError
   */
  fund(address: string): Promise<FoundTransaction> {
    const bytes = decodeStrKey('account', address);
    if (bytes === undefined) {
      return Promise.reject(new FriendbotError('BAD_ADDRESS', 'addr: invalid address'));
    }
    const account = xdr.PublicKey.publicKeyTypeEd25519(bytes);
    return new Promise((granted, refused) => {
      const id = accountIdString(account);
      const wishes = this.#wishes.get(id) ?? [];
      wishes.push({ account, granted, refused });
      this.#wishes.set(id, wishes);
      if (this.#working) return;
      this.#working = true;
      // All who ask in the same moment share a ledger.
      setImmediate(() => void this.#work());
    });
  }

  async #work(): Promise<void> {
    while (this.#wishes.size > 0) {
      const wishes = this.#takeBatch();
      try {
        if (wishes.length > 0) await this.#grant(wishes);
      } catch (error) {
        for (const { refused } of wishes) refused(error);
      }
    }
    this.#working = false;
  }

  /** Takes wishes of as many accounts as a transaction can create, and refuses those of accounts that are there. */
  #takeBatch(): Wish[] {
    const batch: Wish[] = [];
    let accounts = 0;
    for (const [id, wishes] of this.#wishes) {
      if (accounts === MAX_ACCOUNTS) break;
      this.#wishes.delete(id);
      const [first] = wishes;
      if (first !== undefined && this.#exists(first.account)) {
        for (const { refused } of wishes) refused(alreadyThere());
        continue;
      }
      batch.push(...wishes);
      accounts += 1;
    }
    return batch;
  }

  async #grant(wishes: readonly Wish[]): Promise<void> {
    const accounts = new Map(wishes.map(({ account }) => [accountIdString(account), account]));
    const found = await this.#send([...accounts.values()]);
    if (found.transaction.successful) {
      for (const { granted } of wishes) granted(found);
      return;
    }
    // Somebody else created one of the accounts meanwhile: each for itself, then.
    for (const account of accounts.values()) {
      const own = wishes.filter(
        (wish) => accountIdString(wish.account) === accountIdString(account),
      );
      if (this.#exists(account)) for (const { refused } of own) refused(alreadyThere());
      else if (accounts.size > 1) await this.#grant(own);
      else for (const { refused } of own) refused(notFunded('the transaction failed'));
    }
  }

  async #send(accounts: readonly xdr.PublicKey[]): Promise<FoundTransaction> {
    const { engine } = this.#service;
    const own = engine.state.peek(accountKeyId(this.#key.publicKey));
    if (own?.data.type !== 'account') throw notFunded('friendbot has no account');
    const envelope = fundingTransaction(
      engine.networkId,
      this.#key,
      own.data.account.seqNum + 1n,
      engine.state.header.baseFee,
      accounts,
    );
    const { hash, submission } = this.#service.submit(envelope);
    if (submission.status !== 'PENDING') {
      const why = submission.status === 'ERROR' ? submission.result.result.type : submission.status;
      throw notFunded(why);
    }
    return await this.#service.closed(hash);
  }

  #exists(account: xdr.PublicKey): boolean {
    return this.#service.engine.state.peek(accountKeyId(account)) !== undefined;
  }
}

/** In the words by which clients recognize it: they take it for a success. */
function alreadyThere(): FriendbotError {
  return new FriendbotError(
    'ALREADY_EXISTS',
    'createAccountAlreadyExist: account already funded to starting balance',
  );
}

function notFunded(why: string): FriendbotError {
  return new FriendbotError('NOT_FUNDED', `the network did not take the transaction: ${why}`);
}
