import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import fc from 'fast-check';
import { parse, pay, TestNetwork } from '../../../test/helpers/testNetwork.ts';
import type { LocalKey } from '../../genesis/index.ts';
import { diskReadEntries } from './footprintKeys.ts';
import { resourceFeeOf } from './resourceFee.ts';

let network: TestNetwork;
let alice: LocalKey;

before(async () => {
  network = await TestNetwork.open();
  alice = network.account('alice');
});

const codeKey = (n: number): xdr.LedgerKey =>
  xdr.LedgerKey.contractCode(new xdr.LedgerKeyContractCode({ hash: new Uint8Array(32).fill(n) }));
const accountKey = (): xdr.LedgerKey =>
  xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: alice.publicKey }));

describe('The fee of declared resources', () => {
  it('is what the host computes for the same resources', () => {
    const u32 = fc.integer({ min: 0, max: 4_294_967_295 });
    fc.assert(
      fc.property(
        fc.record({ instructions: u32, diskReadBytes: u32, writeBytes: u32 }),
        fc.nat(6),
        fc.nat(6),
        fc.boolean(),
        fc.nat(20_000),
        (amounts, readOnly, readWrite, restores, eventBytes) => {
          const footprint = new xdr.LedgerFootprint({
            readOnly: restores
              ? []
              : [accountKey(), ...new Array(readOnly).fill(0).map((_, n) => codeKey(n))],
            readWrite: new Array(readWrite).fill(0).map((_, n) => codeKey(100 + n)),
          });
          const sorobanData = new xdr.SorobanTransactionData({
            ext: xdr.SorobanTransactionDataExt.v0(),
            resources: new xdr.SorobanResources({ ...amounts, footprint }),
            resourceFee: 1n,
          });
          const ext = xdr.ExtensionPoint.v0();
          const body = restores
            ? xdr.OperationBody.restoreFootprint(new xdr.RestoreFootprintOp({ ext }))
            : xdr.OperationBody.extendFootprintTtl(
                new xdr.ExtendFootprintTtlOp({ ext, extendTo: 1 }),
              );
          const draft = { source: alice, operations: [body], sorobanData };
          const { inner } = parse(network.signed(draft));
          const { settings, host } = network.engine.environment();
          assert.deepEqual(
            resourceFeeOf(inner, settings, eventBytes),
            host.resourceFee({
              ...amounts,
              diskReadEntries: diskReadEntries(inner),
              writeEntries: readWrite,
              contractEventsBytes: eventBytes,
              transactionBytes: inner.size,
            }),
          );
        },
      ),
    );
  });

  it('is nothing for classic transactions', () => {
    const { inner } = parse(network.signed({ source: alice, operations: [pay(alice, 1n)] }));
    const fee = resourceFeeOf(inner, network.engine.environment().settings, 0);
    assert.deepEqual(fee, { nonRefundable: 0n, refundable: 0n });
  });
});
