import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as xdr from '@stellar/stellar-sdk/xdr';
import { contractEvent, type EventParts } from '../../../../../../test/support/events.ts';
import { testKey } from '../../../../../../test/support/payer.ts';
import {
  type EntryParts,
  invocation,
  OTHER_ASSET,
  PAYER,
  type PaymentParts,
  paymentEnvelope,
  SELLER,
  STRANGER,
  USDC,
} from '../../../../../../test/support/payment.ts';
import type { ErrorCode, StellarAddress } from '../../../../../protocol/index.ts';
import {
  decodePaymentEnvelope,
  plainTransferEvent,
  readTransferCall,
  toI128,
} from '../../../../../protocol/stellar/index.ts';
import type { Checked } from '../../../payment/rejection.ts';
import { checkFee } from '../simulateExact.ts';
import { checkAuthorizations } from './checkAuthorizations.ts';
import { checkEvents, checkOnlyTransfer } from './checkEvents.ts';

const codeOf = (checked: Checked<unknown>): ErrorCode | 'ok' =>
  checked.ok ? 'ok' : checked.rejection.code;

const SPONSOR = testKey('the sponsor');
const OWN = new Set([SPONSOR.address]);

describe('The fee', () => {
  const fee = (offered: bigint, minResourceFee: bigint, bid: bigint) =>
    codeOf(checkFee({ offered, minResourceFee, bid, ceiling: 500_000n, archived: 0 }));

  it('[spec: Limits/Fee ceiling] the ceiling is compared against the bid', () => {
    assert.equal(fee(400_000n, 400_000n, 500_000n), 'ok');
    assert.equal(fee(400_000n, 400_000n, 500_001n), 'fee_exceeds_maximum');
  });

  it('in the buyer’s envelope does not count, however high: the facilitator bids its own', () => {
    assert.equal(fee(4_000_000_000n, 60_000n, 60_200n), 'ok');
  });

  it('below what the simulation needs is refused', () => {
    assert.equal(fee(59_999n, 60_000n, 60_200n), 'fee_below_minimum');
    assert.equal(fee(60_000n, 60_000n, 60_200n), 'ok');
  });
});

describe('The events of the simulation are the one transfer', () => {
  const call = (from: StellarAddress = PAYER.address) => ({
    asset: USDC,
    from,
    to: SELLER.address,
    amount: 100_000n,
  });
  const judge = (parts: EventParts[], from?: StellarAddress) => {
    const events = parts.map(contractEvent);
    const code = codeOf(checkEvents(events, call(from)));
    const [only, ...others] = events.map((event) => plainTransferEvent(Buffer.from(event.toXdr())));
    // What is read without decoding it is judged the same.
    if (only !== undefined && others.length === 0) {
      assert.equal(codeOf(checkOnlyTransfer(only, call(from))), code);
    }
    return code;
  };
  const other = (name: string) => ({
    contract: OTHER_ASSET,
    name: xdr.ScVal.scvSymbol(name),
  });

  const cases: [string, ErrorCode | 'ok', EventParts[]][] = [
    ['the transfer alone', 'ok', [{}]],
    [
      'diagnostic events do not count',
      'ok',
      [{ type: xdr.ContractEventType.diagnostic, contract: null }, {}],
    ],
    ['nothing', 'no_transfer_events', []],
    ['only a transfer of another asset', 'event_wrong_asset', [{ contract: OTHER_ASSET }]],
    ['two transfers', 'multiple_transfers', [{}, {}]],
    ['an event that is not a transfer', 'event_not_transfer', [{}, other('note')]],
    ['a transfer without contract', 'event_missing_contract', [{ contract: null }]],
    ['a transfer of another asset', 'event_wrong_asset', [{}, { contract: OTHER_ASSET }]],
    ['an unreadable amount', 'event_malformed', [{ data: xdr.ScVal.scvVoid() }]],
    ['another payer', 'event_wrong_from', [{ parties: [STRANGER.address, SELLER.address] }]],
    ['another recipient', 'event_wrong_to', [{ parties: [PAYER.address, STRANGER.address] }]],
    ['a cut of the amount', 'event_wrong_amount', [{ data: toI128(99_999n) }]],
  ];
  for (const [what, code, events] of cases) {
    it(`${what}: ${code}`, () => assert.equal(judge(events), code));
  }

  it('a smart account and its policy can emit events, but move nothing', () => {
    const account = OTHER_ASSET;
    const transfer = { parties: [account, SELLER.address] };
    assert.equal(judge([other('spent'), transfer], account), 'ok');
    assert.equal(judge([other('transfer'), transfer], account), 'event_wrong_asset');
    const asset = { name: xdr.ScVal.scvSymbol('burn') };
    assert.equal(judge([asset, transfer], account), 'event_not_transfer');
  });
});

function withMemo(envelope: string): string {
  const decoded = xdr.TransactionEnvelope.fromXdr(envelope, 'base64');
  if (decoded.type !== 'envelopeTypeTx') throw new TypeError(decoded.type);
  const { tx, signatures } = decoded.v1;
  const memo = xdr.Memo.memoText('order 7');
  return xdr.TransactionEnvelope.envelopeTypeTx(
    new xdr.TransactionV1Envelope({ tx: new xdr.Transaction({ ...tx, memo }), signatures }),
  ).toXdr('base64');
}

describe('The authorization is the payer alone, for this one transfer', () => {
  /** Both with and without a memo: a transaction with one is decoded in whole, a usual one is read in place. */
  function judge(entries: EntryParts[], parts: PaymentParts = {}) {
    const envelope = paymentEnvelope({ ...parts, entries });
    const code = judgeEnvelope(envelope);
    assert.equal(judgeEnvelope(withMemo(envelope)), code, 'with a memo');
    return code;
  }

  function judgeEnvelope(envelope: string) {
    const decoded = decodePaymentEnvelope(envelope);
    if (!decoded.ok) throw new TypeError(decoded.code);
    const transfer = readTransferCall(decoded.envelope.invocation);
    assert.ok(transfer !== undefined);
    return codeOf(
      checkAuthorizations({
        payment: { decoded: decoded.envelope, transfer },
        own: OWN,
        latestLedger: 1_000,
        maxLedger: 1_066,
      }),
    );
  }

  it('[spec: Authentication/One call] is one signed entry, with either kind of address credentials', () => {
    assert.equal(judge([{}]), 'ok');
    assert.equal(judge([{ kind: 'addressV2' }]), 'ok');
  });

  const cases: [string, ErrorCode, EntryParts[]][] = [
    ['no entry', 'no_auth_entries', []],
    [
      "[spec: Facilitator codes/unsupported_credential_type] the payer's own source account",
      'unsupported_credential_type',
      [{ kind: 'sourceAccount' }],
    ],
    ['delegated credentials', 'unsupported_credential_type', [{ kind: 'delegated' }]],
    ['an account of ours', 'facilitator_in_auth', [{}, { by: SPONSOR.address }]],
    [
      'an expiration beyond maxTimeoutSeconds and the tolerance',
      'signature_expiration_too_far',
      [{ expirationLedger: 1_067 }],
    ],
    [
      'calls nested under the transfer',
      'has_subinvocations',
      [{ subInvocations: [invocation({ asset: OTHER_ASSET })] }],
    ],
    ['no signature', 'missing_payer_signature', [{ signer: null }]],
    [
      'only a signature of another',
      'missing_payer_signature',
      [{ by: STRANGER.address, signer: STRANGER }],
    ],
    [
      'an unsigned entry of another',
      'unexpected_pending_signatures',
      [{}, { by: STRANGER.address, signer: null }],
    ],
    [
      'a signed entry of another',
      'unexpected_authorization',
      [{}, { by: STRANGER.address, signer: STRANGER }],
    ],
    ['a second entry of the payer', 'unexpected_authorization', [{}, { nonce: 43n }]],
    [
      'an authorization of another amount',
      'unexpected_authorization',
      [{ invocation: invocation({ amount: 1n }) }],
    ],
    [
      '[spec: Authentication/Expiry] an expired entry',
      'signature_expired',
      [{ expirationLedger: 1_000 }],
    ],
  ];
  for (const [what, code, entries] of cases) {
    it(`${what}: ${code}`, () => assert.equal(judge(entries), code));
  }

  it('[spec: Authentication/Expiry] is valid from the next ledger to the last one allowed', () => {
    assert.equal(judge([{ expirationLedger: 1_001 }]), 'ok');
    assert.equal(judge([{ expirationLedger: 1_066 }]), 'ok');
  });

  it('of a contract payer is judged the same', () => {
    assert.equal(judge([{ by: OTHER_ASSET }], { from: OTHER_ASSET }), 'ok');
    assert.equal(judge([{}], { from: OTHER_ASSET }), 'missing_payer_signature');
  });
});
