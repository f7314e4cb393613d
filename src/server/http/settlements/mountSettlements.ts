import type { Context, Hono } from 'hono';
import {
  ERROR_TABLE,
  parseSettlementHash,
  parseStellarAddress,
  STELLAR_TESTNET,
} from '../../../protocol/index.ts';
import type { SettlementStatusResponse } from '../../../protocol/wire/index.ts';
import type {
  Facilitator,
  Rejection,
  SettlementName,
  SettlementStatus,
} from '../../facilitator/index.ts';
import { StoreError } from '../../store/index.ts';
import type { Answer } from '../answers.ts';
import { errorBody } from '../errorBodies.ts';
import { type Environment, send } from '../send.ts';

/** A nonce is a signed 64-bit number. */
const NONCE = /^-?\d{1,19}$/;

function statusBody(status: SettlementStatus): SettlementStatusResponse {
  const { state, moneyMoved, hash, ledger, payer, payTo, asset, amount, feeCharged } = status;
  return {
    state,
    moneyMoved,
    transaction: hash ?? null,
    ledger: ledger ?? null,
    network: STELLAR_TESTNET,
    payer: payer ?? null,
    payTo: payTo ?? null,
    asset: asset ?? null,
    amount: amount?.toString() ?? null,
    feeCharged: feeCharged.toString(),
    presentedAt: new Date(status.presentedAt).toISOString(),
    updatedAt: new Date(status.updatedAt).toISOString(),
  };
}

function refusal(rejection: Rejection): Answer {
  return { status: ERROR_TABLE[rejection.code].status, body: errorBody('other', rejection) };
}

async function answer(name: SettlementName, facilitator: Facilitator): Promise<Answer> {
  try {
    const found = await facilitator.findSettlement(name);
    if (found === undefined) {
      return refusal({ code: 'settlement_not_found', known: await facilitator.askLedger(name) });
    }
    return { status: 200, body: statusBody(found) };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return refusal({ code: 'store_unavailable', known: await facilitator.askLedger(name) });
  }
}

function byHash(c: Context<Environment>): SettlementName | Rejection {
  const hash = parseSettlementHash(c.req.param('hash') ?? '');
  return hash === undefined
    ? { code: 'invalid_request', detail: 'a hash is 64 lower-case hexadecimal digits' }
    : { hash };
}

function byAuthorization(c: Context<Environment>): SettlementName | Rejection {
  const payer = parseStellarAddress(c.req.query('payer') ?? '');
  const nonce = c.req.query('nonce') ?? '';
  if (payer === undefined) return { code: 'invalid_request', detail: 'payer is not an address' };
  if (!NONCE.test(nonce)) return { code: 'invalid_request', detail: 'nonce is not an integer' };
  return { payer, nonce: BigInt(nonce) };
}

/** Serves the outcome of a settlement to anyone who can identify it. */
export function mountSettlements(app: Hono<Environment>, facilitator: Facilitator): void {
  const serve = async (c: Context<Environment>, name: SettlementName | Rejection) =>
    send(c, 'code' in name ? refusal(name) : await answer(name, facilitator));
  app.get('/settlements', (c) => serve(c, byAuthorization(c)));
  app.get('/settlements/:hash', (c) => serve(c, byHash(c)));
}
