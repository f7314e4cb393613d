import {
  balanceLines,
  configuredState,
  readBalances,
  type WalletState,
  walletFace,
  walletState,
} from '../../chain/index.ts';
import { PERIODS } from '../../polling/index.ts';
import type { NetworkChoice } from '../../settings/index.ts';
import type { App } from '../app.ts';
import { createListView, type Listing, type ListView, withoutNetwork } from './listView.ts';
import type { Row } from './rows.ts';

/** Balances of the configured address, and whether it can be paid (spec: Wallet). */
export function createWalletView(app: App): ListView {
  return createListView(app, {
    id: 'svc-x402.wallet',
    everyMs: PERIODS.wallet,
    async read(signal) {
      const configured = configuredState(app.settings);
      if (configured !== undefined) return listing(app, configured);
      const missing = withoutNetwork(app);
      if (missing !== undefined) return missing;
      const { horizonUrl } = app.addresses;
      const { payTo } = app.settings;
      if (horizonUrl === undefined || payTo === undefined) return { rows: [], state: 'stopped' };
      const balances = await readBalances(horizonUrl, payTo, app.transport, signal);
      return listing(app, walletState(app.settings, balances));
    },
    failed: (error) =>
      listing(app, {
        kind: 'unreachable',
        message: error instanceof Error ? error.message : String(error),
      }),
  });
}

function listing({ settings }: App, state: WalletState): Listing {
  if (state.kind === 'not_configured') return { rows: [], state: state.kind };
  const face = walletFace(state);
  const icons = { none: 'circle-outline', amber: 'warning', red: 'error', green: 'pass' };
  const rows: Row[] = [
    {
      id: 'state',
      label: face.words,
      tooltip: face.explanation,
      icon: icons[face.colour],
      colour: face.colour,
      spoken: `Wallet: ${face.words}. ${face.explanation}`,
      contextValue: `wallet.${state.kind}`,
    },
    {
      id: 'address',
      label: settings.payToText,
      description: 'Payment address',
      tooltip: 'New payment gates pay this address. Select to copy it.',
      icon: 'key',
      command: {
        command: 'svc-x402.copyText',
        title: 'Copy address',
        arguments: [settings.payToText],
      },
    },
  ];
  if ('balances' in state) {
    for (const [unit, amount] of balanceLines(state.balances)) {
      rows.push({ id: unit, label: unit, description: amount, icon: 'circle-small' });
    }
  }
  const help = helpFor(state, settings.network);
  if (help) rows.push(help);
  return { rows, state: state.kind };
}

function helpFor(state: WalletState, network: NetworkChoice): Row | undefined {
  switch (state.kind) {
    case 'invalid_address':
      return action('Correct the address…', 'svc-x402.setPayTo');
    case 'not_funded':
      return action('Fund this account…', 'svc-x402.fundWallet');
    case 'no_trustline':
      return action('How to add a USDC trustline…', 'svc-x402.explainTrustline');
    case 'unreachable':
      return network === 'local'
        ? action('Start the local service', 'svc-x402.startService')
        : action('Check the setup…', 'svc-x402.checkSetup');
    default:
      return undefined;
  }
}

function action(label: string, command: string): Row {
  return { id: command, label, icon: 'lightbulb', command: { command, title: label } };
}
