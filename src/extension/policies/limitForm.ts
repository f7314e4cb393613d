import type {
  AllowListDefinition,
  DefinitionProblem,
  MultisigDefinition,
  PolicyType,
} from '../../protocol/policies/index.ts';
import { t } from '../words/index.ts';
import { whatIsWrongWithContract, whatIsWrongWithKey } from './capProblem.ts';

/** Templates for limits of one key, which the account itself enforces. */
export type LimitType = Extract<PolicyType, 'multisig' | 'allow_list'>;

/** `others`: contracts that the user types because they are not offered. */
export type LimitQuestion = 'signer' | 'contracts' | 'others' | 'coSigners';

/** The answers so far, as typed. */
export interface LimitAnswers {
  readonly signer: string;
  /** Contracts picked from those offered. */
  readonly contracts: readonly string[];
  /** Whether the user wants to type other contracts. */
  readonly more: boolean;
  readonly others: string;
  readonly coSigners: string;
}

/** One question with its position among all, and the problem with its answer, if any. */
export interface LimitStep {
  readonly question: LimitQuestion;
  /** From 1. */
  readonly step: number;
  readonly totalSteps: number;
  readonly answers: LimitAnswers;
  /** The problem that the gateway found; `undefined` if there is none. */
  readonly problem: string | undefined;
}

/** The changed answers, one step back, or `undefined` when the user cancelled. */
export type LimitAnswer = Partial<LimitAnswers> | 'back' | undefined;

export interface LimitFormParts {
  ask(step: LimitStep): Promise<LimitAnswer>;
  /** A problem that the gateway finds in a definition. */
  validate(definition: LimitDefinition): Promise<readonly DefinitionProblem[]>;
}

export type LimitDefinition = MultisigDefinition | AllowListDefinition;

const UNANSWERED: LimitAnswers = {
  signer: '',
  contracts: [],
  more: false,
  others: '',
  coSigners: '',
};

/** The gateway's limits. */
const MOST: Readonly<Record<'others' | 'coSigners', number>> = { others: 20, coSigners: 5 };

/**
 * Asks for everything that the definition of a key's limits needs, one question at a time. Each problem that the gateway finds
 * is shown at its question.
 * @returns `back` if the user went back from the first question, `undefined` if the user cancelled
 * @throws Error for a problem that belongs to no question
 */
export async function askLimits(
  type: LimitType,
  wallet: string,
  { ask, validate }: LimitFormParts,
): Promise<LimitDefinition | 'back' | undefined> {
  let answers = UNANSWERED;
  let problem: string | undefined;
  for (let at = 0; at >= 0; ) {
    const questions = questionsOf(type, answers);
    const question = questions[at];
    if (question === undefined) {
      const definition = definitionOf(type, wallet, answers);
      const [first] = await validate(definition);
      if (first === undefined) return definition;
      const place = questionAt(first.path, answers);
      if (place === undefined)
        throw new Error(`${first.path || t('The definition')}: ${first.message}`);
      problem = first.message;
      at = questions.indexOf(place);
      continue;
    }
    const step = { question, step: at + 1, totalSteps: questions.length, answers, problem };
    const answer = await ask(step);
    problem = undefined;
    if (answer === undefined) return undefined;
    if (answer === 'back') at -= 1;
    else {
      answers = { ...answers, ...answer };
      at += 1;
    }
  }
  return 'back';
}

function questionsOf(type: LimitType, { more }: LimitAnswers): readonly LimitQuestion[] {
  return [
    'signer',
    'contracts',
    ...(more ? (['others'] as const) : []),
    ...(type === 'multisig' ? (['coSigners'] as const) : []),
  ];
}

function definitionOf(type: LimitType, wallet: string, answers: LimitAnswers): LimitDefinition {
  const common = {
    version: '1',
    owners: [wallet],
    signer: answers.signer.trim(),
    contracts: contractsOf(answers),
  } as const;
  return type === 'allow_list'
    ? { ...common, type }
    : { ...common, type, coSigners: listed(answers.coSigners) };
}

/** A contract that is both picked and typed appears once. */
function contractsOf({ contracts, more, others }: LimitAnswers): readonly string[] {
  return [...new Set([...contracts, ...(more ? listed(others) : [])])];
}

/** Pasted addresses, separated by commas, semicolons or spaces. */
function listed(text: string): readonly string[] {
  return text.split(/[\s,;]+/).filter((part) => part !== '');
}

/** The question that a problem's location (a JSON pointer) belongs to. */
function questionAt(path: string, answers: LimitAnswers): LimitQuestion | undefined {
  const [, member, index] = path.split('/');
  switch (member) {
    case 'signer':
    case 'coSigners':
      return member;
    case 'contracts':
      return answers.more && Number(index) >= answers.contracts.length ? 'others' : 'contracts';
    default:
      return undefined;
  }
}

/** Returns what is wrong with a typed answer; `undefined` for a valid one. */
export function whatIsWrongWithAnswer(
  question: Exclude<LimitQuestion, 'contracts'>,
  text: string,
  { signer }: LimitAnswers,
): string | undefined {
  if (question === 'signer') return whatIsWrongWithKey(text);
  const items = listed(text);
  if (items.length === 0) {
    return question === 'others'
      ? t('Enter one or more contracts (C…), separated by spaces.')
      : t('Enter one or more public keys (G…) that must also sign, separated by spaces.');
  }
  if (items.length > MOST[question]) return t('Enter at most {0}.', MOST[question]);
  for (const [index, item] of items.entries()) {
    const number = items.length === 1 ? '' : `${index + 1}: `;
    if (items.indexOf(item) !== index) return `${number}${t('it is listed twice.')}`;
    if (question === 'coSigners' && item === signer.trim()) {
      return `${number}${t('this is the limited key itself; a different key must also sign.')}`;
    }
    const wrong = question === 'others' ? whatIsWrongWithContract(item) : whatIsWrongWithKey(item);
    if (wrong !== undefined) return `${number}${wrong}`;
  }
  return undefined;
}
