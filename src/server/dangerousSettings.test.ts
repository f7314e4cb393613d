import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dangerousSettings } from './dangerousSettings.ts';

const OPEN = { host: '0.0.0.0', trustedProxyHops: 1, trustedProxies: [] };

describe('[finding: O8] Settings that are allowed and dangerous', () => {
  it('an address for all, and X-Forwarded-For from anyone', () => {
    const [danger = ''] = dangerousSettings(OPEN);
    assert.match(danger, /HOST=0\.0\.0\.0 and TRUSTED_PROXY_HOPS=1 .*TRUSTED_PROXIES/);
    assert.equal(dangerousSettings({ ...OPEN, host: '::' }).length, 1);
  });

  it('not on this machine alone, with named proxies, or without hops', () => {
    for (const change of [
      { host: '127.0.0.1' },
      { host: '::1' },
      { host: 'localhost' },
      { trustedProxies: ['10.0.0.7'] },
      { trustedProxyHops: 0 },
    ]) {
      assert.deepEqual(dangerousSettings({ ...OPEN, ...change }), []);
    }
  });
});
