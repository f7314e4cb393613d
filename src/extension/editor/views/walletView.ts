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
      if (configured !== undefined) return unconfirmed(app, listing(app, configured));
      const missing = withoutNetwork(app);
      if (missing !== undefined) return unconfirmed(app, missing);
      const { horizonUrl } = app.addresses;
      const { payTo } = app.settings;
      if (horizonUrl === undefined || payTo === undefined) return { rows: [], state: 'stopped' };
      const balances = await readBalances(horizonUrl, payTo, app.transport, signal);
      return unconfirmed(app, listing(app, walletState(app.settings, balances)));
    },
    failed: (error) =>
      unconfirmed(
        app,
        listing(app, {
          kind: 'unreachable',
          message: error instanceof Error ? error.message : String(error),
        }),
      ),
  });
}

/** Adds a row while the workspace sets addresses that its user has not confirmed. */
function unconfirmed({ consent, trusted }: App, { rows, ...rest }: Listing): Listing {
  const open = trusted ? consent.open() : [];
  if (open.length === 0) return { rows, ...rest };
  const label = 'Review workspace settings…';
  const review: Row = {
    ...action(label, 'svc-x402.reviewWorkspaceSettings'),
    icon: 'shield',
    colour: 'amber',
    description: 'not used yet',
    tooltip: `This workspace sets ${open.map(({ name }) => `svc-x402.${name}`).join(', ')}. Svc doesn't use that until you confirm it.`,
  };
  return { rows: [review, ...rows], ...rest };
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
