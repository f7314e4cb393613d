import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as xdr from '@stellar/stellar-sdk/xdr';
import fc from 'fast-check';
import { readI128, toI128 } from '../../../common/i128.ts';
import { readMuxedAccount, readScAddress, toScAddress } from '../../../common/scAddress.ts';
import { contractEvent, type EventParts } from '../../../test/support/events.ts';
import { invocation, PAYER, SELLER, USDC } from '../../../test/support/payment.ts';
import { readTransferCall, transferInvocation } from './transferCall.ts';
import { isTransferEvent, readContractEvent, readTransferEvent } from './transferEvent.ts';

describe('Soroban integers', () => {
  it('of 128 bits keep every value and sign', () => {
    const limit = 1n << 127n;
    fc.assert(
      fc.property(fc.bigInt(-limit, limit - 1n), (value) => {
        assert.equal(readI128(toI128(value)), value);
        assert.equal(readI128(xdr.ScVal.fromXdr(toI128(value).toXdr())), value);
      }),
    );
    assert.equal(readI128(xdr.ScVal.scvU64(1n)), undefined);
  });
});

describe('Soroban addresses', () => {
  it('are those of accounts and contracts; nothing else can pay or be paid', () => {
    for (const address of [PAYER.address, USDC]) {
      assert.equal(readScAddress(toScAddress(address)), address);
    }
    const muxed = xdr.ScAddress.scAddressTypeMuxedAccount(
      new xdr.MuxedEd25519Account({ id: 1n, ed25519: PAYER.publicKey }),
    );
    assert.equal(readScAddress(muxed), undefined);
  });

  it('of muxed sources are those of the underlying account', () => {
    const muxed = xdr.MuxedAccount.keyTypeMuxedEd25519(
      new xdr.MuxedAccountMed25519({ id: 9n, ed25519: PAYER.publicKey }),
    );
    assert.equal(readMuxedAccount(muxed), PAYER.address);
  });
});

describe('transfer(from, to, amount)', () => {
  const call = { asset: USDC, from: PAYER.address, to: SELLER.address, amount: 5n };

  it('reads back unchanged', () => {
    assert.deepEqual(readTransferCall(transferInvocation(call)), call);
  });

  it('is not a call with another name, other arguments or other argument types', () => {
    const args = transferInvocation(call).args;
    for (const parts of [
      { functionName: 'transfer_from' },
      { functionName: 'transfeR' },
      { args: args.slice(0, 2) },
      { args: [...args, xdr.ScVal.scvVoid()] },
      { args: [xdr.ScVal.scvVoid(), ...args.slice(1)] },
      { args: [...args.slice(0, 2), xdr.ScVal.scvU64(5n)] },
    ]) {
      assert.equal(readTransferCall(invocation(parts)), undefined);
    }
  });
});

describe('transfer events', () => {
  const read = (parts: EventParts) => {
    const event = readContractEvent(contractEvent(parts));
    return event === undefined ? undefined : readTransferEvent(event);
  };
  const is = (parts: EventParts) => {
    const event = readContractEvent(contractEvent(parts));
    return event !== undefined && isTransferEvent(event);
  };

  it('carry the amount alone, or with the id of a muxed recipient (CAP-67)', () => {
    const map = xdr.ScVal.scvMap([
      new xdr.ScMapEntry({ key: xdr.ScVal.scvSymbol('amount'), val: toI128(5n) }),
      new xdr.ScMapEntry({ key: xdr.ScVal.scvSymbol('to_muxed_id'), val: xdr.ScVal.scvU64(1n) }),
    ]);
    for (const data of [toI128(5n), map]) {
      assert.deepEqual(read({ data }), { from: PAYER.address, to: SELLER.address, amount: 5n });
    }
  });

  it('without a readable amount are not transfers that anyone can check', () => {
    assert.equal(read({ data: xdr.ScVal.scvVoid() }), undefined);
    assert.equal(read({ data: xdr.ScVal.scvMap([]) }), undefined);
  });

  it('are recognised by their first topic and the two parties', () => {
    assert.equal(is({}), true);
    assert.equal(is({ parties: [] }), false);
    assert.equal(is({ name: xdr.ScVal.scvSymbol('mint') }), false);
    assert.equal(is({ name: xdr.ScVal.scvString('transfer') }), false);
  });

  it('are contract events only', () => {
    const { diagnostic, system } = xdr.ContractEventType;
    for (const type of [diagnostic, system]) {
      assert.equal(readContractEvent(contractEvent({ type })), undefined);
    }
  });
});
