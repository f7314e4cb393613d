import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { temporaryFolder } from '../cli/cliProcess.ts';
import { Chain } from '../policies/support/chain.ts';
import { openPayer, openSeller } from '../support/accounts.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import { type AgentWithBudget, grantBudget } from './agentWithBudget.ts';
import { readCall } from './callResult.ts';
import { type ScriptedSeller, startScriptedSeller } from './scriptedSeller.ts';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

describe('What an agent paid for arrives, whatever it is', () => {
  const folder = temporaryFolder();
  const clients: Client[] = [];
  let stack: LocalStack;
  let seller: ScriptedSeller;
  let agent: AgentWithBudget;

  before(async () => {
    stack = await startLocalStack({ policyProofRequired: false });
    const funder = await openPayer(stack, 1_000_000_000n);
    const payTo = await openSeller(stack);
    seller = await startScriptedSeller(stack.facilitator.url, payTo.address);
    const chain = new Chain(stack, funder);
    agent = await grantBudget(stack, chain, funder.address, { name: 'content', budget: '1' });
  });
  after(async () => {
    for (const client of clients) await client.close();
    await seller?.close();
    await stack?.close();
    folder.remove();
  });

  async function connect(...args: string[]) {
    const client = new Client({ name: 'test', version: '1' });
    const env = {
      PATH: process.env['PATH'] ?? '',
      SVC_X402_DATA_DIR: folder.path,
      FACILITATOR_URL: stack.facilitator.url,
      STELLAR_RPC_URL: stack.rpcUrl,
      PAYER_SECRET: agent.secret,
      PAYER_WALLET: agent.wallet,
    };
    const command = { command: process.execPath, args: [cli, 'mcp', '--pay', ...args], env };
    await client.connect(new StdioClientTransport({ ...command, stderr: 'pipe' }));
    clients.push(client);
    return async (path: string) => {
      const values = { url: `${seller.url}${path}`, maxAmount: '0.05' };
      return readCall(await client.callTool({ name: 'x402_call', arguments: values }));
    };
  }

  function sells(type: string, body: string | Buffer) {
    seller.paid = async ({ response, settle, say }) => {
      say(await settle());
      response.writeHead(200, { 'content-type': type }).end(body);
    };
  }

  it('a picture as image content, sound as audio content, another type as a resource, text by its charset', async () => {
    const call = await connect();
    sells('image/png', PNG);
    const picture = await call('/picture');
    assert.equal(picture.said.outcome, 'settled', picture.text);
    const data = PNG.toString('base64');
    assert.deepEqual(picture.parts, [{ type: 'image', mimeType: 'image/png', data }]);
    sells('audio/wav', Buffer.from('RIFF....WAVE'));
    assert.equal((await call('/sound')).parts[0]?.type, 'audio');
    sells('application/pdf', Buffer.from([0x25, 0x50, 0, 0xff]));
    const { parts } = await call('/paper?page=1');
    assert.deepEqual(parts[0]?.resource, {
      uri: `${seller.url}/paper?page=1`,
      mimeType: 'application/pdf',
      blob: Buffer.from([0x25, 0x50, 0, 0xff]).toString('base64'),
    });
    sells('text/plain; charset=iso-8859-1', Buffer.from('caf\xe9', 'latin1'));
    const { said } = await call('/menu');
    assert.equal(said.body, 'café');
    assert.equal(said.receipt?.url, `${seller.url}/menu`);
  });

  it('the body travels once in a result', async () => {
    const call = await connect();
    sells('text/plain', 'only once, please');
    const { text, said } = await call('/once');
    assert.equal(text.split('only once, please').length - 1, 1);
    assert.ok(!JSON.stringify({ ...said, body: null }).includes('only once, please'));
  });

  it('in a folder that the user named, if it cannot be shown', async () => {
    const saved = join(folder.path, 'saved');
    const call = await connect('--save-to', saved);
    sells('application/zip', Buffer.from([0x50, 0x4b, 3, 4, 0, 0xff]));
    const { said, text, parts } = await call('/archive');
    assert.equal(said.outcome, 'settled', text);
    assert.deepEqual(parts, []);
    assert.equal(readdirSync(saved).length, 1);
    assert.ok(text.includes(said.file ?? 'none'));
    assert.deepEqual(readFileSync(said.file ?? ''), Buffer.from([0x50, 0x4b, 3, 4, 0, 0xff]));
  });

  it('a client that shows only text is refused before it pays, by the type in the terms', async () => {
    const call = await connect('--text-only');
    sells('image/png', PNG);
    seller.mimeType = 'image/png';
    const presented = seller.presented;
    const { said, text } = await call('/picture-for-text');
    assert.deepEqual([said.outcome, said.code], ['not_paid', 'content_not_supported']);
    assert.match(text, /"image\/png".*--save-to.*Nothing was paid\./);
    assert.equal(seller.presented, presented);
    seller.mimeType = undefined;
  });
});
