import type { AccountIdString } from '../../state/index.ts';

/** Accounts whose transactions and operations need no signature: some by name, or everybody. */
export class Impersonation {
  readonly accounts = new Set<AccountIdString>();
  everyone: boolean;
  readonly #everyoneAtFirst: boolean;

  /** @param everyone whether the network begins with everybody */
  constructor(everyone = false) {
    this.everyone = everyone;
    this.#everyoneAtFirst = everyone;
  }

  covers(account: AccountIdString): boolean {
    return this.everyone || this.accounts.has(account);
  }

  /** Goes back to what the network began with. */
  clear(): void {
    this.accounts.clear();
    this.everyone = this.#everyoneAtFirst;
  }
}
