import { xdr } from '@stellar/stellar-sdk';
import { type Statistics, statistics } from '../../../bench/statistics.ts';
import { BenchNetwork } from './benchNetwork.ts';
import type { Sender } from './benchTransaction.ts';
import { newSender } from './payments.ts';

const OFFERS = 10;
const WARM_UP = 100;
const COUNT = 200;
const PAYMENTS = WARM_UP + COUNT;
const BALANCE = 1_000_000_000_000n;
/** The amount that each offer sells; each payment buys all of it. */
const AMOUNT = 100n;

/** Milliseconds of a payment through ten offers of ten makers: decode, check, apply, close. */
export async function measurePathPayment(): Promise<Statistics> {
  const issuer = newSender('issuer');
  const asset = xdr.Asset.assetTypeCreditAlphanum4(
    new xdr.AlphaNum4({ assetCode: new xdr.AssetCode4('GOLD'), issuer: issuer.id }),
  );
  const payer = newSender('buyer');
  const payee = newSender('payee');
  const makers = Array.from({ length: OFFERS }, (_, at) => newSender(`maker ${at}`));
  const network = await BenchNetwork.open([
    ...[issuer, payer].map((sender) => sender.account(BALANCE)),
    ...[payee, ...makers].flatMap((sender) => [
      sender.account(BALANCE, 1),
      sender.trustline(asset, AMOUNT * BigInt(PAYMENTS)),
    ]),
  ]);
  placeOffers(network, makers, asset);
  const times: number[] = [];
  for (let n = 0; n < PAYMENTS; n += 1) {
    const envelope = payer.sign([buy(payee, asset)]);
    const begin = performance.now();
    network.submit(envelope);
    network.close(1);
    if (n >= WARM_UP) times.push(performance.now() - begin);
  }
  return statistics(times);
}

/** Ten offers for each payment, each from a different maker: the payments take them in price order. */
function placeOffers(
  network: BenchNetwork,
  makers: readonly Sender[],
  selling: xdr.AssetCreditAlphanum4,
): void {
  for (let first = 0; first < PAYMENTS; first += 100) {
    for (const maker of makers) {
      const offers = Array.from({ length: 100 }, (_, at) => offer(selling, first + at));
      network.submit(maker.sign(offers));
    }
    network.close(makers.length);
  }
}

function offer(selling: xdr.AssetCreditAlphanum4, place: number): xdr.OperationBody {
  return xdr.OperationBody.manageSellOffer(
    new xdr.ManageSellOfferOp({
      selling,
      buying: xdr.Asset.assetTypeNative(),
      amount: AMOUNT,
      price: new xdr.Price({ n: 1_000 + place, d: 1_000 }),
      offerId: 0n,
    }),
  );
}

function buy(destination: Sender, destAsset: xdr.AssetCreditAlphanum4): xdr.OperationBody {
  return xdr.OperationBody.pathPaymentStrictReceive(
    new xdr.PathPaymentStrictReceiveOp({
      sendAsset: xdr.Asset.assetTypeNative(),
      sendMax: BALANCE,
      destination: destination.muxed,
      destAsset,
      destAmount: AMOUNT * BigInt(OFFERS),
      path: [],
    }),
  );
}
