import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as xdr from '@stellar/stellar-sdk/xdr';
import fc from 'fast-check';
import { toI128 } from '../../../common/i128.ts';
import { contractEvent } from '../../../test/support/events.ts';
import { OTHER_ASSET, PAYER, SELLER, STRANGER } from '../../../test/support/payment.ts';
import { plainTransferEvent } from './plainTransferEvent.ts';
import { isTransferEvent, readContractEvent, readTransferEvent } from './transferEvent.ts';

/** The same as the SDK decodes it. @throws when it does not */
function decoded(bytes: Buffer) {
  const event = readContractEvent(xdr.DiagnosticEvent.fromXdr(bytes));
  assert.ok(event !== undefined && isTransferEvent(event));
  assert.equal(event.topics.length, 4);
  return { contract: event.contract, ...readTransferEvent(event) };
}

const party = fc.constantFrom(PAYER.address, SELLER.address, OTHER_ASSET);
const amount = fc.bigInt({ min: -(2n ** 127n), max: 2n ** 127n - 1n });
const eventBytes = (parties: (typeof SELLER.address | typeof OTHER_ASSET)[], value: bigint) =>
  Buffer.from(contractEvent({ parties, data: toI128(value) }).toXdr());

describe('The event of a transfer in its usual form', () => {
  it('is read as the SDK reads it', () => {
    fc.assert(
      fc.property(party, party, amount, (from, to, value) => {
        const bytes = eventBytes([from, to], value);
        const read = plainTransferEvent(bytes);
        assert.ok(read !== undefined);
        assert.deepEqual(read, decoded(bytes));
      }),
    );
  });

  it('is never read where the SDK reads something different, or nothing', () => {
    let plain = 0;
    fc.assert(
      fc.property(
        party,
        fc.array(fc.tuple(fc.nat(10_000), fc.nat(255)), { minLength: 1, maxLength: 2 }),
        (from, changes) => {
          const bytes = eventBytes([from, STRANGER.address], 5n);
          for (const [at, value] of changes) bytes[at % bytes.length] = value;
          const read = plainTransferEvent(bytes);
          if (read === undefined) return;
          plain += 1;
          assert.deepEqual(read, decoded(bytes));
        },
      ),
      { numRuns: 3_000 },
    );
    assert.ok(plain > 200, `${plain} of 3,000`);
  });

  it('is not an event of another kind or form', () => {
    for (const parts of [
      { contract: null },
      { name: xdr.ScVal.scvSymbol('transfe_') },
      { parties: [PAYER.address] },
      { data: xdr.ScVal.scvVoid() },
      { type: xdr.ContractEventType.diagnostic },
    ]) {
      assert.equal(plainTransferEvent(Buffer.from(contractEvent(parts).toXdr())), undefined);
    }
  });
});
