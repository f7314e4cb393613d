import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { readBody } from '../../../machine/index.ts';
import type { AuthorizationKey } from '../../../protocol/stellar/index.ts';
import { systemClock } from '../../clock.ts';
import type { SettlementRecord } from '../../settlement/index.ts';
import { LocalSettlements } from '../localSettlements.ts';
import { refusal } from '../payment/index.ts';
import { deliverRefusal } from './answerInTime.ts';

/** A client in a separate thread: it connects and sends while the server's event loop is blocked. */
const CLIENT = `
const net = require('node:net');
const { parentPort, workerData: sent } = require('node:worker_threads');
const request = 'POST / HTTP/1.1\\r\\nhost: localhost\\r\\ncontent-length: 6\\r\\n\\r\\nsecond';
parentPort.on('message', (port) => {
  const socket = net.connect(port, '127.0.0.1', () => {
    socket.write(request, () => {
      Atomics.store(sent, 0, 1);
      Atomics.notify(sent, 0);
    });
  });
  socket.on('error', () => {});
});
`;

const RECORD: SettlementRecord = {
  ...{ id: 'first', key: 'an authorization' as AuthorizationKey, digest: 'the request' },
  ...{ instance: 'i', state: 'claimed', answer: 'held', catalog: 'none', terms: undefined },
  ...{ client: undefined, paymentId: undefined, heldBy: 'i', request: undefined },
  transaction: undefined,
  ...{
    ledger: undefined,
    paid: undefined,
    arrived: undefined,
    feeCharged: 0n,
    detail: undefined,
    extensions: undefined,
  },
  ...{ network: 1, claimedAt: 0, updatedAt: 0 },
};

describe('A refusal that is about to be delivered', () => {
  const sent = new Int32Array(new SharedArrayBuffer(4));
  const client = new Worker(CLIENT, { eval: true, workerData: sent });
  const local = new LocalSettlements();
  const server = http.createServer();
  after(async () => {
    await client.terminate();
    server.closeAllConnections();
    server.close();
  });

  it('waits for an identical request that has arrived by then, which gets the same refusal', async () => {
    const order: string[] = [];
    let second: unknown;
    server.on('request', async (request, response) => {
      const since = systemClock.elapsed();
      await readBody(request, 1_000);
      order.push('the second request is read');
      second = local.refusalSince({ ...RECORD, id: 'second' }, since);
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await new Promise((resolve) => client.once('online', resolve));

    const rejection = refusal('submission_failed', undefined);
    local.refuse(RECORD, rejection, systemClock.elapsed());
    client.postMessage((server.address() as AddressInfo).port);
    assert.notEqual(Atomics.wait(sent, 0, 0, 10_000), 'timed-out');
    // Time for the system to pass the bytes on. Nothing in this thread has seen them.
    Atomics.wait(sent, 0, 1, 50);
    assert.equal(order.length, 0);
    await deliverRefusal(RECORD, undefined, { local, clock: systemClock });
    order.push('the refusal is delivered');

    assert.deepEqual(order, ['the second request is read', 'the refusal is delivered']);
    assert.equal(second, rejection);
  });
});
