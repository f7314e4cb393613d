import { xdr } from '@stellar/stellar-sdk';
import type { ImpersonatedAddresses } from '../../host/index.ts';
import { type AccountIdString, accountIdString } from '../../state/index.ts';
import { encodeXdr } from '../../xdr/index.ts';

/** Addresses that do not need signatures: listed accounts and contracts, or all. */
export class Impersonation {
  everyone: boolean;
  readonly #everyoneAtFirst: boolean;
  readonly #accounts = new Set<AccountIdString>();
  readonly #addresses = new Map<string, Uint8Array>();
  #listed: readonly Uint8Array[] = [];

  /** @param everyone whether all addresses are impersonated at first */
  constructor(everyone = false) {
    this.everyone = everyone;
    this.#everyoneAtFirst = everyone;
  }

  /** Starts or stops impersonating an account or a contract. */
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

  /** The listed accounts and contracts. */
  list(): xdr.ScAddress[] {
    return this.#listed.map((bytes) => xdr.ScAddress.fromXdr(bytes));
  }

  /** Whether transactions and operations of an account do not need signatures. */
  covers(account: AccountIdString): boolean {
    return this.everyone || this.#accounts.has(account);
  }

  /** The addresses whose authorization entries do not need signatures, for the host. */
  addresses(): ImpersonatedAddresses {
    if (this.everyone) return 'everybody';
    return this.#listed.length === 0 ? 'nobody' : this.#listed;
  }

  /** Restores the initial setting. */
  clear(): void {
    this.#accounts.clear();
    this.#addresses.clear();
    this.#listed = [];
    this.everyone = this.#everyoneAtFirst;
  }
}
