import { formatDecimalAmount } from '../../../protocol/index.ts';
import { readSettlements, type Settlement } from '../../chain/index.ts';
import { timeAgo } from '../../endpoints/index.ts';
import { PERIODS } from '../../polling/index.ts';
import { moment, t } from '../../words/index.ts';
import type { App } from '../app.ts';
import { createListView, type ListView, trouble, withoutNetwork } from './listView.ts';
import { actionRow, type Row } from './rows.ts';

const PAGE = 10;

export interface SettlementsView extends ListView {
  /** Shows ten more, older ones. */
  more(): void;
}

/** The latest settlements to the configured address, in pages of ten (spec: Recent Settlements). */
export function createSettlementsView(app: App): SettlementsView {
  let count = PAGE;
  const list = createListView(app, {
    id: 'svc-x402.settlements',
    everyMs: PERIODS.settlements,
    async read(signal) {
      const { payTo } = app.settings;
      if (payTo === undefined) return { rows: [], state: 'not_configured' };
      const missing = withoutNetwork(app);
      if (missing !== undefined) return missing;
      const { horizonUrl = '' } = app.addresses;
      const page = await readSettlements(horizonUrl, payTo, count, app.transport, { signal });
      if (page.settlements.length === 0) return { rows: [], state: 'empty' };
      if (list.view.visible) app.milestones.mark('earned');
      const rows = page.settlements.map((settlement) => rowOf(app, settlement));
      if (page.cursor !== undefined) rows.push(moreRow());
      return { rows, state: 'items' };
    },
    failed: (error) => trouble(app, error),
  });
  return {
    ...list,
    more() {
      count += PAGE;
      list.refresh();
    },
  };
}

function rowOf({ journal }: App, { id, hash, at, from, amount }: Settlement): Row {
  const price = `${formatDecimalAmount(amount)} USDC`;
  const url = journal.urlOf(hash);
  const when = timeAgo(at, Date.now());
  const what = url === undefined ? t('from {0}…{1}', from.slice(0, 4), from.slice(-4)) : url;
  return {
    id,
    label: price,
    description: `${what} · ${when}`,
    tooltip: t(
      '{0} from {1}\n{2}\n{3}\n{4}',
      price,
      from,
      moment(at),
      url
        ? t('Test payment for {0}', url)
        : t("The ledger doesn't record which resource it was for."),
      hash,
    ),
    icon: 'arrow-small-down',
    spoken: `${price}, ${what}, ${when}`,
    contextValue: 'settlement',
    command: { command: 'svc-x402.openSettlement', title: t('Open settlement'), arguments: [hash] },
    value: hash,
  };
}

function moreRow(): Row {
  return {
    ...actionRow(t('Show ten more…'), 'svc-x402.moreSettlements'),
    ...{ id: 'more', icon: 'ellipsis' },
  };
}
