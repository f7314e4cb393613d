import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { encodeStrKey, USDC_CONTRACT, XLM_CONTRACT } from '../../protocol/index.ts';
import type { DefinitionProblem } from '../../protocol/policies/index.ts';
import {
  askLimits,
  type LimitAnswer,
  type LimitDefinition,
  type LimitStep,
  type LimitType,
  whatIsWrongWithAnswer,
} from './limitForm.ts';

const key = (seed: number) => encodeStrKey('account', new Uint8Array(32).fill(seed));
const contract = (seed: number) => encodeStrKey('contract', new Uint8Array(32).fill(seed));
const [WALLET, OTHER] = [contract(1), contract(2)];

/** Fills the form in with these answers, in turn, and returns what was asked. */
async function fill(
  type: LimitType,
  replies: readonly LimitAnswer[],
  ...verdicts: readonly (readonly DefinitionProblem[])[]
) {
  const asked: LimitStep[] = [];
  const validated: LimitDefinition[] = [];
  const result = await askLimits(type, WALLET, {
    async ask(step) {
      asked.push(step);
      assert.ok(asked.length <= replies.length, `nobody answers ${step.question}`);
      return replies[asked.length - 1];
    },
    async validate(definition) {
      validated.push(definition);
      return verdicts[validated.length - 1] ?? [];
    },
  });
  const steps = asked.map(({ question, step, totalSteps }) => `${question} ${step}/${totalSteps}`);
  return { result, asked, steps, validated };
}

const signer = { signer: ` ${key(3)} ` };
const usdc = { contracts: [USDC_CONTRACT], more: false };
const problem = (path: string): DefinitionProblem => ({ path, code: 'repeated', message: path });

describe('[spec: Policy gateway/Signer limits] the form for a key’s limits', () => {
  it('for an allow-list asks for the key and the contracts', async () => {
    const { result, steps, validated } = await fill('allow_list', [signer, usdc]);
    const definition = {
      version: '1',
      type: 'allow_list',
      owners: [WALLET],
      signer: key(3),
      contracts: [USDC_CONTRACT],
    };
    assert.deepEqual(steps, ['signer 1/2', 'contracts 2/2']);
    assert.deepEqual(result, definition);
    // Whatever was judged while it was typed, the gateway has the last word.
    assert.deepEqual(validated, [definition]);
  });

  it('for several signatures also asks for the other keys', async () => {
    const coSigners = { coSigners: `${key(4)}, ${key(5)}\n` };
    const { result, steps } = await fill('multisig', [signer, usdc, coSigners]);
    assert.deepEqual(steps, ['signer 1/3', 'contracts 2/3', 'coSigners 3/3']);
    assert.deepEqual(result, {
      version: '1',
      type: 'multisig',
      owners: [WALLET],
      signer: key(3),
      contracts: [USDC_CONTRACT],
      coSigners: [key(4), key(5)],
    });
  });

  it('asks for other contracts in a separate step, and takes each once', async () => {
    const more = { contracts: [USDC_CONTRACT, XLM_CONTRACT], more: true };
    const others = { others: `${OTHER} ${USDC_CONTRACT}` };
    const { result, steps } = await fill('allow_list', [signer, more, others]);
    assert.deepEqual(steps, ['signer 1/2', 'contracts 2/2', 'others 3/3']);
    assert.ok(result && result !== 'back');
    assert.deepEqual(result.contracts, [USDC_CONTRACT, XLM_CONTRACT, OTHER]);
  });

  it('discards typed contracts if no others are wanted any more', async () => {
    const more = { ...usdc, more: true };
    const replies = [signer, more, 'back', usdc] as const;
    const { result } = await fill('allow_list', [...replies]);
    assert.ok(result && result !== 'back');
    assert.deepEqual(result.contracts, [USDC_CONTRACT]);
  });

  it('goes back with the answers, closes before the first question, and ends when cancelled', async () => {
    const { asked, steps, result } = await fill('allow_list', [signer, 'back', 'back']);
    assert.deepEqual(steps, ['signer 1/2', 'contracts 2/2', 'signer 1/2']);
    assert.equal(asked[2]?.answers.signer, signer.signer);
    assert.equal(result, 'back');
    assert.equal((await fill('multisig', [signer, undefined])).result, undefined);
  });

  it('shows the gateway’s problems at the questions that they are about, once', async () => {
    const more = { contracts: [USDC_CONTRACT], more: true };
    const coSigners = { coSigners: key(4) };
    const replies = [signer, more, { others: OTHER }, coSigners];
    const places: [string, string][] = [
      ['/signer', 'signer 1/4'],
      ['/contracts', 'contracts 2/4'],
      ['/contracts/0', 'contracts 2/4'],
      ['/contracts/1', 'others 3/4'],
      ['/coSigners/0', 'coSigners 4/4'],
    ];
    for (const [path, place] of places) {
      const { asked, steps } = await fill('multisig', [...replies, undefined], [problem(path)]);
      assert.equal(steps[4], place);
      assert.equal(asked[4]?.problem, path);
    }
    const again = await fill('multisig', [...replies, coSigners], [problem('/coSigners/0')]);
    assert.ok(again.result && again.result !== 'back');
    assert.equal(again.validated.length, 2);
    const stays = [...replies, signer, more, undefined];
    const { asked } = await fill('multisig', stays, [problem('/signer')]);
    assert.deepEqual(
      asked.slice(4).map((step) => step.problem),
      ['/signer', undefined, undefined],
    );
  });

  it('a problem that belongs to no question is shown unchanged', async () => {
    await assert.rejects(
      fill('allow_list', [signer, usdc], [problem('/owners/0')]),
      /^Error: \/owners\/0: /,
    );
  });
});

describe('[spec: Policy gateway/Signer limits] answers in that form are checked as they are typed', () => {
  const answers = { signer: key(3), contracts: [], more: true, others: '', coSigners: '' };
  const wrong = (question: 'signer' | 'others' | 'coSigners', text: string) =>
    whatIsWrongWithAnswer(question, text, answers) ?? '';

  it('a key by its checksum, and no secret', () => {
    assert.equal(wrong('signer', key(3)), '');
    assert.match(wrong('signer', `S${'A'.repeat(55)}`), /SECRET/);
    assert.match(wrong('signer', USDC_CONTRACT), /contract/);
  });

  it('several, separated by blanks, commas or lines, each with its number', () => {
    assert.equal(wrong('others', `${OTHER}, ${USDC_CONTRACT}\n`), '');
    assert.match(wrong('others', ' '), /^Enter one or more contracts/);
    assert.match(wrong('others', `${OTHER} C`), /^2: A contract address/);
    assert.match(wrong('others', `${OTHER} ${OTHER}`), /^2: it is listed twice/);
    assert.match(wrong('coSigners', `${key(4)} ${OTHER}`), /^2: This is a contract/);
  });

  it('no more than the account allows, and never the limited key itself', () => {
    const keys = [4, 5, 6, 7, 8].map(key).join(' ');
    assert.equal(wrong('coSigners', keys), '');
    assert.match(wrong('coSigners', `${keys} ${key(9)}`), /at most 5/);
    assert.match(wrong('coSigners', key(3)), /itself/);
    assert.match(wrong('coSigners', ''), /must also sign/);
  });
});
