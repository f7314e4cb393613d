import * as xdr from '@stellar/stellar-sdk/xdr';
import type { AccountAddress } from '../../../src/protocol/index.ts';
import { toScAddress } from '../../../src/protocol/stellar/index.ts';
import { freshNonce } from '../../support/freshPayment.ts';
import { testKey } from '../../support/payer.ts';
import { type EntryParts, invocation, paymentEnvelope } from '../../support/payment.ts';
import { PAYERS } from './figures.ts';
import type { Json } from './json.ts';

/** Atomic units of USDC. */
const AMOUNT = 1_000n;
const LIFETIME_LEDGERS = 600;

/** How an envelope is made; each number can be raised by who looks for what is dear. */
export interface EnvelopeGenes {
  /** Authorization entries. */
  readonly entries: number;
  /** Calls below the transfer in each of them. */
  readonly below: number;
  /** Bytes of one argument more than the transfer has. */
  readonly bytes: number;
  readonly operations: number;
  /** Levels of vectors around an argument. */
  readonly depth: number;
  /** Fee in stroops: what is too little is judged in full and then refused. */
  readonly fee: number;
}

/** Genes out of an input, within what an envelope can have at all. */
function genesOf(value: Json): EnvelopeGenes {
  const given = (typeof value === 'object' && value !== null ? value : {}) as Record<string, Json>;
  const whole = (name: string, least: number, most: number, otherwise: number): number => {
    const number = given[name];
    if (typeof number !== 'number' || Number.isNaN(number)) return otherwise;
    return Math.max(least, Math.min(most, Math.floor(number)));
  };
  return {
    entries: whole('entries', 0, 100, 1),
    below: whole('below', 0, 200, 0),
    bytes: whole('bytes', 0, 20_000, 0),
    // XDR has no envelope of more.
    operations: whole('operations', 0, 100, 1),
    depth: whole('depth', 0, 150, 0),
    fee: whole('fee', 0, 2 ** 31 - 1, 400_000),
  };
}

/**
 * The envelope of a payment that nobody has made yet, base64.
 * @param latestLedger the network's, a few ledgers ago at most
 */
export function envelopeOf(
  value: Json,
  salt: number,
  seller: string,
  latestLedger: number,
): string {
  const { entries, below, bytes, operations, depth, fee } = genesOf(value);
  const payer = testKey(PAYERS[salt % PAYERS.length] ?? PAYERS[0]);
  const to = toScAddress(seller as AccountAddress);
  const plain = { from: payer.address, to, amount: AMOUNT };
  const call = invocation(plain);
  let deep: xdr.ScVal = xdr.ScVal.scvVoid();
  for (let n = 0; n < depth; n++) deep = xdr.ScVal.scvVec([deep]);
  const more = [
    ...(bytes === 0 ? [] : [xdr.ScVal.scvBytes(new Uint8Array(bytes).fill(salt % 256))]),
    ...(depth === 0 ? [] : [deep]),
  ];
  const entry = (): EntryParts => ({
    by: payer.address,
    signer: payer,
    nonce: freshNonce(),
    expirationLedger: latestLedger + LIFETIME_LEDGERS,
    subInvocations: Array.from({ length: below }, () => call),
  });
  return paymentEnvelope({
    ...plain,
    fee,
    ...(more.length === 0 ? {} : { args: [...call.args, ...more] }),
    entries: Array.from({ length: entries }, entry),
    operations: (operation) => Array.from({ length: operations }, () => operation),
  });
}
