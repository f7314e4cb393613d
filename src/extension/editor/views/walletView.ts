import {
  balanceLines,
  configuredState,
  readBalances,
  type WalletState,
  walletFace,
  walletState,
} from '../../chain/index.ts';
import { PERIODS } from '../../polling/index.ts';
import { type ServiceFace, serviceFace } from '../../service/index.ts';
import type { NetworkChoice } from '../../settings/index.ts';
import { t } from '../../words/index.ts';
import type { App } from '../app.ts';
import { createListView, type Listing, type ListView, withoutNetwork } from './listView.ts';
import { actionRow, type Row } from './rows.ts';

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

/** Adds a row while the workspace sets addresses that the user has not confirmed. */
function unconfirmed({ consent, trusted }: App, { rows, ...rest }: Listing): Listing {
  const open = trusted ? consent.open() : [];
  if (open.length === 0) return { rows, ...rest };
  const label = t('Review workspace settings…');
  const review: Row = {
    ...actionRow(label, 'svc-x402.reviewWorkspaceSettings'),
    icon: 'shield',
    colour: 'amber',
    description: t('not used yet'),
    tooltip: t(
      "This workspace sets {0}. Svc doesn't use that until you confirm it.",
      open.map(({ name }) => `svc-x402.${name}`).join(', '),
    ),
  };
  return { rows: [review, ...rows], ...rest };
}

function listing({ settings, service }: App, state: WalletState): Listing {
  if (state.kind === 'not_configured') return { rows: [], state: state.kind };
  const face = walletFace(state);
  const icons = { none: 'circle-outline', amber: 'warning', red: 'error', green: 'pass' };
  const rows: Row[] = [
    {
      id: 'state',
      label: face.words,
      description: face.explanation,
      tooltip: face.explanation,
      icon: icons[face.colour],
      colour: face.colour,
      spoken: t('Wallet: {0}. {1}', face.words, face.explanation),
      contextValue: `wallet.${state.kind}`,
    },
    {
      id: 'address',
      label: settings.payToText,
      description: t('Payment address'),
      tooltip: t('New payment gates pay this address. Select to copy it.'),
      icon: 'key',
      command: {
        command: 'svc-x402.copyText',
        title: t('Copy address'),
        arguments: [settings.payToText],
      },
    },
  ];
  if ('balances' in state) {
    for (const [unit, amount] of balanceLines(state.balances)) {
      rows.push({ id: unit, label: unit, description: amount, icon: 'circle-small' });
    }
  }
  const help = helpFor(state, settings.network, serviceFace(service).action);
  if (help) rows.push(help);
  return { rows, state: state.kind };
}

function helpFor(
  state: WalletState,
  network: NetworkChoice,
  action: ServiceFace['action'],
): Row | undefined {
  switch (state.kind) {
    case 'invalid_address':
      return actionRow(t('Correct the address…'), 'svc-x402.setPayTo');
    case 'not_funded':
      return actionRow(t('Fund this account…'), 'svc-x402.fundWallet');
    case 'no_trustline':
      return actionRow(t('How to add a USDC trustline…'), 'svc-x402.explainTrustline');
    case 'unreachable':
      if (network === 'local' && action === 'restart') {
        return actionRow(t('Restart the local service'), 'svc-x402.restartService');
      }
      return network === 'local' && action === 'start'
        ? actionRow(t('Start the local service'), 'svc-x402.startService')
        : actionRow(t('Check the setup…'), 'svc-x402.checkSetup');
    default:
      return undefined;
  }
}
