import { lastActivity } from '../../activity/index.ts';
import {
  type Badge,
  type BadgeName,
  type Endpoint,
  nextBadge,
  readEndpoints,
  timeAgo,
} from '../../endpoints/index.ts';
import { PERIODS } from '../../polling/index.ts';
import type { Sale } from '../../portSale/index.ts';
import { t } from '../../words/index.ts';
import { activityFor } from '../activityDocuments.ts';
import type { App } from '../app.ts';
import type { Discovery } from '../discovery.ts';
import { noticeFirstVerified } from '../firstNotices.ts';
import { type PortSales, wordsOf } from '../portSales.ts';
import {
  createListView,
  type Listing,
  type ListView,
  trouble,
  withoutNetwork,
} from './listView.ts';
import { actionRow, type Row } from './rows.ts';

const ICONS: Readonly<Record<BadgeName, readonly [string, NonNullable<Row['colour']>]>> = {
  Verified: ['verified-filled', 'green'],
  'Verified locally': ['verified', 'green'],
  'Not verified yet': ['pass', 'none'],
  Unverified: ['unverified', 'amber'],
  Unknown: ['question', 'none'],
};

/** Minimum interval between refreshes caused by a busy endpoint. */
const AFTER_PAYMENTS_MS = 5_000;

/**
 * What is sold from local ports, and the catalog entries that pay the configured address, read through the discovery server
 * (spec: My Endpoints).
 */
export function createEndpointsView(app: App, discovery: Discovery, sales: PortSales): ListView {
  const badges = new Map<string, Badge>();
  const list = createListView(app, {
    id: 'svc-x402.endpoints',
    everyMs: PERIODS.endpoints,
    read: async (signal) => withSales(await readCatalog(signal)),
    failed: (error) => withSales(trouble(app, error)),
  });
  const withSales = (listing: Listing): Listing =>
    sales.all.length === 0
      ? listing
      : { ...listing, rows: [...sales.all.map(saleRow), ...listing.rows], state: 'items' };
  // Payments by buyers elsewhere also change the list.
  let soon: NodeJS.Timeout | undefined;
  const seller = sales.onChange(() => list.refresh());
  const follower = app.onActivity(() => {
    if (!list.view.visible) return;
    soon ??= setTimeout(() => {
      soon = undefined;
      list.refresh();
    }, AFTER_PAYMENTS_MS);
  });
  return {
    ...list,
    dispose() {
      clearTimeout(soon);
      follower.dispose();
      seller.dispose();
      list.dispose();
    },
  };

  async function readCatalog(signal: AbortSignal): Promise<Listing> {
    const { payTo } = app.settings;
    if (payTo === undefined) return { rows: [], state: 'not_configured' };
    const missing = withoutNetwork(app);
    if (missing !== undefined) return missing;
    if (app.addresses.facilitatorUrl === undefined) return { rows: [], state: 'no_facilitator' };
    const result = await discovery.call('x402_list_resources', { payTo, limit: 100 }, signal);
    if (result.isError) throw new Error(result.text);
    const read = readEndpoints(result.structuredContent);
    if (read === undefined) throw new Error(t('The catalog returned an unrecognized response.'));
    app.routes = read.endpoints.map(({ url }) => url);
    if (read.endpoints.length === 0) return { rows: [], state: 'empty' };
    const more =
      read.total > read.endpoints.length
        ? { message: t('{0} of {1} endpoints', read.endpoints.length, read.total) }
        : {};
    return { rows: read.endpoints.map(rowOf), state: 'items', ...more };
  }

  function rowOf(endpoint: Endpoint): Row {
    const now = Date.now();
    const badge = nextBadge(badges.get(endpoint.url), {
      trust: endpoint.trust,
      url: endpoint.url,
      local: app.settings.network === 'local',
      sinceChangeMs: endpoint.lastSettled && now - endpoint.lastSettled.getTime(),
    });
    badges.set(endpoint.url, badge);
    if (/^Verified/.test(badge.name)) void noticeFirstVerified(app, endpoint.url);
    const last = endpoint.lastSettled ? timeAgo(endpoint.lastSettled, now) : t('unknown');
    const { settlements, uniquePayers } = endpoint;
    const count = settlements === 1 ? t('1 settlement') : t('{0} settlements', settlements);
    const payers = uniquePayers === 1 ? t('1 payer') : t('{0} payers', uniquePayers);
    const name = t(badge.name);
    const [icon, colour] = ICONS[badge.name];
    return {
      id: `${endpoint.method} ${endpoint.url}`,
      label: pathOf(endpoint.url),
      description: `${endpoint.price} · ${name} · ${count} · ${last}`,
      tooltip: t(
        '{0} {1}\n{2}: {3}\n{4} by {5}, last settled {6}',
        endpoint.method,
        endpoint.url,
        name,
        badge.reason,
        count,
        payers,
        last,
      ),
      icon,
      colour,
      spoken: t(
        '{0}, {1}, {2}, {3}, last settled {4}',
        endpoint.url,
        endpoint.price,
        name,
        count,
        last,
      ),
      contextValue: 'endpoint',
      value: endpoint,
      children: [
        { id: `${endpoint.url} url`, label: endpoint.url, icon: 'link' },
        { id: `${endpoint.url} price`, label: endpoint.price, icon: 'tag' },
        {
          id: `${endpoint.url} badge`,
          label: name,
          description: badge.reason,
          tooltip: badge.reason,
          icon,
          colour,
        },
        {
          id: `${endpoint.url} count`,
          label: count,
          description: t('{0}, last settled {1}', payers, last),
          icon: 'history',
        },
        activityRow(app, endpoint),
      ],
    };
  }
}

/** A local server that is sold in this window, whether anybody has paid for it yet or not. */
function saleRow(sale: Sale): Row {
  const { upstream, price, payTo } = sale.terms;
  const words = wordsOf(sale);
  return {
    ...{ id: `sale ${sale.url}`, label: sale.url.replace(/^http:\/\//, ''), description: words },
    tooltip: t(
      '{0}\nEach request costs {1} USDC and is served by {2}. It is sold until you stop it or close this window.',
      sale.url,
      price,
      upstream,
    ),
    ...{ icon: 'broadcast', colour: 'green', contextValue: 'sale', value: sale },
    spoken: t('{0}, sold now, {1}', sale.url, words),
    children: [
      {
        id: `${sale.url} upstream`,
        label: upstream,
        description: t('your server'),
        icon: 'server',
      },
      { id: `${sale.url} price`, label: t('{0} USDC', price), icon: 'tag' },
      { id: `${sale.url} payTo`, label: payTo, description: t('is paid'), icon: 'account' },
    ],
  };
}

/** Opens the live log of an endpoint, and shows its latest entry. */
function activityRow(app: App, { url }: Endpoint): Row {
  const last = lastActivity(activityFor(app, url));
  return {
    ...actionRow(t('Show Payments…'), 'svc-x402.showActivity', [url]),
    ...{ id: `${url} activity`, icon: 'output' },
    ...(last === undefined ? {} : { description: last }),
  };
}

/** The end of a URL distinguishes endpoints; a sidebar is narrow. */
function pathOf(url: string): string {
  try {
    return decodeURI(new URL(url).pathname);
  } catch {
    return url;
  }
}
