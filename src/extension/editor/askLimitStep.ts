import { USDC_CONTRACT, XLM_CONTRACT } from '../../protocol/index.ts';
import { type LimitAnswer, type LimitStep, whatIsWrongWithAnswer } from '../policies/index.ts';
import { later, t } from '../words/index.ts';
import { askSome, askText } from './stepInput.ts';

const PROMPTS = {
  signer: later(
    "Public key to limit (G…). It doesn't have to be an account. The secret stays with its holder.",
  ),
  others: later('Contracts that it may call (C…), separated by spaces'),
  coSigners: later(
    'Up to 5 public keys (G…) that must all also sign, separated by spaces. An owner among them can act alone.',
  ),
} as const;

const OFFERED = [
  { label: 'USDC', description: USDC_CONTRACT, contract: USDC_CONTRACT },
  { label: 'XLM', description: XLM_CONTRACT, contract: XLM_CONTRACT },
  {
    label: later('Other contracts…'),
    description: later('by address'),
    contract: undefined,
  },
] as const;

/** Asks one question of the form for a key's limits. */
export async function askLimitStep(title: string, step: LimitStep): Promise<LimitAnswer> {
  const { question, answers } = step;
  if (question === 'contracts') {
    const placeHolder = t(
      'What the key may call. It can send any amount of an asset listed here to anyone.',
    );
    const before = OFFERED.filter(({ contract }) =>
      contract === undefined ? answers.more : answers.contracts.includes(contract),
    );
    const picked = await askSome({ ...step, title, placeHolder }, OFFERED, before);
    if (picked === undefined || picked === 'back') return picked;
    const contracts = picked.flatMap(({ contract }) => contract ?? []);
    return { contracts, more: contracts.length < picked.length };
  }
  const answer = await askText(
    { ...step, title, prompt: t(PROMPTS[question]), value: answers[question] },
    (text) => whatIsWrongWithAnswer(question, text, answers),
  );
  return answer === undefined || answer === 'back' ? answer : { [question]: answer.text };
}
