import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { Keypair, xdr } from '@stellar/stellar-sdk';
import type {
  GeneratedPolicy,
  PasskeyOpened,
  PasskeyPageRequest,
  PasskeyStatus,
  WalletPolicyRecord,
} from '../../src/protocol/policies/index.ts';
import { toI128, toScAddress } from '../../src/protocol/stellar/index.ts';
import { systemClock } from '../../src/server/index.ts';
import { openPayer, openSeller } from '../support/accounts.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import { softwarePasskey, type TestPasskey } from '../support/passkey.ts';
import { USDC } from '../support/payment.ts';
import { AgentWallet } from './support/agentWallet.ts';
import { Chain } from './support/chain.ts';

const SECRET = 'the secret of service.json';
/** Before the 65 bytes of a public key of P-256, in DER (RFC 5480). */
const SPKI = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex');
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  readonly code: string | undefined;
}

describe('The passkey page', () => {
  let stack: LocalStack;
  let ahead = 0;

  before(async () => {
    const clock = { ...systemClock, now: () => systemClock.now() + ahead };
    stack = await startLocalStack({ policyProofRequired: false, passkeyToken: SECRET, clock });
  });
  after(() => stack.close());

  const host = () => `localhost:${stack.facilitator.port}`;

  function send(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: unknown,
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          host: '127.0.0.1',
          port: stack.facilitator.port,
          method,
          path,
          headers: {
            host: host(),
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...headers,
          },
        },
        (response) => {
          let said = '';
          response.setEncoding('utf8').on('data', (chunk: string) => {
            said += chunk;
          });
          response.on('end', () => {
            const { code } = said.startsWith('{') ? (JSON.parse(said) as { code?: string }) : {};
            const { statusCode: status = 0, headers } = response;
            resolve({ status, headers, body: said, code });
          });
        },
      );
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  /** As the editor asks: a program of this user's, with the secret. */
  const program = (method: string, path: string, body?: unknown) =>
    send(method, path, { authorization: `Bearer ${SECRET}` }, body);
  /** As the page itself asks. */
  const page = (method: string, path: string, body?: unknown) =>
    send(
      method,
      path,
      {
        'sec-fetch-site': 'same-origin',
        ...(method === 'POST' ? { origin: `http://${host()}` } : {}),
      },
      body,
    );

  async function open(task: object): Promise<PasskeyOpened> {
    const answer = await program('POST', '/passkeys', task);
    assert.equal(answer.status, 200, answer.body);
    return JSON.parse(answer.body) as PasskeyOpened;
  }
  const create = { kind: 'create_account', name: 'test' };
  const statusOf = async ({ id }: PasskeyOpened) =>
    JSON.parse((await program('GET', `/passkeys/${id}`)).body) as PasskeyStatus;
  const cancel = ({ id }: PasskeyOpened) => program('DELETE', `/passkeys/${id}`);
  const requestOf = async ({ page: path }: PasskeyOpened) =>
    JSON.parse((await page('GET', `${path}/request`)).body) as PasskeyPageRequest;

  const made = (passkey: TestPasskey) => ({
    kind: 'made',
    keyId: text(passkey.keyId),
    publicKey: text(Buffer.concat([SPKI, passkey.publicKey])),
  });

  async function sign(passkey: TestPasskey, opened: PasskeyOpened) {
    const { challenge } = await requestOf(opened);
    const { authenticatorData, clientDataJSON, signature } = await passkey.assert(
      Buffer.from(challenge, 'base64url'),
    );
    return {
      kind: 'signed',
      keyId: text(passkey.keyId),
      authenticatorData: text(authenticatorData),
      clientDataJSON: text(clientDataJSON),
      signature: text(signature),
    };
  }

  /** Opens a request, answers as a browser would, and returns the outcome. */
  async function answered(
    task: object,
    answer: (opened: PasskeyOpened) => unknown,
  ): Promise<PasskeyStatus> {
    const opened = await open(task);
    const said = await page('POST', `${opened.page}/answer`, await answer(opened));
    assert.equal(said.status, 200, said.body);
    assert.deepEqual(await statusOf(opened), JSON.parse(said.body));
    return JSON.parse(said.body) as PasskeyStatus;
  }

  async function account(passkey: TestPasskey): Promise<string> {
    const { state, outcome, problem } = await answered(create, () => made(passkey));
    assert.equal(state, 'done', problem?.message);
    return outcome?.wallet ?? assert.fail();
  }

  describe('who can ask', () => {
    it('only a program with the secret from the service’s own file can open a request', async () => {
      assert.equal((await send('POST', '/passkeys', {}, create)).code, 'not_permitted');
      const wrong = { authorization: `Bearer ${SECRET}x` };
      assert.equal((await send('POST', '/passkeys', wrong, create)).code, 'not_permitted');
    });

    it('no web page can open one, whatever it sends', async () => {
      const shown = { authorization: `Bearer ${SECRET}`, origin: 'https://evil.example' };
      assert.equal((await send('POST', '/passkeys', shown, create)).code, 'wrong_place');
      const preflight = await send('OPTIONS', '/passkeys', { origin: 'https://evil.example' });
      assert.equal(preflight.headers['access-control-allow-origin'], undefined);
    });

    it('a name that was rebound to this machine is refused', async () => {
      const opened = await open(create);
      const rebound = { host: `evil.example:${stack.facilitator.port}` };
      for (const path of [opened.page, `${opened.page}/request`]) {
        assert.equal((await send('GET', path, rebound)).code, 'wrong_place', path);
      }
      const origin = `http://${rebound.host}`;
      const answer = await send('POST', `${opened.page}/answer`, { ...rebound, origin }, {});
      assert.equal(answer.code, 'wrong_place');
      const shown = { ...rebound, authorization: `Bearer ${SECRET}` };
      assert.equal((await send('POST', '/passkeys', shown, create)).code, 'wrong_place');
      await cancel(opened);
    });

    it('under an IP address it redirects to localhost, the only name to which its paths answer', async () => {
      const opened = await open(create);
      const number = { host: `127.0.0.1:${stack.facilitator.port}` };
      const document = await send('GET', opened.page, number);
      assert.equal(document.status, 200);
      assert.match(document.body, /hostname = 'localhost'/);
      assert.equal((await send('GET', `${opened.page}/request`, number)).code, 'wrong_place');
      const origin = `http://${number.host}`;
      const answer = await send('POST', `${opened.page}/answer`, { ...number, origin }, {});
      assert.equal(answer.code, 'wrong_place');
      await cancel(opened);
    });

    it('another site’s POST is refused, even with the token, and changes nothing', async () => {
      const opened = await open(create);
      const origins: Record<string, string>[] = [
        { origin: 'https://evil.example' },
        { origin: 'http://localhost:1' },
        { origin: 'null' },
        {},
        { origin: `http://${host()}`, 'sec-fetch-site': 'cross-site' },
      ];
      for (const headers of origins) {
        for (const act of ['answer', 'decline']) {
          const answer = await send('POST', `${opened.page}/${act}`, headers, {});
          assert.equal(answer.code, 'wrong_place', JSON.stringify(headers));
        }
      }
      assert.equal((await statusOf(opened)).state, 'waiting');
      await cancel(opened);
    });
  });

  describe('the token', () => {
    it('if missing or wrong, gives nothing', async () => {
      assert.equal((await page('GET', '/passkeys/page/')).status, 404);
      assert.equal((await page('GET', '/passkeys/page/none')).status, 404);
      assert.equal((await page('GET', '/passkeys/page/none/request')).code, 'page_not_found');
      const answer = await page(
        'POST',
        '/passkeys/page/none/answer',
        made(softwarePasskey('none')),
      );
      assert.equal(answer.code, 'page_not_found');
    });

    it('can be used once: a second answer is refused', async () => {
      const opened = await open(create);
      const passkey = softwarePasskey('once');
      const first = await page('POST', `${opened.page}/answer`, made(passkey));
      assert.equal((JSON.parse(first.body) as PasskeyStatus).state, 'done', first.body);
      const second = await page('POST', `${opened.page}/answer`, made(passkey));
      assert.deepEqual([second.status, second.code], [410, 'request_over']);
      assert.equal((await page('GET', opened.page)).status, 410);
    });

    it('is valid for five minutes', async () => {
      const opened = await open(create);
      try {
        for (let seconds = 0; seconds < 300; seconds += 20) {
          assert.equal((await statusOf(opened)).state, 'waiting');
          ahead += 20_000;
        }
        ahead += 1_000;
        const late = await page('POST', `${opened.page}/answer`, made(softwarePasskey('late')));
        assert.deepEqual([late.status, late.code], [410, 'request_over']);
        assert.equal((await statusOf(opened)).state, 'expired');
      } finally {
        ahead = 0;
      }
    });

    it('ends when the caller is gone', async () => {
      const opened = await open(create);
      ahead += 31_000;
      try {
        assert.equal((await page('GET', `${opened.page}/request`)).code, 'request_over');
        await cancel(await open(create));
      } finally {
        ahead = 0;
      }
    });

    it('one request at a time; cancelling makes room', async () => {
      const opened = await open(create);
      assert.equal((await program('POST', '/passkeys', create)).code, 'request_pending');
      assert.equal((JSON.parse((await cancel(opened)).body) as PasskeyStatus).state, 'cancelled');
      assert.equal((await page('GET', `${opened.page}/request`)).code, 'request_over');
      const next = await open(create);
      const declined = await page('POST', `${next.page}/decline`, {});
      assert.equal((JSON.parse(declined.body) as PasskeyStatus).state, 'cancelled');
      assert.equal((await statusOf(next)).state, 'cancelled');
    });
  });

  it('is self-contained and cannot be framed', async () => {
    const opened = await open(create);
    const { status, headers, body } = await page('GET', opened.page);
    assert.equal(status, 200);
    const policy = String(headers['content-security-policy']);
    assert.match(
      policy,
      /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+';/,
    );
    assert.match(policy, /connect-src 'self'.*form-action 'none'.*frame-ancestors 'none'/);
    assert.equal(headers['x-frame-options'], 'DENY');
    assert.equal(headers['cache-control'], 'no-store');
    assert.doesNotMatch(body, /\b(src|href)="(?!data:)/);
    await cancel(opened);
  });

  it('is not served without a secret', async () => {
    const other = await startLocalStack({ policyProofRequired: false });
    try {
      const { status } = await fetch(`${other.facilitator.url}/passkeys/page/x`);
      assert.equal(status, 404);
    } finally {
      await other.close();
    }
  });

  describe('[spec: Policy lifecycle/Attach] the calls that a passkey signs', () => {
    /** An account of this passkey with 1 USDC, and a policy of 0.25 USDC a day for its agent. */
    async function limited(name: string, passkey: TestPasskey) {
      const funder = await openPayer(stack);
      const chain = new Chain(stack, funder);
      const wallet = await AgentWallet.open(chain, name, passkey);
      const [from, to] = [funder.address, wallet.id].map((one) =>
        xdr.ScVal.scvAddress(toScAddress(one)),
      );
      assert.ok(from && to);
      await chain.call(USDC, 'transfer', [from, to, toI128(10_000_000n)]);
      const policy = await wallet.limit(undefined, 2_500_000n, 86_400n);
      await wallet.attach(policy);
      await wallet.grant([USDC], [policy]);
      return { chain, wallet, policy };
    }

    it('creates an account, attaches a policy, adds a key under it, and revokes it', async () => {
      const chain = new Chain(stack, await openPayer(stack));
      const passkey = softwarePasskey('owner');
      const wallet = await account(passkey);
      const generated = await fetch(`${stack.facilitator.url}/policies/generate`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          version: '1',
          type: 'spending_limit',
          owners: [wallet],
          spendingLimits: { daily: [{ asset: USDC, amount: '0.25' }] },
        }),
      });
      const { id, contract } = (await generated.json()) as GeneratedPolicy;
      const contractId = contract?.contractId ?? assert.fail();
      const attach = { kind: 'attach', policyId: id, keyId: text(passkey.keyId) };
      assert.equal((await program('POST', '/passkeys', attach)).code, 'not_deployed');
      await fetch(`${stack.facilitator.url}/policies/${id}/deploy-instance`, { method: 'POST' });

      const opened = await open(attach);
      const shown = await requestOf(opened);
      assert.deepEqual(shown.facts.slice(0, 4), [
        { name: 'Account', value: wallet },
        { name: 'Policy', value: contractId },
        { name: 'Token', value: `USDC (${USDC})` },
        { name: 'Cap', value: '0.25 USDC in 24 hours' },
      ]);
      assert.ok(shown.groups.some(({ items }) => items.some((item) => /up to 0\.5 /.test(item))));
      assert.equal(shown.keyId, text(passkey.keyId));
      const said = await page('POST', `${opened.page}/answer`, await sign(passkey, opened));
      const attached = JSON.parse(said.body) as PasskeyStatus;
      assert.equal(attached.state, 'done', said.body);
      assert.equal(attached.outcome?.unrecorded, null);
      assert.deepEqual(await chain.ask(wallet, 'policies'), [contractId]);

      const kept = await fetch(`${stack.facilitator.url}/policies/wallets/${wallet}`);
      const { policies } = (await kept.json()) as { policies: readonly WalletPolicyRecord[] };
      assert.deepEqual(
        policies.map(({ policy, attachTxHash }) => [policy.id, policy.state, attachTxHash]),
        [[id, 'recorded', attached.outcome?.transaction]],
      );

      const again = await program('POST', '/passkeys', attach);
      assert.equal(again.code, 'call_refused');
      assert.match(again.body, /already has this signer \(#101\)/);

      const agent = Keypair.random().publicKey();
      const addAgent = {
        kind: 'add_agent',
        wallet,
        agent,
        contracts: [USDC],
        policies: [contractId],
      };
      const added = await answered(addAgent, (request) => sign(passkey, request));
      assert.equal(added.state, 'done', added.problem?.message);

      const revoke = { kind: 'revoke', wallet, policy: contractId };
      const revoked = await answered(revoke, (request) => sign(passkey, request));
      assert.equal(revoked.state, 'done', revoked.problem?.message);
      assert.deepEqual(await chain.ask(wallet, 'policies'), []);
    });

    it('changes the limits of a policy: what was spent stays spent, and the page shows both', async () => {
      const passkey = softwarePasskey('changing');
      const { chain, wallet, policy } = await limited('changing', passkey);
      const { address: payTo } = await openSeller(stack);
      const spend = async (amount: bigint): Promise<unknown> => {
        const payment = await wallet.exactPayment(payTo, amount);
        const { body } = await send('POST', '/settle', {}, payment);
        return (JSON.parse(body) as { success: unknown }).success;
      };
      assert.equal(await spend(1_000_000n), true);
      const definition = {
        version: '1',
        type: 'spending_limit',
        owners: [wallet.id],
        spendingLimits: { weekly: [{ asset: USDC, amount: '0.15' }] },
        maxPayments: 9,
        sliding: true,
        perPayment: '0.1',
      };
      const task = { kind: 'change_limits', policy, definition };

      const opened = await open(task);
      const { title, facts, groups } = await requestOf(opened);
      assert.equal(
        title,
        'Change a spending limit: At most 0.15 USDC in any 7 days, in at most 9 payments',
      );
      assert.deepEqual(facts, [
        { name: 'Account', value: wallet.id },
        { name: 'Policy', value: policy },
        { name: 'Token', value: `USDC (${USDC})` },
        { name: 'Limits now', value: '0.25 USDC in 24 hours' },
        { name: 'New limits', value: '0.15 USDC in any 7 days, in at most 9 payments' },
        { name: 'Call', value: 'change_limits, on the policy' },
      ]);
      const items = groups.flatMap((group) => group.items);
      assert.ok(items.includes('Paying more than 0.1 of it in one payment.'), items.join());
      assert.match(items.join(), /Past spending still counts\./);
      const stranger = await page(
        'POST',
        `${opened.page}/answer`,
        await sign(softwarePasskey('no owner'), opened),
      );
      const refused = JSON.parse(stranger.body) as PasskeyStatus;
      assert.equal(refused.problem?.code, 'signature_refused');

      const changed = await answered(task, (request) => sign(passkey, request));
      assert.equal(changed.state, 'done', changed.problem?.message);
      assert.equal(changed.outcome?.wallet, wallet.id);
      const { limit, spent, remaining } = await chain.budget(policy);
      assert.deepEqual([limit, spent, remaining], [1_500_000n, 1_000_000n, 500_000n]);
      assert.equal(await spend(500_001n), false);
      assert.equal(await spend(500_000n), true);
    });

    it('refuses new limits for another policy, before anybody is prompted', async () => {
      const { wallet, policy } = await limited('strict', softwarePasskey('strict'));
      const definition = {
        version: '1',
        type: 'spending_limit',
        owners: [wallet.id],
        spendingLimits: { daily: [{ asset: USDC, amount: '1' }] },
      };
      const cases: readonly [task: object, code: string, detail: RegExp][] = [
        [{ policy: USDC, definition }, 'call_refused', /not a spending limit/],
        [{ policy: wallet.id, definition }, 'call_refused', /not a spending limit/],
        [{ policy, definition: { ...definition, owners: [USDC] } }, 'call_refused', /account/],
        [
          { policy, definition: { ...definition, spendingLimits: { dailyXlm: '1' } } },
          'call_refused',
          /asset/,
        ],
        [
          { policy, definition: { ...definition, perPayment: '2' } },
          'malformed_request',
          /perPayment: It must not exceed the limit/,
        ],
        [
          { policy, definition: { version: '1', type: 'verified_only', owners: [wallet.id] } },
          'malformed_request',
          /registry/,
        ],
        [
          {
            policy,
            definition: {
              version: '1',
              type: 'verified_only',
              owners: [wallet.id],
              registry: USDC,
            },
          },
          'malformed_request',
          /spending_limit/,
        ],
        [
          { policy, definition: { ...definition, agent: Keypair.random().publicKey() } },
          'malformed_request',
          /agent/,
        ],
        [{ policy: 'C', definition }, 'malformed_request', /not a contract/],
      ];
      for (const [task, code, detail] of cases) {
        const answer = await program('POST', '/passkeys', { kind: 'change_limits', ...task });
        assert.equal(answer.code, code, answer.body);
        assert.match((JSON.parse(answer.body) as { detail: string }).detail, detail);
      }
      // Equal limits would spend a prompt on nothing.
      const same = {
        ...definition,
        spendingLimits: { daily: [{ asset: USDC, amount: '0.25' }] },
      };
      const answer = await program('POST', '/passkeys', {
        kind: 'change_limits',
        policy,
        definition: same,
      });
      assert.equal(answer.code, 'call_refused', answer.body);
    });

    it('if a proof of control is required, the page provides it for the deployment; accounts are created elsewhere', async () => {
      const lenient = stack;
      stack = await startLocalStack({ passkeyToken: SECRET, rateLimitPerMinute: 60 });
      try {
        assert.equal((await program('POST', '/passkeys', create)).code, 'accounts_elsewhere');
        const passkey = softwarePasskey('proving');
        const chain = new Chain(stack, await openPayer(stack));
        const { id: wallet } = await AgentWallet.open(chain, 'proving', passkey);
        const generated = await fetch(`${stack.facilitator.url}/policies/generate`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            version: '1',
            type: 'spending_limit',
            owners: [wallet],
            spendingLimits: { dailyXlm: '1' },
          }),
        });
        const { id, contract } = (await generated.json()) as GeneratedPolicy;
        const deploy = await fetch(`${stack.facilitator.url}/policies/${id}/deploy-instance`, {
          method: 'POST',
        });
        assert.equal(((await deploy.json()) as { code: string }).code, 'proof_required');

        const stranger = softwarePasskey('not proving');
        const task = { kind: 'deploy', policyId: id };
        const refused = await answered(task, (opened) => sign(stranger, opened));
        assert.equal(refused.problem?.code, 'signature_refused');
        const deployed = await answered(task, (opened) => sign(passkey, opened));
        assert.equal(deployed.state, 'done', deployed.problem?.message);
        assert.match(deployed.outcome?.transaction ?? '', /^[0-9a-f]{64}$/);
        const attach = { kind: 'attach', policyId: id };
        // An editor polls all the time, and the rate limit of strangers does not apply to it.
        const waiting = await open(attach);
        for (let looks = 0; looks < 70; looks += 1) {
          assert.equal((await statusOf(waiting)).state, 'waiting');
        }
        await cancel(waiting);
        const attached = await answered(attach, (opened) => sign(passkey, opened));
        assert.equal(attached.state, 'done', attached.problem?.message);
        assert.deepEqual(await chain.ask(wallet, 'policies'), [contract?.contractId]);
      } finally {
        await stack.close();
        stack = lenient;
      }
    });

    it('a passkey that does not own the account, and a signature over something else, change nothing', async () => {
      const owner = softwarePasskey('right');
      const wallet = await account(owner);
      const policies: [string, (opened: PasskeyOpened) => Promise<unknown>, RegExp][] = [
        [
          'a stranger',
          (opened) => sign(softwarePasskey('stranger'), opened),
          /not a signer of the account/,
        ],
        [
          'another challenge',
          async () => ({
            kind: 'signed',
            keyId: text(owner.keyId),
            ...Object.fromEntries(
              Object.entries(await owner.assert(new Uint8Array(32))).map(([name, value]) => [
                name,
                text(value as Uint8Array),
              ]),
            ),
          }),
          /signed a different challenge/,
        ],
      ];
      const agent = Keypair.random().publicKey();
      const task = { kind: 'add_agent', wallet, agent, contracts: [USDC], policies: [USDC] };
      for (const [name, answer, expected] of policies) {
        const { state, problem } = await answered(task, answer);
        assert.deepEqual([state, problem?.code], ['failed', 'signature_refused'], name);
        assert.match(problem?.message ?? '', expected);
      }
    });

    it('a task that cannot work is reported before anybody is prompted', async () => {
      const wallet = await account(softwarePasskey('early'));
      const revoke = { kind: 'revoke', wallet, policy: USDC };
      const answer = await program('POST', '/passkeys', revoke);
      assert.equal(answer.code, 'call_refused');
      assert.equal(
        (await program('POST', '/passkeys', { kind: 'attach', policyId: 'pol_x' })).code,
        'policy_not_found',
      );
      assert.equal(
        (await program('POST', '/passkeys', { kind: 'other' })).code,
        'malformed_request',
      );
    });
  });
});
