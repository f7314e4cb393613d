import { window } from 'vscode';
import { type ContractAddress, USDC_CONTRACT, XLM_CONTRACT } from '../../protocol/index.ts';
import type {
  PolicyDefinition,
  PolicyTemplate,
  ValidationResult,
} from '../../protocol/policies/index.ts';
import {
  askLimits,
  type LimitAnswer,
  type LimitStep,
  whatIsWrongWithAnswer,
  whatIsWrongWithCap,
  whatIsWrongWithContract,
  whatIsWrongWithCount,
} from '../policies/index.ts';
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
async function askLimitStep(title: string, step: LimitStep): Promise<LimitAnswer> {
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

const TITLE = later('Create a spending policy');

/**
 * Asks for everything that a definition needs; `undefined` if the user cancelled.
 * @param validate returns what the gateway finds wrong with a definition
 */
export async function askDefinition(
  wallet: ContractAddress,
  templates: readonly PolicyTemplate[],
  validate: (definition: PolicyDefinition) => Promise<ValidationResult>,
): Promise<PolicyDefinition | undefined> {
  const picked = await window.showQuickPick(
    templates.map((template) => ({
      label: template.title,
      description: template.description,
      detail: t('Enforced by: {0}', template.enforcementLabel),
      type: template.type,
    })),
    { title: t(TITLE), placeHolder: t('What it should limit'), ignoreFocusOut: true },
  );
  const common = { version: '1', owners: [wallet] } as const;
  switch (picked?.type) {
    case 'spending_limit': {
      const token = await askToken(t(TITLE));
      if (token === undefined) return undefined;
      const unit = token.name ?? t('the token');
      const amount = await askCap(unit);
      if (amount === undefined) return undefined;
      const span = await askWindow();
      const maxPayments = span && (await askMaxPayments());
      if (span === undefined || maxPayments === undefined) return undefined;
      return {
        ...{ ...common, type: 'spending_limit' },
        spendingLimits: { [span.member]: [{ asset: token.contract, amount }] },
        ...(span.sliding ? { sliding: true } : {}),
        ...(maxPayments === '' ? {} : { maxPayments: Number(maxPayments) }),
      };
    }
    case 'verified_only': {
      const registry = await askContract(
        t(TITLE),
        t('Attestation registry (C…) that decides who is verified'),
      );
      return registry === undefined ? undefined : { ...common, type: 'verified_only', registry };
    }
    case 'multisig':
    case 'allow_list': {
      const definition = await askLimits(picked.type, wallet, {
        ask: (step) => askLimitStep(`${t(TITLE)}: ${picked.label}`, step),
        validate: async (typed) => (await validate(typed)).problems,
      });
      // Going back from the first question leads to the templates.
      return definition === 'back' ? askDefinition(wallet, templates, validate) : definition;
    }
    default:
      return undefined;
  }
}

export interface Token {
  readonly contract: string;
  /** `undefined` for a contract without a known name. */
  readonly name: string | undefined;
}

/** Asks for a token. */
export async function askToken(title: string): Promise<Token | undefined> {
  const other = t('Another token…');
  const picked = await window.showQuickPick(
    [
      { label: 'USDC', description: USDC_CONTRACT, contract: USDC_CONTRACT },
      { label: 'XLM', description: XLM_CONTRACT, contract: XLM_CONTRACT },
      {
        label: other,
        description: t('a SEP-41 token with 7 decimals, identified by its contract'),
        contract: '',
      },
    ],
    { title, placeHolder: t('Token'), ignoreFocusOut: true },
  );
  if (picked === undefined) return undefined;
  if (picked.label !== other) return { contract: picked.contract, name: picked.label };
  const contract = await askContract(title, t('Token contract (C…)'));
  return contract === undefined ? undefined : { contract, name: undefined };
}

async function askCap(unit: string): Promise<string | undefined> {
  const amount = await window.showInputBox({
    title: t(TITLE),
    prompt: t('Maximum amount of {0} per window', unit),
    placeHolder: '10',
    ignoreFocusOut: true,
    validateInput: (text) => whatIsWrongWithCap(text, unit),
  });
  return amount?.trim();
}

const FIXED = later('around its end, up to twice the cap can move in a short time');
const SLIDES = later('the window slides: no period of that length can exceed the cap');

/** Asks for the window; `undefined` when the user cancelled. */
function askWindow() {
  return window.showQuickPick(
    [
      { label: t('In 24 Hours'), description: t(FIXED), member: 'daily', sliding: false },
      { label: t('In 7 Days'), description: t(FIXED), member: 'weekly', sliding: false },
      { label: t('In 30 Days'), description: t(FIXED), member: 'monthly', sliding: false },
      { label: t('In Any 24 Hours'), description: t(SLIDES), member: 'daily', sliding: true },
      { label: t('In Any 7 Days'), description: t(SLIDES), member: 'weekly', sliding: true },
      { label: t('In Any 30 Days'), description: t(SLIDES), member: 'monthly', sliding: true },
    ] as const,
    { title: t(TITLE), placeHolder: t('Window'), ignoreFocusOut: true },
  );
}

/** Asks for a number of payments, as text; `undefined` when the user cancelled. */
async function askMaxPayments(): Promise<string | undefined> {
  const count = await window.showInputBox({
    title: t(TITLE),
    prompt: t('Maximum number of payments per window. Leave empty for no limit.'),
    ignoreFocusOut: true,
    validateInput: whatIsWrongWithCount,
  });
  return count?.trim();
}

/** Asks for the address of a contract. */
export async function askContract(
  title: string,
  prompt: string,
  value = '',
): Promise<string | undefined> {
  const address = await window.showInputBox({
    title,
    prompt,
    value,
    ignoreFocusOut: true,
    validateInput: whatIsWrongWithContract,
  });
  return address?.trim();
}
