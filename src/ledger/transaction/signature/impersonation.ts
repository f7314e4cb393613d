import { xdr } from '@stellar/stellar-sdk';
import type { ImpersonatedAddresses } from '../../host/index.ts';
import { type AccountIdString, accountIdString } from '../../state/index.ts';
import { encodeXdr } from '../../xdr/index.ts';

/** Addresses that need no signature: accounts and contracts by name, or everybody. */
export class Impersonation {
  everyone: boolean;
  readonly #everyoneAtFirst: boolean;
  readonly #accounts = new Set<AccountIdString>();
  readonly #addresses = new Map<string, Uint8Array>();
  #listed: readonly Uint8Array[] = [];

  /** @param everyone whether the network begins with everybody */
  constructor(everyone = false) {
    this.everyone = everyone;
    this.#everyoneAtFirst = everyone;
  }

  /** Impersonates an account or a contract, or no longer. */
  set(address: xdr.ScAddress, on: boolean): void {
    const bytes = encodeXdr(address);
    const name = Buffer.from(bytes).toString('latin1');
    if (on) this.#addresses.set(name, bytes);
    else this.#addresses.delete(name);
    this.#listed = [...this.#addresses.values()];
    if (address.type !== 'scAddressTypeAccount') return;
    const id = accountIdString(address.accountId);
    if (on) this.#accounts.add(id);
    else this.#accounts.delete(id);
  }

  /** Those that were named. */
  list(): xdr.ScAddress[] {
    return this.#listed.map((bytes) => xdr.ScAddress.fromXdr(bytes));
  }

  /** Whether transactions and operations of an account need no signature. */
  covers(account: AccountIdString): boolean {
    return this.everyone || this.#accounts.has(account);
  }

  /** Whose authorization entries need no signature, for the host. */
  addresses(): ImpersonatedAddresses {
    if (this.everyone) return 'everybody';
    return this.#listed.length === 0 ? 'nobody' : this.#listed;
  }

  /** Goes back to what the network began with. */
  clear(): void {
    this.#accounts.clear();
    this.#addresses.clear();
    this.#listed = [];
    this.everyone = this.#everyoneAtFirst;
  }
}
