import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as xdr from '@stellar/stellar-sdk/xdr';
import fc from 'fast-check';
import { testKey } from '../../../../../test/support/payer.ts';
import { OTHER_ASSET, PAYER, SELLER, STRANGER, USDC } from '../../../../../test/support/payment.ts';
import {
  ACTUAL,
  CEILING,
  CONTRACT,
  type UptoParts,
  uptoRequest,
  uptoTerms,
} from '../../../../../test/upto/uptoPayment.ts';
import type { ErrorCode } from '../../../../protocol/index.ts';
import {
  decodePaymentEnvelope,
  readI128,
  toI128,
  toScAddress,
  uptoAuthorizationKey,
} from '../../../../protocol/stellar/index.ts';
import type { PaymentStep } from '../../payment/paymentScheme.ts';
import { prepareUpto } from './prepareUpto.ts';

const CHANNEL = testKey('a channel');
const RULES = {
  contract: CONTRACT,
  own: new Set([CHANNEL.address]),
  maxTxFeeStroops: 500_000n,
  inclusionFeeStroops: 100n,
};

const prepare = (parts: UptoParts, step: PaymentStep = 'settle') =>
  prepareUpto(uptoRequest(parts), step, RULES);

function verdict(parts: UptoParts, step?: PaymentStep): ErrorCode | 'ok' {
  const prepared = prepare(parts, step);
  return prepared.ok ? 'ok' : prepared.rejection.code;
}

/** The actual amount in the call of an envelope. */
function amountIn(envelope: string): bigint | undefined {
  const decoded = decodePaymentEnvelope(envelope);
  assert.ok(decoded.ok);
  const actual = decoded.envelope.invocation.args[6];
  return actual && readI128(actual);
}

function settledAmount(parts: UptoParts): bigint | ErrorCode | undefined {
  const prepared = prepare(parts);
  if (!prepared.ok) return prepared.rejection.code;
  const { amount, operation, envelope } = prepared.value;
  assert.equal(xdr.Operation.fromXdr(operation).body.type, 'invokeHostFunction');
  assert.equal(amountIn(envelope), amount);
  return amount;
}

describe('A payment of scheme upto', () => {
  it('is read once, typed, with the authorization that identifies it', () => {
    const nonce = new Uint8Array(32).fill(3);
    const prepared = prepare({ terms: { nonce, expirationLedger: 900 }, signatureExpiration: 800 });
    assert.ok(prepared.ok);
    const { payer, payTo, asset, authorization } = prepared.value;
    assert.deepEqual(
      { payer, payTo, asset },
      { payer: PAYER.address, payTo: SELLER.address, asset: USDC },
    );
    assert.equal(authorization?.key, uptoAuthorizationKey(PAYER.address, CONTRACT, nonce));
    assert.equal(authorization?.expirationLedger, 800);
  });

  it('is identified by payer and nonce, whatever else differs', () => {
    const keyOf = (parts: UptoParts) => {
      const prepared = prepare(parts);
      return prepared.ok ? prepared.value.authorization?.key : undefined;
    };
    assert.equal(keyOf({}), keyOf({ terms: { expirationLedger: 900 } }));
    assert.notEqual(keyOf({}), keyOf({ terms: { nonce: new Uint8Array(32) } }));
  });

  it('[spec: Upto wire shape/Verify at the ceiling] /verify simulates at the ceiling, not the actual amount', () => {
    for (const parts of [{ extra: { actualAmount: '1' } }, { written: 5n }, {}]) {
      const prepared = prepare(parts, 'verify');
      assert.ok(prepared.ok);
      assert.equal(prepared.value.amount, CEILING);
      assert.equal(amountIn(prepared.value.envelope), CEILING);
    }
  });

  it('keeps only the call, its entries and its source from the buyer’s envelope', () => {
    const prepared = prepare({ source: STRANGER.publicKey });
    assert.ok(prepared.ok);
    const decoded = decodePaymentEnvelope(prepared.value.envelope);
    assert.ok(decoded.ok);
    assert.equal(decoded.envelope.source, STRANGER.address);
    assert.equal(decoded.envelope.authorizations.length, 1);
  });
});

describe('The settled amount', () => {
  it('[spec: Upto wire shape/Actual amount] [spec: paymentRequirements/upto amount] is extra.actualAmount, while the amount stays the ceiling', () => {
    assert.equal(settledAmount({ extra: { actualAmount: `${ACTUAL}` } }), ACTUAL);
    assert.equal(settledAmount({ extra: { actualAmount: '0' } }), 0n);
    assert.equal(settledAmount({ extra: { actualAmount: `${CEILING}` } }), CEILING);
  });

  it('is an amount in the settle request below the ceiling, as the canonical packages send it', () => {
    assert.equal(settledAmount({ requirements: { amount: `${ACTUAL}` } }), ACTUAL);
    assert.equal(settledAmount({ requirements: { amount: '0' } }), 0n);
  });

  it('can be given both ways if they agree, and is refused if they differ', () => {
    const requirements = { amount: `${ACTUAL}` };
    assert.equal(settledAmount({ requirements, extra: { actualAmount: `${ACTUAL}` } }), ACTUAL);
    assert.equal(
      settledAmount({ requirements, extra: { actualAmount: '1' } }),
      'upto_actual_amounts_differ',
    );
  });

  it('[spec: Upto wire shape/Full ceiling] is the full ceiling if the seller states no amount, with a warning', () => {
    const prepared = prepare({ extra: {} });
    assert.ok(prepared.ok);
    assert.equal(prepared.value.amount, CEILING);
    assert.match(prepared.value.warning ?? '', /full ceiling/);
    const stated = prepare({ extra: { actualAmount: `${CEILING}` } });
    assert.ok(stated.ok && stated.value.warning === undefined);
  });

  it('is refused if it is null or not a string: JSON writes NaN as null', () => {
    for (const actualAmount of [null, 5, {}, '']) {
      const prepared = prepare({ extra: { actualAmount } });
      assert.equal(!prepared.ok && prepared.rejection.code, 'upto_actual_amount_malformed');
    }
  });

  it('has a warning only if the ceiling is settled because the seller stated no amount', () => {
    const warningOf = (parts: UptoParts, step: PaymentStep = 'settle') => {
      const prepared = prepare(parts, step);
      assert.ok(prepared.ok);
      return prepared.value.warning;
    };
    assert.ok(warningOf({}));
    assert.equal(warningOf({}, 'verify'), undefined);
    assert.equal(warningOf({ requirements: { amount: ACTUAL.toString() } }), undefined);
    assert.equal(warningOf({ extra: { actualAmount: CEILING.toString() } }), undefined);
  });

  it('[spec: Upto wire shape/Signed tuple] is never what the buyer wrote into the envelope', () => {
    assert.equal(settledAmount({ written: 1n, extra: { actualAmount: `${ACTUAL}` } }), ACTUAL);
  });

  it('[spec: Upto authorization/Above the ceiling] is at most the ceiling', () => {
    for (const parts of [
      { extra: { actualAmount: `${CEILING + 1n}` } },
      { requirements: { amount: `${CEILING + 1n}` } },
    ]) {
      assert.equal(settledAmount(parts), 'upto_actual_exceeds_ceiling');
    }
  });

  it('is an integer string of atomic units', () => {
    for (const actualAmount of ['-1', '0.37', '', '1e3', 37, true, {}, '9'.repeat(40)]) {
      assert.equal(settledAmount({ extra: { actualAmount } }), 'upto_actual_amount_malformed');
    }
  });
});

describe('Any input from a stranger', () => {
  const right = Buffer.from(String(uptoRequest().paymentPayload.payload['transaction']), 'base64');

  it('is judged: an envelope with bytes changed, left out or added never breaks the service', () => {
    const change = fc.tuple(fc.nat(right.length - 1), fc.integer({ min: 0, max: 255 }));
    const cut = fc.nat(right.length);
    fc.assert(
      fc.property(fc.array(change, { maxLength: 6 }), fc.option(cut), (changes, length) => {
        const bytes = Buffer.from(right);
        for (const [at, byte] of changes) bytes[at] = byte;
        const transaction = bytes.subarray(0, length ?? bytes.length).toString('base64');
        for (const step of ['verify', 'settle'] as const) {
          const prepared = prepare({ transaction }, step);
          // What is still accepted pays no more than was signed, to whom it was signed.
          if (!prepared.ok) continue;
          assert.equal(prepared.value.payTo, SELLER.address);
          assert.equal(prepared.value.call.maxAmount, CEILING);
          assert.ok(prepared.value.amount <= CEILING);
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it('is judged: any value as the actual amount is an amount up to the ceiling or refused', () => {
    fc.assert(
      fc.property(fc.anything(), (actualAmount) => {
        const prepared = prepare({ extra: { actualAmount } });
        if (!prepared.ok) {
          assert.match(prepared.rejection.code, /^upto_actual_/);
        } else if (actualAmount !== undefined && actualAmount !== null) {
          assert.equal(typeof actualAmount, 'string');
          assert.equal(prepared.value.amount, BigInt(actualAmount as string));
        }
      }),
    );
    fc.assert(
      fc.property(fc.bigInt({ min: -5n, max: CEILING * 2n }), (actual) => {
        const prepared = prepare({ extra: { actualAmount: `${actual}` } });
        assert.equal(prepared.ok, actual >= 0n && actual <= CEILING);
      }),
    );
  });
});

describe('Each failure of the form of upto has its own code', () => {
  const replaced = (index: number, value: xdr.ScVal) => (args: readonly xdr.ScVal[]) =>
    args.map((arg, at) => (at === index ? value : arg));
  const address = (of: Parameters<typeof toScAddress>[0]) => xdr.ScVal.scvAddress(toScAddress(of));
  const muxed = xdr.ScVal.scvAddress(
    xdr.ScAddress.scAddressTypeMuxedAccount(
      new xdr.MuxedEd25519Account({ id: 1n, ed25519: SELLER.publicKey }),
    ),
  );

  const cases: [string, ErrorCode, UptoParts][] = [
    ['another scheme accepted', 'unsupported_scheme', { accepted: { scheme: 'exact' } }],
    ['another network', 'invalid_network', { requirements: { network: 'stellar:pubnet' } }],
    ['no transaction', 'upto_transaction_missing', { transaction: undefined }],
    ['a transaction that is not a string', 'upto_transaction_missing', { transaction: 5 }],
    ['what is not XDR', 'upto_transaction_malformed', { transaction: 'AAAA' }],
    ['no operation', 'upto_wrong_operation', { operations: () => [] }],
    ['two operations', 'upto_wrong_operation', { operations: (one) => [one, one] }],
    ['a source of ours', 'upto_unsafe_source', { source: CHANNEL.publicKey }],
    ['a non-integer ceiling', 'invalid_amount', { requirements: { amount: '1.0' } }],
    ['a recipient that is not an address', 'invalid_payto', { requirements: { payTo: 'GABC' } }],
    ['another contract called', 'upto_wrong_contract', { called: OTHER_ASSET }],
    ['another contract named', 'upto_wrong_contract', { extra: { uptoContract: OTHER_ASSET } }],
    ['another function', 'upto_wrong_function', { functionName: 'settled' }],
    ['seven arguments', 'upto_wrong_argument_count', { args: (args) => args.slice(0, 7) }],
    [
      'nine arguments',
      'upto_wrong_argument_count',
      { args: (args) => [...args, xdr.ScVal.scvVoid()] },
    ],
    [
      '[spec: Upto wire shape/hook] [spec: Facilitator codes/hook_not_supported] a hook',
      'upto_hook_not_supported',
      { args: replaced(7, address(OTHER_ASSET)) },
    ],
    [
      '[spec: Upto wire shape/hook] a hook that is not an address',
      'upto_hook_not_supported',
      { args: replaced(7, xdr.ScVal.scvU32(0)) },
    ],
    [
      '[spec: Upto wire shape/Arguments] a wrong order',
      'upto_arguments_malformed',
      {
        args: ([token, from, to, max, ...rest]) =>
          [token, from, max, to, ...rest].flatMap((a) => a ?? []),
      },
    ],
    [
      'a nonce of 31 bytes',
      'upto_arguments_malformed',
      { args: replaced(5, xdr.ScVal.scvBytes(new Uint8Array(31))) },
    ],
    [
      'a token that is an account',
      'upto_arguments_malformed',
      { args: replaced(0, address(SELLER.address)) },
    ],
    ['another token', 'upto_asset_mismatch', { terms: { token: OTHER_ASSET } }],
    ['a payer of ours', 'upto_facilitator_is_payer', { terms: { from: CHANNEL.address } }],
    ['another recipient', 'upto_payto_mismatch', { terms: { to: STRANGER.address } }],
    ['a muxed recipient in the call', 'upto_payto_mismatch', { args: replaced(2, muxed) }],
    [
      'a recipient of ours',
      'upto_facilitator_is_recipient',
      { terms: { to: CHANNEL.address }, requirements: { payTo: CHANNEL.address } },
    ],
    [
      'the payer as recipient',
      'upto_recipient_not_payable',
      { terms: { to: PAYER.address }, requirements: { payTo: PAYER.address } },
    ],
    [
      'the contract as recipient',
      'upto_recipient_not_payable',
      { terms: { to: CONTRACT }, requirements: { payTo: CONTRACT } },
    ],
    ['a ceiling of zero', 'upto_ceiling_not_positive', { terms: { maxAmount: 0n } }],
    [
      'another ceiling in the call than accepted',
      'upto_ceiling_mismatch',
      { args: replaced(3, toI128(CEILING + 1n)) },
    ],
    [
      '[spec: paymentPayload/accepted] another timeout accepted',
      'upto_accepted_mismatch',
      { accepted: { maxTimeoutSeconds: 1 } },
    ],
  ];
  for (const [what, code, parts] of cases) {
    it(`${what}: ${code}`, () => {
      assert.equal(verdict(parts, 'verify'), code);
      assert.equal(verdict(parts, 'settle'), code);
    });
  }

  it('an amount below the ceiling when it is verified: upto_ceiling_mismatch', () => {
    const parts = { requirements: { amount: `${ACTUAL}` } };
    assert.equal(verdict(parts, 'verify'), 'upto_ceiling_mismatch');
    assert.equal(verdict(parts, 'settle'), 'ok');
  });

  it('[spec: Upto wire shape/Arguments] the terms are those of the specification, in its order', () => {
    const { token, from, to, maxAmount, expirationLedger, nonce } = uptoTerms();
    const prepared = prepare({});
    assert.ok(prepared.ok);
    const { args } = prepared.value.decoded.invocation;
    assert.deepEqual(
      args.map((arg) => arg.type),
      [
        ...['scvAddress', 'scvAddress', 'scvAddress'],
        ...['scvI128', 'scvU32', 'scvBytes', 'scvI128', 'scvVoid'],
      ],
    );
    const { call } = prepared.value;
    assert.deepEqual(
      [call.token, call.from, call.to, call.maxAmount, call.expirationLedger],
      [token, from, to, maxAmount, expirationLedger],
    );
    assert.deepEqual(Buffer.from(call.nonce), Buffer.from(nonce));
  });
});
