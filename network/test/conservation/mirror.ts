import assert from 'node:assert/strict';
import type { xdr } from '@stellar/stellar-sdk';
import { entryKeyId, type LedgerKeyId, ledgerKeyId } from '../../src/state/index.ts';

type DataOf<T extends xdr.LedgerEntryData['type']> = Extract<xdr.LedgerEntryData, { type: T }>;

/**
 * The ledger as somebody sees it who reads nothing but the meta of its closes: what explorers and
 * indexers do. Every change has to fit what was known before.
 */
export class Mirror {
  readonly entries = new Map<LedgerKeyId, xdr.LedgerEntry>();

  add(entry: xdr.LedgerEntry): void {
    this.entries.set(entryKeyId(entry), entry);
  }

  get(id: LedgerKeyId): xdr.LedgerEntry | undefined {
    return this.entries.get(id);
  }

  /** All entries of a type, with the entry that says who sponsors it. */
  ofType<T extends xdr.LedgerEntryData['type']>(
    type: T,
  ): { readonly entry: xdr.LedgerEntry; readonly data: DataOf<T> }[] {
    return [...this.entries.values()].flatMap((entry) =>
      isOfType(entry.data, type) ? [{ entry, data: entry.data }] : [],
    );
  }

  follow(changes: readonly xdr.LedgerEntryChange[]): void {
    for (const change of changes) this.#followOne(change);
  }

  #followOne(change: xdr.LedgerEntryChange): void {
    switch (change.type) {
      case 'ledgerEntryCreated': {
        assert.equal(
          this.get(entryKeyId(change.created)),
          undefined,
          'what is created was not there',
        );
        this.add(change.created);
        return;
      }
      case 'ledgerEntryState': {
        const known = this.get(entryKeyId(change.state));
        assert.equal(
          known?.toXdr('base64'),
          change.state.toXdr('base64'),
          'STATE is what was there',
        );
        return;
      }
      case 'ledgerEntryUpdated': {
        assert.ok(this.get(entryKeyId(change.updated)), 'what is updated was there');
        this.add(change.updated);
        return;
      }
      case 'ledgerEntryRemoved': {
        assert.ok(this.entries.delete(ledgerKeyId(change.removed)), 'what is removed was there');
        return;
      }
      case 'ledgerEntryRestored':
        assert.fail('classic operations restore nothing');
    }
  }
}

function isOfType<T extends xdr.LedgerEntryData['type']>(
  data: xdr.LedgerEntryData,
  type: T,
): data is DataOf<T> {
  return data.type === type;
}
