import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { fetchHeaders } from '../../src/server/network/publicFetch/fetchHeaders.ts';
import { isPublicAddress } from '../../src/server/network/publicFetch/publicAddress.ts';
import { FORBIDDEN_ADDRESSES, FORBIDDEN_URLS } from './forbiddenUrls.ts';

const PUBLIC = '93.184.216.34';
const LIMITS = { timeoutMs: 1_000, maxHeaderBytes: 81_920 };

describe('[spec: ownerVerified/1] nothing but public https is reached, and no socket is opened for the rest', () => {
  let sockets = 0;
  const { connect } = Socket.prototype;
  before(() => {
    // Every TCP and TLS connection of this process passes here.
    Socket.prototype.connect = function counted(this: Socket): Socket {
      sockets += 1;
      return this.destroy(new Error('no socket was to be opened'));
    };
  });
  after(() => {
    Socket.prototype.connect = connect;
  });

  it('the counter counts: a public address is dialled once', async () => {
    const fetched = await fetchHeaders('https://seller.dev/quote', {
      ...LIMITS,
      resolve: async () => [PUBLIC],
    });
    assert.equal(fetched.kind, 'failed');
    assert.equal(sockets, 1);
    sockets = 0;
  });

  it(`${FORBIDDEN_URLS.length} URLs, of which at least 150 are different`, async () => {
    assert.ok(new Set(FORBIDDEN_URLS).size >= 150);
    for (const url of FORBIDDEN_URLS) {
      let asked = 0;
      const fetched = await fetchHeaders(url, {
        ...LIMITS,
        resolve: async () => {
          asked += 1;
          return [PUBLIC];
        },
      });
      assert.equal(fetched.kind, 'refused', url);
      assert.equal(asked, 0, `${url} was resolved`);
    }
    assert.equal(sockets, 0);
  });

  it(`${FORBIDDEN_ADDRESSES.length} addresses that a public name resolves to, alone or beside a public one`, async () => {
    for (const address of FORBIDDEN_ADDRESSES) {
      assert.equal(isPublicAddress(address), false, address);
      for (const addresses of [[address], [PUBLIC, address], [address, PUBLIC]]) {
        const fetched = await fetchHeaders('https://rebind.seller.dev/quote', {
          ...LIMITS,
          resolve: async () => addresses,
        });
        assert.equal(fetched.kind, 'refused', addresses.join());
      }
    }
    assert.equal(sockets, 0);
  });

  it('a name that resolves to nothing, or fails to', async () => {
    const resolves = [
      async () => [],
      async () => {
        throw new Error('ENOTFOUND');
      },
      () => new Promise<string[]>(() => {}),
    ];
    for (const resolve of resolves) {
      const fetched = await fetchHeaders('https://seller.dev/', {
        ...LIMITS,
        timeoutMs: 50,
        resolve,
      });
      assert.notEqual(fetched.kind, 'answered');
    }
    assert.equal(sockets, 0);
  });

  it('a name that resolves differently the second time is resolved once, and the checked address is dialled', async () => {
    let asked = 0;
    const dialled: string[] = [];
    await fetchHeaders('https://rebind.seller.dev/quote', {
      ...LIMITS,
      resolve: async () => {
        asked += 1;
        return asked === 1 ? [PUBLIC] : ['127.0.0.1'];
      },
      dial: (address) => {
        dialled.push(address);
        return new Socket().destroy(new Error('seen enough'));
      },
    });
    assert.equal(asked, 1);
    assert.deepEqual(dialled, [PUBLIC]);
    assert.equal(sockets, 0);
  });

  it('public addresses are public', () => {
    for (const address of [
      '8.8.8.8',
      '1.1.1.1',
      PUBLIC,
      '2606:4700::1111',
      '2a00:1450::1',
      '9.255.0.1',
      '172.32.0.1',
      '100.128.0.1',
      '223.255.255.254',
    ]) {
      assert.equal(isPublicAddress(address), true, address);
    }
  });

  it('to this machine only if that is enabled, and then to nothing else', async () => {
    const reach = 'loopback' as const;
    const outside = [
      'https://seller.dev/',
      'http://10.0.0.1/',
      'http://169.254.169.254/',
      'http://[::ffff:127.0.0.1]/',
      'http://[::127.0.0.1]/',
      'http://127.0.0.1.nip.io/',
      'http://user@127.0.0.1/',
      'http://0.0.0.0/',
      'ftp://localhost/',
    ];
    for (const url of outside) {
      const fetched = await fetchHeaders(url, {
        ...LIMITS,
        reach,
        resolve: async () => ['127.0.0.1'],
      });
      assert.equal(fetched.kind, 'refused', url);
    }
    for (const addresses of [['10.0.0.1'], ['127.0.0.1', '10.0.0.1'], [PUBLIC]]) {
      const fetched = await fetchHeaders('http://localhost:4021/', {
        ...LIMITS,
        reach,
        resolve: async () => addresses,
      });
      assert.equal(fetched.kind, 'refused');
    }
    assert.equal(sockets, 0);
  });
});
