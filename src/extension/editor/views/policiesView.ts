import { assetName } from '../../../protocol/index.ts';
import {
  amountWords,
  budgetAt,
  budgetWords,
  enforcementWords,
  gatewayWords,
  limitLabel,
  limitState,
  limitType,
  missingCoSigners,
  policyLabel,
  reservedWords,
  resetWords,
  type ShownPolicy,
  shortAddress,
  standingWords,
  typeWords,
  windowWords,
} from '../../policies/index.ts';
import { PERIODS } from '../../polling/index.ts';
import { t } from '../../words/index.ts';
import { type App, networkName } from '../app.ts';
import { type PolicyReading, readPolicies } from '../policyReading.ts';
import {
  createListView,
  type Listing,
  type ListView,
  trouble,
  withoutNetwork,
} from './listView.ts';
import { actionRow, type Row } from './rows.ts';

const ID = 'svc-x402.policies';

/** The policies of the configured smart account, with the remainder of each budget. */
export function createPoliciesView(app: App): ListView {
  const list = createListView(app, {
    id: ID,
    everyMs: PERIODS.policies,
    async read(signal) {
      const { smartAccount, problems } = app.settings;
      list.view.description = smartAccount === undefined ? '' : shortAddress(smartAccount);
      if (smartAccount === undefined) {
        const problem = problems.find(({ name }) => name === 'smartAccount');
        if (problem === undefined) return { rows: [], state: 'not_configured' };
        return stuck(problem.message, 'error', [
          actionRow(t('Set the smart account…'), 'svc-x402.setSmartAccount'),
        ]);
      }
      const missing = withoutNetwork(app);
      if (missing !== undefined) return missing;
      return listing(app, await readPolicies(app, smartAccount, signal));
    },
    failed: (error) => trouble(app, error),
  });
  return list;
}

function listing(app: App, reading: PolicyReading): Listing {
  const { wallet, shown, gatewayProblem, now } = reading;
  const mend = [
    ...(app.settings.network === 'local'
      ? [actionRow(t('Create a smart account…'), 'svc-x402.createSmartAccount')]
      : []),
    actionRow(t('Set the smart account…'), 'svc-x402.setSmartAccount'),
    actionRow(t('Open settings'), 'svc-x402.openSettings'),
  ];
  switch (wallet.kind) {
    case 'absent':
      return stuck(
        t('Nothing found at this address on the {0}', networkName(app)),
        'warning',
        mend,
      );
    case 'not_a_wallet':
      return stuck(t('This contract is not a smart account: {0}', wallet.why), 'error', mend);
    case 'wrong_network':
      return stuck(
        t('The RPC belongs to another network: {0}', wallet.passphrase),
        'error',
        mend.slice(-1),
      );
    case 'wallet': {
      const answers = gatewayProblem === undefined;
      const rows = shown
        .filter(({ stage }) => stage !== 'revoked')
        .map((policy) => rowOf(policy, now, answers));
      if (gatewayProblem !== undefined) rows.push(...gatewayRows(gatewayProblem, app));
      return { rows, state: rows.length === 0 ? 'empty' : 'items' };
    }
  }
}

function rowOf(shown: ShownPolicy, now: bigint, answers: boolean): Row {
  const { ledger, limits, record, stage } = shown;
  const state = gatewayWords(shown, answers);
  const enforcement = enforcementWords(shown);
  const label = labelOf(shown);
  const description =
    ledger !== undefined
      ? budgetWords(ledger, now)
      : limits !== undefined && stage === 'attached'
        ? limitState(limits)
        : state;
  const budget = ledger?.limit && budgetAt(ledger.limit, now);
  const spent = budget !== undefined && budget.left <= 0n;
  const warns = spent || (limits !== undefined && missingCoSigners(limits).length > 0);
  const warnings = record?.policy.summary.warnings ?? [];
  return {
    id: shown.id,
    label,
    description,
    tooltip: [label, description, t('At the gateway: {0}', state), enforcement, ...warnings].join(
      '\n',
    ),
    icon: stage === 'attached' ? (warns ? 'warning' : 'shield') : 'circle-outline',
    colour: stage === 'attached' ? (warns ? 'amber' : 'green') : 'none',
    spoken: t('{0}, {1}. At the gateway: {2}. {3}', label, description, state, enforcement),
    // The limits of one key cannot apply to another key.
    contextValue: `policy.${stage}${limits === undefined ? '' : '.key'}`,
    value: shown,
    children: details(shown, now, state, enforcement),
  };
}

function labelOf({ id, ledger, limits, record }: ShownPolicy): string {
  if (limits !== undefined) return limitLabel(limits);
  return ledger === undefined ? (record?.policy.summary.title ?? id) : policyLabel(ledger);
}

function details(
  { id, contractId, ledger, limits, record, stage }: ShownPolicy,
  now: bigint,
  state: string,
  enforcement: string,
): Row[] {
  const rows: Row[] = [];
  const add = (label: string, description: string, copied?: string) =>
    rows.push({
      id: `${id}.${label}.${rows.length}`,
      label,
      description,
      tooltip: `${label}: ${description}`,
      spoken: `${label}: ${description}`,
      ...(copied === undefined
        ? {}
        : { command: { command: 'svc-x402.copyText', title: t('Copy'), arguments: [copied] } }),
    });
  add(
    t('Type'),
    limits !== undefined
      ? limitType(limits)
      : ledger === undefined
        ? (record?.policy.type ?? t('unknown'))
        : typeWords(ledger),
  );
  if (limits !== undefined) {
    add(t('Key'), limits.key, limits.key);
    for (const contract of limits.contracts) {
      const name = assetName(contract);
      add(t('May call'), name === contract ? name : `${name} · ${contract}`, contract);
    }
    for (const other of limits.coSigners) {
      add(t('Must also sign'), `${standingWords(other)} · ${other.key}`, other.key);
    }
  }
  const limit = ledger?.limit;
  if (limit !== undefined) {
    const budget = budgetAt(limit, now);
    const name = assetName(limit.token);
    const amount = (atomic: bigint) => amountWords(atomic, limit.token);
    add(t('Token'), name === limit.token ? name : `${name} · ${limit.token}`, limit.token);
    const fixed = windowWords(limit.windowSeconds);
    const span = limit.sliding ? t('any {0}', fixed) : fixed;
    add(t('Cap'), t('{0} in {1}', amount(limit.limit), span));
    if (limit.maxPayments !== undefined)
      add(
        t('Payments left'),
        t('{0} of {1}', budget.paymentsLeft ?? limit.maxPayments, limit.maxPayments),
      );
    if (limit.perPayment !== undefined) add(t('Maximum per payment'), amount(limit.perPayment));
    for (const one of limit.recipients ?? []) add(t('May be paid'), one, one);
    add(t('Spent in this window'), amount(budget.spent));
    add(t('Left in this window'), amount(budget.left));
    add(t('Next reset'), resetWords(budget, now));
    add(t('Reserved'), reservedWords(limit.upto));
  }
  if (ledger?.registry !== undefined) add(t('Registry'), ledger.registry, ledger.registry);
  add(t('In the account'), stage === 'attached' ? t('attached') : t('not attached'));
  add(t('At the gateway'), state);
  add(t('Enforced by'), enforcement);
  if (contractId !== undefined) add(t('Contract'), contractId, contractId);
  return rows;
}

function gatewayRows(problem: string, { settings }: App): Row[] {
  const warning: Row = {
    id: 'gateway',
    label: problem,
    tooltip: t("{0}\nThis view shows only the ledger's data, not the gateway's.", problem),
    icon: 'warning',
    colour: 'amber',
    spoken: problem,
    command: { command: 'svc-x402.showLog', title: t('Show log') },
  };
  return settings.policyGatewayUrl !== undefined || settings.network === 'testnet'
    ? [warning, actionRow(t('Open settings'), 'svc-x402.openSettings')]
    : [warning, actionRow(t('Start the service'), 'svc-x402.startService')];
}

function stuck(words: string, icon: string, next: readonly Row[]): Listing {
  const colour = icon === 'error' ? 'red' : 'amber';
  const row: Row = { id: 'state', label: words, tooltip: words, icon, colour, spoken: words };
  return { rows: [row, ...next], state: 'stuck' };
}
