import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as xdr from '@stellar/stellar-sdk/xdr';
import { contractEvent, type EventParts } from '../../../../../../test/support/events.ts';
import { testKey } from '../../../../../../test/support/payer.ts';
import {
  authorizationEntry,
  invocation,
  OTHER_ASSET,
  PAYER,
  SELLER,
  STRANGER,
  USDC,
} from '../../../../../../test/support/payment.ts';
import {
  ACTUAL,
  CEILING,
  CONTRACT,
  type UptoParts,
  uptoEnvelope,
  uptoTerms,
} from '../../../../../../test/upto/uptoPayment.ts';
import type { ErrorCode, StellarAddress } from '../../../../../protocol/index.ts';
import {
  decodePaymentEnvelope,
  readUptoCall,
  toI128,
  uptoAuthorizedInvocation,
} from '../../../../../protocol/stellar/index.ts';
import type { Checked } from '../../../payment/rejection.ts';
import { checkUptoAuthorization } from './checkUptoAuthorization.ts';
import { checkUptoEvents } from './checkUptoEvents.ts';

const codeOf = (checked: Checked<unknown>): ErrorCode | 'ok' =>
  checked.ok ? 'ok' : checked.rejection.code;

const SPONSOR = testKey('the sponsor');
const OWN = new Set([SPONSOR.address]);
const NOW = 1_000;

describe('The payer signs six terms and one allowance', () => {
  function judge(parts: UptoParts) {
    const decoded = decodePaymentEnvelope(uptoEnvelope(parts));
    assert.ok(decoded.ok);
    const read = readUptoCall(CONTRACT, decoded.envelope.invocation);
    assert.ok(read.ok);
    const { to } = read.call;
    assert.ok(to !== undefined);
    const payment = { decoded: decoded.envelope, call: { ...read.call, to } };
    return codeOf(checkUptoAuthorization(payment, OWN, NOW));
  }

  it('[spec: Authentication/Upto tuple] is one signed entry, with either kind of address credentials', () => {
    assert.equal(judge({}), 'ok');
    assert.equal(judge({ kind: 'addressV2' }), 'ok');
  });

  it('of a contract payer is judged the same', () => {
    const terms = { from: OTHER_ASSET };
    assert.equal(judge({ terms, signature: xdr.ScVal.scvU32(1) }), 'ok');
    assert.equal(judge({ terms, signer: null }), 'upto_missing_payer_signature');
  });

  const call = invocation();
  const other =
    (parts: Parameters<typeof authorizationEntry>[0]) => (one: xdr.SorobanAuthorizationEntry) => [
      one,
      authorizationEntry(parts, call),
    ];
  const entryCases: [string, ErrorCode, UptoParts][] = [
    ['no entry', 'upto_no_authorization', { entries: () => [] }],
    [
      'source account credentials',
      'upto_unsupported_credential_type',
      { entries: () => [authorizationEntry({ kind: 'sourceAccount' }, call)] },
    ],
    [
      'delegated credentials',
      'upto_unsupported_credential_type',
      { entries: other({ kind: 'delegated' }) },
    ],
    ['an account of ours', 'upto_facilitator_in_auth', { entries: other({ by: SPONSOR.address }) }],
    ['no signature', 'upto_missing_payer_signature', { signer: null }],
    [
      'only an entry of another',
      'upto_missing_payer_signature',
      { entries: () => [authorizationEntry({ by: STRANGER.address }, call)] },
    ],
    [
      'an entry of another beside it',
      'upto_unexpected_authorization',
      { entries: other({ by: STRANGER.address }) },
    ],
    ['a second entry of the payer', 'upto_unexpected_authorization', { entries: other({}) }],
  ];
  for (const [what, code, parts] of entryCases) {
    it(`${what}: ${code}`, () => assert.equal(judge(parts), code));
  }

  const instead = (terms: Parameters<typeof uptoTerms>[0]) => () =>
    uptoAuthorizedInvocation(uptoTerms(terms));
  const termCases: [string, UptoParts['terms']][] = [
    ['token', { token: OTHER_ASSET }],
    ['from', { from: STRANGER.address }],
    ['to', { to: STRANGER.address }],
    ['max_amount', { maxAmount: CEILING - 1n }],
    ['expiration_ledger', { expirationLedger: 1_049 }],
    ['nonce', { nonce: new Uint8Array(32) }],
  ];
  for (const [name, terms = {}] of termCases) {
    it(`[spec: Authentication/Upto tuple] another ${name} is signed: upto_authorization_mismatch`, () => {
      assert.equal(judge({ tree: instead({ terms }) }), 'upto_authorization_mismatch');
    });
  }

  type Tree = xdr.SorobanAuthorizedInvocation;
  const below = (change: (approve: Tree) => Tree[]) => (tree: Tree) => {
    const [approve] = tree.subInvocations;
    assert.ok(approve);
    return new xdr.SorobanAuthorizedInvocation({ ...tree, subInvocations: change(approve) });
  };
  const approveOf = (terms: UptoParts['terms'] = {}) => {
    const [approve] = uptoAuthorizedInvocation(uptoTerms({ terms })).subInvocations;
    assert.ok(approve);
    return approve;
  };
  const transfer = () =>
    new xdr.SorobanAuthorizedInvocation({
      function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(call),
      subInvocations: [],
    });
  const allowances: [string, UptoParts['tree']][] = [
    ['nothing', below(() => [])],
    ['a transfer', below(() => [transfer()])],
    ['a transfer beside the approve', below((approve) => [approve, transfer()])],
    ['the approve twice', below((approve) => [approve, approve])],
    [
      'something below the approve',
      below((approve) => [
        new xdr.SorobanAuthorizedInvocation({ ...approve, subInvocations: [transfer()] }),
      ]),
    ],
    ['an approve of more', below(() => [approveOf({ maxAmount: CEILING + 1n })])],
    ['an approve of less', below(() => [approveOf({ maxAmount: CEILING - 1n })])],
    ['an approve to another', below(() => [approveOf({ contract: OTHER_ASSET })])],
    ['an approve on another token', below(() => [approveOf({ token: OTHER_ASSET })])],
    ['an approve that lasts longer', below(() => [approveOf({ expirationLedger: 1_051 })])],
  ];
  for (const [what, tree] of allowances) {
    it(`${what} below settle: upto_wrong_allowance`, () => {
      assert.ok(tree);
      assert.equal(judge({ tree }), 'upto_wrong_allowance');
    });
  }

  it('[spec: Limits/Upto expiration] expires from the next ledger to 17,280 ledgers ahead', () => {
    const expiring = (expirationLedger: number) => judge({ terms: { expirationLedger } });
    assert.equal(expiring(NOW), 'upto_expired');
    assert.equal(expiring(NOW + 1), 'ok');
    assert.equal(expiring(NOW + 17_280), 'ok');
    assert.equal(expiring(NOW + 17_281), 'upto_expiration_too_far');
  });

  it('the signature is valid at least until the next ledger', () => {
    assert.equal(judge({ signatureExpiration: NOW }), 'upto_signature_expired');
    assert.equal(judge({ signatureExpiration: NOW + 1 }), 'ok');
  });
});

describe('The simulation approves and transfers, and nothing else', () => {
  const approve = (parts: Partial<EventParts> = {}): EventParts => ({
    name: xdr.ScVal.scvSymbol('approve'),
    parties: [PAYER.address, CONTRACT],
    data: xdr.ScVal.scvVec([toI128(CEILING), xdr.ScVal.scvU32(1_050)]),
    ...parts,
  });
  const transfer = (parts: Partial<EventParts> = {}): EventParts => ({
    data: toI128(ACTUAL),
    ...parts,
  });
  const judge = (events: EventParts[], amount = ACTUAL, from: StellarAddress = PAYER.address) =>
    codeOf(checkUptoEvents(events.map(contractEvent), uptoTerms({ terms: { from } }), amount));
  const note: EventParts = { contract: OTHER_ASSET, name: xdr.ScVal.scvSymbol('note') };

  const cases: [string, ErrorCode | 'ok', EventParts[]][] = [
    ['approve and transfer', 'ok', [approve(), transfer()]],
    ['the transfer alone', 'ok', [transfer()]],
    ['no transfer', 'upto_no_transfer_event', [approve()]],
    ['two transfers', 'upto_wrong_transfer', [transfer(), transfer()]],
    ['another amount', 'upto_wrong_transfer', [transfer({ data: toI128(ACTUAL - 1n) })]],
    ['the ceiling', 'upto_wrong_transfer', [transfer({ data: toI128(CEILING) })]],
    [
      'another payer',
      'upto_wrong_transfer',
      [transfer({ parties: [STRANGER.address, SELLER.address] })],
    ],
    [
      'another recipient',
      'upto_wrong_transfer',
      [transfer({ parties: [PAYER.address, STRANGER.address] })],
    ],
    ['an unreadable amount', 'upto_wrong_transfer', [transfer({ data: xdr.ScVal.scvVoid() })]],
    ['a transfer of another token', 'upto_unexpected_event', [transfer({ contract: OTHER_ASSET })]],
    [
      'an approve to another',
      'upto_unexpected_event',
      [approve({ parties: [PAYER.address, STRANGER.address] }), transfer()],
    ],
    [
      'an approve of another payer',
      'upto_unexpected_event',
      [approve({ parties: [STRANGER.address, CONTRACT] }), transfer()],
    ],
    [
      'another event of the token between the same two',
      'upto_unexpected_event',
      [approve({ name: xdr.ScVal.scvSymbol('burn') }), transfer()],
    ],
    [
      'an event without a name, or without parties',
      'upto_unexpected_event',
      [approve({ name: xdr.ScVal.scvU32(1) }), approve({ parties: [] }), transfer()],
    ],
    [
      'an approve on another token',
      'upto_unexpected_event',
      [approve({ contract: OTHER_ASSET }), transfer()],
    ],
    ['an event of another contract', 'upto_unexpected_event', [note, transfer()]],
  ];
  for (const [what, code, events] of cases) {
    it(`${what}: ${code}`, () => assert.equal(judge(events), code));
  }

  it('zero moves nothing', () => {
    assert.equal(judge([], 0n), 'ok');
    assert.equal(judge([transfer({ data: toI128(0n) })], 0n), 'upto_wrong_transfer');
  });

  it('a smart account and its policies can emit events, but move nothing', () => {
    const account = OTHER_ASSET;
    const paid = transfer({ parties: [account, SELLER.address] });
    assert.equal(judge([note, paid], ACTUAL, account), 'ok');
    const moves = transfer({ contract: OTHER_ASSET, parties: [account, SELLER.address] });
    assert.equal(judge([moves, paid], ACTUAL, account), 'upto_unexpected_event');
    assert.equal(
      judge([{ ...note, contract: USDC }, paid], ACTUAL, account),
      'upto_unexpected_event',
    );
  });

  it('events of a reverted call do not count', () => {
    const told = contractEvent(note);
    const reverted = new xdr.DiagnosticEvent({ ...told, inSuccessfulContractCall: false });
    const events = [reverted, contractEvent(transfer())];
    assert.equal(codeOf(checkUptoEvents(events, uptoTerms(), ACTUAL)), 'ok');
  });
});
