import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clientAddress, clientKey, isLoopback, readProxies } from './clientKey.ts';

describe('[spec: Limits/Request rate] per IP: the client of a request', () => {
  it('is the connection’s address, and a forged X-Forwarded-For changes nothing', () => {
    assert.equal(clientAddress('192.0.2.1', '203.0.113.9', 0), '192.0.2.1');
    assert.equal(clientAddress('::ffff:192.0.2.1', undefined, 0), '192.0.2.1');
  });

  it('behind trusted proxies is the entry that the outermost one wrote', () => {
    const forwarded = '198.51.100.7, 203.0.113.9, 10.0.0.1';
    assert.equal(clientAddress('10.0.0.2', forwarded, 1), '10.0.0.1');
    assert.equal(clientAddress('10.0.0.2', forwarded, 2), '203.0.113.9');
    assert.equal(clientAddress('10.0.0.2', '[2001:db8::1]:443', 1), '2001:db8::1');
    assert.equal(clientAddress('10.0.0.2', '203.0.113.9:1234', 1), '203.0.113.9');
  });

  it('is the connection’s again if the header is missing, too short, too long or not an address', () => {
    for (const header of [undefined, '', '203.0.113.9', 'a, b', ', '.repeat(3_000)]) {
      assert.equal(clientAddress('10.0.0.2', header, 2), '10.0.0.2');
    }
    assert.equal(clientAddress(undefined, undefined, 0), undefined);
  });
});

describe('[finding: O8] Named proxies', () => {
  const isProxy = readProxies(['10.0.0.0/8', '192.0.2.7', '2001:db8::/32']);
  const asked = (peer: string) => clientAddress(peer, '203.0.113.9', 1, isProxy);

  it('may report the address of a client', () => {
    for (const peer of ['10.1.2.3', '::ffff:10.1.2.3', '192.0.2.7', '2001:db8::5']) {
      assert.equal(asked(peer), '203.0.113.9', peer);
    }
  });

  it('are the only ones: a direct connection counts under its own address whatever it claims', () => {
    for (const peer of ['192.0.2.8', '127.0.0.1', '2001:db9::5']) assert.equal(asked(peer), peer);
  });
});

describe('The key under which requests are counted', () => {
  it('is an IPv4 address, unchanged', () => {
    assert.equal(clientKey('192.0.2.1'), '192.0.2.1');
  });

  it('is the /64 of an IPv6 address, however it is written', () => {
    const key = '2001:db8:0:1::/64';
    for (const address of [
      '2001:db8:0:1::1',
      '2001:DB8:0:1:ffff:ffff:ffff:ffff',
      '2001:0db8:0000:0001:0000:0000:0000:0002',
      '2001:db8:0:1:2::',
    ]) {
      assert.equal(clientKey(address), key, address);
    }
    assert.notEqual(clientKey('2001:db8:0:2::1'), key);
    assert.equal(clientKey('::1'), '0:0:0:0::/64');
    assert.equal(clientKey('64:ff9b::192.0.2.1'), '64:ff9b:0:0::/64');
  });

  it('recognises loopback', () => {
    for (const address of ['127.0.0.1', '127.8.8.8', '::1']) assert.ok(isLoopback(address));
    for (const address of ['10.0.0.1', '::2', '1.27.0.1']) assert.ok(!isLoopback(address));
  });
});
