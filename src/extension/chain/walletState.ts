import { formatDecimalAmount } from '../../protocol/index.ts';
import type { Settings } from '../settings/index.ts';
import { t } from '../words/index.ts';
import type { Balances } from './readBalances.ts';

/** The wallet's states (spec: Editor sidebar wallet states), each with its data. */
export type WalletState =
  | { readonly kind: 'not_configured' }
  | { readonly kind: 'invalid_address'; readonly why: string }
  | { readonly kind: 'not_funded' }
  | { readonly kind: 'no_trustline'; readonly balances: Balances }
  | { readonly kind: 'loaded'; readonly balances: Balances }
  | { readonly kind: 'unreachable'; readonly message: string };

export type WalletColour = 'none' | 'amber' | 'red' | 'green';

/** Presentation of a state, never by colour alone. */
export interface WalletFace {
  readonly words: string;
  readonly colour: WalletColour;
  readonly explanation: string;
}

/**
 * Returns the state of the configured address. The trustline's existence counts, not its balance: with zero USDC, the wallet is
 * loaded.
 * @param balances `undefined` if the account does not exist
 */
export function walletState(settings: Settings, balances: Balances | undefined): WalletState {
  const configured = configuredState(settings);
  if (configured !== undefined) return configured;
  if (balances === undefined) return { kind: 'not_funded' };
  return { kind: balances.usdc === undefined ? 'no_trustline' : 'loaded', balances };
}

/** Returns a state that needs no network; `undefined` if there is an address to look up. */
export function configuredState(settings: Settings): WalletState | undefined {
  if (settings.payToText === '') return { kind: 'not_configured' };
  if (settings.payTo !== undefined) return undefined;
  const problem = settings.problems.find(({ name }) => name === 'payToAddress');
  return { kind: 'invalid_address', why: problem?.message ?? t('This is not an address.') };
}

export function walletFace(state: WalletState): WalletFace {
  switch (state.kind) {
    case 'not_configured':
      return face(
        t('Not configured'),
        'none',
        t('Set a payment address, or create a local wallet.'),
      );
    case 'invalid_address':
      return face(t('Invalid address'), 'red', state.why);
    case 'not_funded':
      return face(
        t('Not funded'),
        'amber',
        t('The account does not exist on this network yet. Fund it.'),
      );
    case 'no_trustline':
      return face(
        t('Loaded with no trustline'),
        'amber',
        t('The account has no trustline to USDC, so it cannot be paid yet.'),
      );
    case 'loaded':
      return face(t('Loaded'), 'green', t('The account can be paid in USDC.'));
    case 'unreachable':
      return face(t('Network unreachable'), 'none', state.message);
  }
}

function face(words: string, colour: WalletColour, explanation: string): WalletFace {
  return { words, colour, explanation };
}

/** Balances for display: exact, without rounding. */
export function balanceLines({ xlm, usdc }: Balances): readonly (readonly [string, string])[] {
  return [
    ['XLM', formatDecimalAmount(xlm)],
    ['USDC', usdc === undefined ? t('no trustline') : formatDecimalAmount(usdc)],
  ];
}
