import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { Asset, StrKey, scValToNative, xdr } from '@stellar/stellar-sdk';
import { USDC_ISSUER } from '../../../../common/testnetAssets.ts';
import { assetContractId, CollectedEvents } from './collectedEvents.ts';
import { feeEvent } from './feeEvent.ts';

const NETWORK = 'Test SDF Network ; September 2015';
const networkId = createHash('sha256').update(NETWORK).digest();
const usdc = new Asset('USDC', USDC_ISSUER).toXDRObject();
const native = xdr.Asset.assetTypeNative();

const account = (fill: number): xdr.PublicKey =>
  xdr.PublicKey.publicKeyTypeEd25519(new Uint8Array(32).fill(fill));
const plain = (key: xdr.PublicKey): xdr.MuxedAccount =>
  xdr.MuxedAccount.keyTypeEd25519(key.ed25519);
const muxed = (key: xdr.PublicKey, id: bigint): xdr.MuxedAccount =>
  xdr.MuxedAccount.keyTypeMuxedEd25519(new xdr.MuxedAccountMed25519({ id, ed25519: key.ed25519 }));
const text = (key: xdr.PublicKey): string => StrKey.encodeEd25519PublicKey(key.ed25519.value);

const alice = account(1);
const bob = account(2);
const issuer = xdr.PublicKey.publicKeyTypeEd25519(StrKey.decodeEd25519PublicKey(USDC_ISSUER));
const pool = xdr.ScAddress.scAddressTypeLiquidityPool(new xdr.PoolId(new Uint8Array(32).fill(7)));
const balance = xdr.ScAddress.scAddressTypeClaimableBalance(
  xdr.ClaimableBalanceId.claimableBalanceIdTypeV0(new Uint8Array(32).fill(8)),
);

/** Topics and data of an event as plain values, after a trip through XDR. */
function read(event: xdr.ContractEvent): { topics: unknown[]; data: unknown } {
  const { topics, data } = xdr.ContractEvent.fromXdr(event.toXdr()).body.v0;
  return { topics: topics.map((topic) => scValToNative(topic)), data: scValToNative(data) };
}

function collect(run: (events: CollectedEvents) => void, memo: xdr.Memo = xdr.Memo.memoNone()) {
  const collected = new CollectedEvents(networkId, memo);
  run(collected);
  return collected.events.map(read);
}

describe('The contract id of an asset follows from the network and the asset alone', () => {
  it('is that of the canonical testnet USDC', () => {
    assert.equal(
      StrKey.encodeContract(assetContractId(networkId, usdc).value),
      'CBIELTK6YBZJU5UP2WWQEUCYKLPU6AUNZ2BQ4WWFEIE3USCIHMXQDAMA',
    );
  });

  it('agrees with the published SDK for native, short and long asset codes', () => {
    for (const asset of [
      Asset.native(),
      new Asset('A', USDC_ISSUER),
      new Asset('ABCDEFGHIJKL', USDC_ISSUER),
    ]) {
      assert.equal(
        StrKey.encodeContract(assetContractId(networkId, asset.toXDRObject()).value),
        asset.contractId(NETWORK),
      );
    }
  });
});

describe('A movement of value is a transfer, or a mint or burn if the issuer is one side', () => {
  it('names both accounts and the asset', () => {
    assert.deepEqual(
      collect((events) => events.transfer(usdc, plain(alice), plain(bob), 5n)),
      [
        {
          topics: ['transfer', text(alice), text(bob), `USDC:${USDC_ISSUER}`],
          data: 5n,
        },
      ],
    );
  });

  it('names the native asset "native"', () => {
    const [event] = collect((events) => events.transfer(native, plain(alice), plain(bob), 1n));
    assert.equal(event?.topics[3], 'native');
  });

  it('is a mint when it leaves the issuer', () => {
    assert.deepEqual(
      collect((events) => events.transfer(usdc, plain(issuer), plain(bob), 9n)),
      [{ topics: ['mint', text(bob), `USDC:${USDC_ISSUER}`], data: 9n }],
    );
  });

  it('is a burn when it returns to the issuer, even to a multiplexed address of it', () => {
    assert.deepEqual(
      collect((events) =>
        events.transfer(usdc, plain(alice), muxed(issuer, 3n), 9n, { allowMuxedIdOrMemo: true }),
      ),
      [{ topics: ['burn', text(alice), `USDC:${USDC_ISSUER}`], data: 9n }],
    );
  });

  it('stays a transfer from the issuer to itself', () => {
    const [event] = collect((events) => events.transfer(usdc, plain(issuer), plain(issuer), 1n));
    assert.equal(event?.topics[0], 'transfer');
  });

  it('carries the whole range of amounts as i128', () => {
    const largest = 2n ** 63n - 1n;
    const [event] = collect((events) => events.transfer(usdc, plain(alice), plain(bob), largest));
    assert.equal(event?.data, largest);
  });
});

describe('A destination id or a memo is in the data as to_muxed_id, where it is allowed', () => {
  const allowMuxedIdOrMemo = true;
  const data = (to: xdr.MuxedAccount | xdr.ScAddress, memo?: xdr.Memo): unknown =>
    collect(
      (events) => events.transfer(usdc, plain(alice), to, 5n, { allowMuxedIdOrMemo }),
      memo,
    )[0]?.data;

  it('is the id of a multiplexed destination, and the topic names the account behind it', () => {
    const [event] = collect((events) =>
      events.transfer(usdc, plain(alice), muxed(bob, 77n), 5n, { allowMuxedIdOrMemo }),
    );
    assert.deepEqual(event?.data, { amount: 5n, to_muxed_id: 77n });
    assert.equal(event?.topics[2], text(bob));
  });

  it('is the memo of the transaction when the destination has no id', () => {
    const hash = new Uint8Array(32).fill(4);
    assert.deepEqual(data(plain(bob), xdr.Memo.memoId(3n)), { amount: 5n, to_muxed_id: 3n });
    assert.deepEqual(data(plain(bob), xdr.Memo.memoText('hello')), {
      amount: 5n,
      to_muxed_id: 'hello',
    });
    assert.deepEqual(data(plain(bob), xdr.Memo.memoHash(hash)), {
      amount: 5n,
      to_muxed_id: hash,
    });
    assert.deepEqual(data(plain(bob), xdr.Memo.memoReturn(hash)), {
      amount: 5n,
      to_muxed_id: hash,
    });
  });

  it('keeps the bytes of a text memo that is not UTF-8', () => {
    const bytes = Uint8Array.of(0xff, 0x00, 0xc3);
    const collected = new CollectedEvents(networkId, xdr.Memo.memoText(bytes));
    collected.transfer(usdc, plain(alice), plain(bob), 5n, { allowMuxedIdOrMemo });
    const value = collected.events[0]?.body.v0.data;
    assert.equal(value?.type, 'scvMap');
    const id = value.map?.[1]?.val;
    assert.equal(id?.type, 'scvString');
    assert.deepEqual(id.str.bytes, bytes);
  });

  it('prefers the id to the memo', () => {
    assert.deepEqual(data(muxed(bob, 1n), xdr.Memo.memoId(2n)), { amount: 5n, to_muxed_id: 1n });
  });

  it('leaves out a memo if value goes to a claimable balance or a pool', () => {
    assert.equal(data(balance, xdr.Memo.memoId(2n)), 5n);
    assert.equal(data(pool, xdr.Memo.memoId(2n)), 5n);
  });

  it('leaves out both if the operation does not allow them', () => {
    const [event] = collect(
      (events) => events.transfer(usdc, plain(alice), muxed(bob, 1n), 5n),
      xdr.Memo.memoId(2n),
    );
    assert.equal(event?.data, 5n);
  });

  it('is part of a mint', () => {
    const [event] = collect(
      (events) => events.transfer(usdc, plain(issuer), plain(bob), 5n, { allowMuxedIdOrMemo }),
      xdr.Memo.memoId(2n),
    );
    assert.deepEqual(event?.data, { amount: 5n, to_muxed_id: 2n });
    assert.equal(event?.topics[0], 'mint');
  });
});

describe('Every offer or pool that an exchange crossed is two transfers', () => {
  const eur = new Asset('EUR', text(bob)).toXDRObject();

  it('moves what was bought to the seller, then what was sold to the source', () => {
    const claim = xdr.ClaimAtom.claimAtomTypeOrderBook(
      new xdr.ClaimOfferAtom({
        sellerId: bob,
        offerId: 1n,
        assetSold: eur,
        amountSold: 10n,
        assetBought: native,
        amountBought: 4n,
      }),
    );
    assert.deepEqual(
      collect((events) => events.claims(muxed(alice, 9n), [claim]), xdr.Memo.memoId(2n)),
      [
        { topics: ['transfer', text(alice), text(bob), 'native'], data: 4n },
        // Bob issues what he sells.
        { topics: ['mint', text(alice), `EUR:${text(bob)}`], data: 10n },
      ],
    );
  });

  it('names a pool by its address', () => {
    const claim = xdr.ClaimAtom.claimAtomTypeLiquidityPool(
      new xdr.ClaimLiquidityAtom({
        liquidityPoolId: new xdr.PoolId(new Uint8Array(32).fill(7)),
        assetSold: usdc,
        amountSold: 10n,
        assetBought: native,
        amountBought: 4n,
      }),
    );
    const id = StrKey.encodeLiquidityPool(new Uint8Array(32).fill(7));
    assert.deepEqual(
      collect((events) => events.claims(plain(alice), [claim])).map(({ topics }) => topics),
      [
        ['transfer', text(alice), id, 'native'],
        ['transfer', id, text(alice), `USDC:${USDC_ISSUER}`],
      ],
    );
  });
});

describe('An issuer’s actions on a holder have the names of the asset contract', () => {
  it('clawback', () => {
    assert.deepEqual(
      collect((events) => events.clawback(usdc, muxed(alice, 1n), 6n)),
      [{ topics: ['clawback', text(alice), `USDC:${USDC_ISSUER}`], data: 6n }],
    );
  });

  it('set_authorized', () => {
    assert.deepEqual(
      collect((events) => events.setAuthorized(usdc, alice, false)),
      [{ topics: ['set_authorized', text(alice), `USDC:${USDC_ISSUER}`], data: false }],
    );
  });

  it('burn of what a pool gives back to the issuer', () => {
    assert.equal(collect((events) => events.burn(usdc, pool, 6n))[0]?.topics[0], 'burn');
  });
});

describe('Fees are events of the native asset contract', () => {
  it('are charged before all transactions and refunded, as a negative fee, after all', () => {
    const charged = feeEvent(networkId, alice, 'charged', 100n);
    const refunded = feeEvent(networkId, alice, 'refunded', 40n);
    assert.equal(charged?.stage.name, 'transactionEventStageBeforeAllTxs');
    assert.equal(refunded?.stage.name, 'transactionEventStageAfterAllTxs');
    assert.deepEqual(read(charged.event), { topics: ['fee', text(alice)], data: 100n });
    assert.deepEqual(read(refunded.event), { topics: ['fee', text(alice)], data: -40n });
    assert.equal(
      StrKey.encodeContract(charged.event.contractId?.value ?? new Uint8Array()),
      Asset.native().contractId(NETWORK),
    );
  });

  it('are not an event if nothing moved', () => {
    assert.equal(feeEvent(networkId, alice, 'refunded', 0n), undefined);
  });
});
