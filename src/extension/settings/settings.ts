import {
  type AccountAddress,
  type ContractAddress,
  formatDecimalAmount,
  parseAccountAddress,
  parseContractAddress,
  parseDecimalAmount,
} from '../../protocol/index.ts';
import { t } from '../words/index.ts';

export type NetworkChoice = 'local' | 'testnet';
export type McpChoice = 'ask' | 'on' | 'off';

/** The settings in use. A missing or invalid one is `undefined`; `problems` lists what is wrong. */
export interface Settings {
  readonly network: NetworkChoice;
  /** As written, so that the wallet view can distinguish an invalid address from a missing one. */
  readonly payToText: string;
  readonly payTo: AccountAddress | undefined;
  readonly notifyOnEveryPayment: boolean;
  readonly facilitatorUrl: string | undefined;
  readonly policyGatewayUrl: string | undefined;
  readonly rpcUrl: string | undefined;
  readonly horizonUrl: string | undefined;
  readonly explorerUrl: string | undefined;
  readonly smartAccount: ContractAddress | undefined;
  readonly defaultPrice: string;
  readonly dataFolder: string | undefined;
  /** Port of the local facilitator; `undefined` keeps the previous one. */
  readonly facilitatorPort: number | undefined;
  /** Whether terminals and debug sessions receive the facilitator's address. */
  readonly terminalEnvironment: boolean;
  readonly nodePath: string | undefined;
  readonly mcp: McpChoice;
  /** Key file with which agents in this editor may pay; `undefined`: they may not. */
  readonly agentKeyFile: string | undefined;
  readonly codeLens: boolean;
  readonly codeActions: boolean;
  readonly contextMenu: boolean;
  readonly problems: readonly SettingProblem[];
}

export interface SettingProblem {
  /** Name of the setting without `svc-x402.`. */
  readonly name: string;
  readonly message: string;
}

export const DEFAULT_PRICE = '0.01';

/** Reads the settings. @param get returns the value of `svc-x402.<name>` */
export function readSettings(get: (name: string) => unknown): Settings {
  const problems: SettingProblem[] = [];
  const text = (name: string): string => {
    const value = get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
  const problem = (name: string, message: string): undefined => {
    problems.push({ name, message });
    return undefined;
  };
  const url = (name: string): string | undefined => {
    const value = text(name);
    if (value === '') return undefined;
    return readUrl(value) ?? problem(name, t('{0} is not an http or https address.', value));
  };
  const oneOf = <T extends string>(name: string, choices: readonly [T, ...T[]]): T => {
    const value = text(name);
    const found = choices.find((choice) => choice === value);
    if (found === undefined && value !== '')
      problem(name, t('{0} is not {1}.', value, choices.join(', ')));
    return found ?? choices[0];
  };
  const port = (name: string): number | undefined => {
    const value = get(name);
    if (value === undefined || value === null || value === 0) return undefined;
    if (typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 65_536) {
      return value;
    }
    return problem(name, t('{0} is not a port. Use 1 to 65535, or 0.', String(value)));
  };
  const payToText = text('payToAddress');
  const smartAccountText = text('smartAccount');
  const price = text('defaultPrice') || DEFAULT_PRICE;
  const priceProblem = whatIsWrongWithPrice(price);
  if (priceProblem) problem('defaultPrice', priceProblem);

  return {
    network: oneOf('network', ['local', 'testnet']),
    payToText,
    payTo:
      payToText === ''
        ? undefined
        : (parseAccountAddress(payToText) ??
          problem('payToAddress', whatIsWrongWithAddress(payToText))),
    notifyOnEveryPayment: get('notifyOnEveryPayment') === true,
    facilitatorUrl: url('facilitatorUrl'),
    policyGatewayUrl: url('policyGatewayUrl'),
    rpcUrl: url('rpcUrl'),
    horizonUrl: url('horizonUrl'),
    explorerUrl: url('explorerUrl'),
    smartAccount:
      smartAccountText === ''
        ? undefined
        : (parseContractAddress(smartAccountText) ??
          problem('smartAccount', t('This is not a contract address (C…) with a valid checksum.'))),
    defaultPrice: priceProblem ? DEFAULT_PRICE : price,
    dataFolder: text('dataFolder') || undefined,
    facilitatorPort: port('facilitatorPort'),
    terminalEnvironment: get('terminalEnvironment') !== false,
    nodePath: text('nodePath') || undefined,
    mcp: oneOf('mcp', ['ask', 'on', 'off']),
    agentKeyFile: text('agentKeyFile') || undefined,
    codeLens: get('codeLens') !== false,
    codeActions: get('codeActions') !== false,
    contextMenu: get('contextMenu') !== false,
    problems,
  };
}

/** Explains what is wrong with a classic address and how to fix it. */
export function whatIsWrongWithAddress(text: string): string {
  if (/^C[A-Z2-7]{55}$/.test(text))
    return t('This is a contract (C…); a classic account (G…) is required.');
  if (/^S[A-Z2-7]{55}$/.test(text)) {
    return t('This is a SECRET key (S…). Remove it and enter the address (G…) that belongs to it.');
  }
  if (/^M[A-Z2-7]{68}$/.test(text))
    return t('Muxed addresses (M…) cannot be paid. Enter the G… address.');
  if (!/^G[A-Z2-7]{55}$/.test(text))
    return t('An account address is G followed by 55 characters (A–Z, 2–7).');
  return t('This address has an invalid checksum: a character is wrong or missing.');
}

/** Balances of Stellar assets are 64-bit, so nobody can pay more at once. */
const MAX_AMOUNT = 2n ** 63n - 1n;

/** Returns what is wrong with a price in USDC; `undefined` for a valid one (spec: Decimals). */
export function whatIsWrongWithPrice(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return t('Enter a price in USDC, such as 0.01.');
  if (/^\d*\.\d{8,}$/.test(trimmed)) {
    return t('A price has at most 7 decimal places.');
  }
  const amount = parseDecimalAmount(trimmed);
  if (amount === undefined) return t('Enter a decimal number with a point, such as 0.01.');
  if (amount === 0n) return t('The price must be greater than zero.');
  return amount > MAX_AMOUNT
    ? t('No account can hold more than {0} USDC.', formatDecimalAmount(MAX_AMOUNT))
    : undefined;
}

/** 100 USDC: no request costs that much by intention alone, and a test payment pays no more. */
const MAX_USUAL_PRICE = 100n * 10n ** 7n;

/** What to confirm about a valid price; `undefined` for a usual one. */
export function whatIsUnusualAboutPrice(text: string): string | undefined {
  const amount = parseDecimalAmount(text.trim());
  return amount === undefined || amount <= MAX_USUAL_PRICE
    ? undefined
    : t(
        'Each request would cost {0} USDC. Press Enter again if you mean that.',
        formatDecimalAmount(amount),
      );
}

/** An http or https address without a trailing slash. */
function readUrl(text: string): string | undefined {
  try {
    const { protocol } = new URL(text);
    return protocol === 'http:' || protocol === 'https:'
      ? text.replace(/(?<!\/)\/+$/, '')
      : undefined;
  } catch {
    return undefined;
  }
}
