import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { discoveryListSchema, discoverySearchSchema } from '../../src/protocol/wire/index.ts';
import { CliProcess, temporaryFolder } from '../cli/cliProcess.ts';
import { NOT_INSTALLED } from '../support/canonical.ts';
import { sellerInstalled } from '../support/paidSeller.ts';

describe("The demo's endpoint is in the catalog after its payment", {
  skip: sellerInstalled ? false : NOT_INSTALLED,
}, () => {
  const folder = temporaryFolder();
  const started: CliProcess[] = [];
  after(async () => {
    for (const process of started) await process.stop('SIGKILL');
    folder.remove();
  });
  const start = (more: readonly string[]): CliProcess => {
    const process = new CliProcess([...args, ...more]);
    started.push(process);
    return process;
  };
  const args = ['dev', '--json', '--log-level', 'warn', '--data-dir', folder.path];
  const ports = ['--ledger-port', '0', '--facilitator-port', '0'];

  async function ask(dev: CliProcess): Promise<string> {
    const serving = await dev.event('serving');
    const url = JSON.stringify(serving).match(/"(http:\/\/[^"]+)"/g) ?? [];
    for (const candidate of url) {
      const base = candidate.slice(1, -1);
      const answer = await fetch(`${base}/discovery/resources`).catch(() => undefined);
      if (answer?.ok) return base;
    }
    throw new Error(`no catalog among ${url.join()}`);
  }

  it('with its price and texts, is found by the search, and is still listed after a restart', async () => {
    const dev = start(ports);
    await dev.event('paid');
    const base = await ask(dev);
    const list = discoveryListSchema.parse(
      await (await fetch(`${base}/discovery/resources`)).json(),
    );
    const [entry, ...more] = list.items;
    assert.ok(entry);
    assert.equal(more.length, 0);
    assert.match(entry.resource, /^http:\/\/127\.0\.0\.1:\d+\/weather\/:city$/);
    assert.equal(entry.serviceName, 'Demo Weather');
    assert.equal(entry.accepts[0]?.amount, '100000');
    assert.equal(entry.trust.settlements, 1);
    assert.equal(entry.trust.ownerVerified, false);
    const found = await (await fetch(`${base}/discovery/search?query=forecast`)).json();
    assert.equal(discoverySearchSchema.parse(found).resources[0]?.resource, entry.resource);
    assert.equal((await dev.stop('SIGINT')).code, 0);

    const again = start(['--no-demo', ...ports]);
    const kept = await (await fetch(`${await ask(again)}/discovery/resources`)).json();
    const [restored] = discoveryListSchema.parse(kept).items;
    assert.equal(restored?.resource, entry.resource);
    assert.equal(restored?.trust.statsSource, 'persisted');
    assert.equal((await again.stop('SIGINT')).code, 0);
  });
});
