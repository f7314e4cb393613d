import {
  type Badge,
  type BadgeName,
  type Endpoint,
  nextBadge,
  readEndpoints,
  timeAgo,
} from '../../endpoints/index.ts';
import { PERIODS } from '../../polling/index.ts';
import type { App } from '../app.ts';
import type { Discovery } from '../discovery.ts';
import { noticeFirstVerified } from '../firstNotices.ts';
import { createListView, type ListView, trouble, withoutNetwork } from './listView.ts';
import type { Row } from './rows.ts';

const ICONS: Readonly<Record<BadgeName, readonly [string, NonNullable<Row['colour']>]>> = {
  Verified: ['verified-filled', 'green'],
  'Verified locally': ['verified', 'green'],
  'Not verified yet': ['pass', 'none'],
  Unverified: ['unverified', 'amber'],
  Unknown: ['question', 'none'],
};

/** Catalog entries that pay the configured address, by the discovery server (spec: My Endpoints). */
export function createEndpointsView(app: App, discovery: Discovery): ListView {
  const badges = new Map<string, Badge>();
  return createListView(app, {
    id: 'svc-x402.endpoints',
    everyMs: PERIODS.endpoints,
    async read(signal) {
      const { payTo } = app.settings;
      if (payTo === undefined) return { rows: [], state: 'not_configured' };
      const missing = withoutNetwork(app);
      if (missing !== undefined) return missing;
      if (app.addresses.facilitatorUrl === undefined) return { rows: [], state: 'no_facilitator' };
      const result = await discovery.call('x402_list_resources', { payTo, limit: 100 }, signal);
      if (result.isError) throw new Error(result.text);
      const read = readEndpoints(result.structuredContent);
      if (read === undefined) throw new Error('The catalog answered in a form that is not known.');
      app.routes = read.endpoints.map(({ url }) => url);
      if (read.endpoints.length === 0) return { rows: [], state: 'empty' };
      const more =
        read.total > read.endpoints.length
          ? { message: `${read.endpoints.length} of ${read.total} endpoints` }
          : {};
      return { rows: read.endpoints.map(rowOf), state: 'items', ...more };
    },
    failed: (error) => trouble(app, error),
  });

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
    const last = endpoint.lastSettled ? timeAgo(endpoint.lastSettled, now) : 'unknown';
    const count = `${endpoint.settlements} settlement${endpoint.settlements === 1 ? '' : 's'}`;
    const [icon, colour] = ICONS[badge.name];
    return {
      id: `${endpoint.method} ${endpoint.url}`,
      label: pathOf(endpoint.url),
      description: `${endpoint.price} · ${badge.name} · ${count} · ${last}`,
      tooltip: `${endpoint.method} ${endpoint.url}\n${badge.name}: ${badge.reason}\n${count} by ${endpoint.uniquePayers} payers, last settled ${last}`,
      icon,
      colour,
      spoken: `${endpoint.url}, ${endpoint.price}, ${badge.name}, ${count}, last settled ${last}`,
      contextValue: 'endpoint',
      value: endpoint,
      children: [
        { id: `${endpoint.url} url`, label: endpoint.url, icon: 'link' },
        { id: `${endpoint.url} price`, label: endpoint.price, icon: 'tag' },
        {
          id: `${endpoint.url} badge`,
          label: badge.name,
          description: badge.reason,
          tooltip: badge.reason,
          icon,
          colour,
        },
        {
          id: `${endpoint.url} count`,
          label: count,
          description: `${endpoint.uniquePayers} payers, last settled ${last}`,
          icon: 'history',
        },
      ],
    };
  }
}

/** The end of a URL distinguishes endpoints; a sidebar is narrow. */
function pathOf(url: string): string {
  try {
    return decodeURI(new URL(url).pathname);
  } catch {
    return url;
  }
}
