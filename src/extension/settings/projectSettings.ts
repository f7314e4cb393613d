import { readSettings } from './settings.ts';

/**
 * Settings that decide who is paid and who is asked, by what people call them. A project can set them, and so can
 * whoever wrote the project: such a value counts only after the user has confirmed it.
 */
const ADDRESSES = {
  payToAddress: 'Payment address',
  facilitatorUrl: 'Facilitator',
  policyGatewayUrl: 'Policy gateway',
  smartAccount: 'Smart account',
  rpcUrl: 'Stellar RPC',
  horizonUrl: 'Horizon',
  explorerUrl: 'Explorer',
} as const;

type AddressName = keyof typeof ADDRESSES;

const ADDRESS_NAMES = Object.keys(ADDRESSES) as readonly AddressName[];

/** A setting as the editor resolves it, and as the user alone set it (or its default). */
export interface LayeredSetting {
  readonly value: unknown;
  readonly own: unknown;
}

export type ReadLayers = (name: string) => LayeredSetting;

/** An address that the project sets and the user doesn't. */
export interface ProjectSetting {
  /** Name of the setting without `svc-x402.`. */
  readonly name: string;
  readonly value: string;
  /** The user's own value; empty when there is none. */
  readonly own: string;
}

export type Decision = 'use' | 'ignore';

export type DecisionOf = (setting: ProjectSetting) => Decision | undefined;

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** Invalid values are reported and never used, whoever set them. */
function isValid(name: string, value: string): boolean {
  return readSettings((one) => (one === name ? value : undefined)).problems.length === 0;
}

function projectSetting(name: string, read: ReadLayers): ProjectSetting | undefined {
  const layers = read(name);
  const [value, own] = [textOf(layers.value), textOf(layers.own)];
  // Without a value the network's own address is used, which no project can name.
  if (value === '' || value === own || !isValid(name, value)) return undefined;
  return { name, value, own };
}

/** The addresses that a project sets. */
export function projectSettings(read: ReadLayers): readonly ProjectSetting[] {
  return ADDRESS_NAMES.flatMap((name) => projectSetting(name, read) ?? []);
}

/** Reads settings so that the user's own value counts wherever the project's was not confirmed. */
export function confirmedOnly(read: ReadLayers, decided: DecisionOf): (name: string) => unknown {
  return (name) => {
    const setting = ADDRESS_NAMES.some((one) => one === name)
      ? projectSetting(name, read)
      : undefined;
    const layers = read(name);
    return setting === undefined || decided(setting) === 'use' ? layers.value : layers.own;
  };
}

/** A line about a setting, for the question whether it counts. */
export function describeProjectSetting({ name, value, own }: ProjectSetting): string {
  const title = ADDRESS_NAMES.some((one) => one === name) ? ADDRESSES[name as AddressName] : name;
  const instead = own === '' ? 'You have not set one.' : `Yours: ${shown(own)}`;
  return `${title}: ${shown(value)}\n${instead}`;
}

const MOST_SHOWN = 120;

/** An address as it is used: what looks like another host, or isn't visible, is spelt out. */
function shown(value: string): string {
  if (!URL.canParse(value)) return value;
  const { href, host, username, password } = new URL(value);
  const cut = href.length > MOST_SHOWN ? `${href.slice(0, MOST_SHOWN)}…` : href;
  return username === '' && password === '' ? cut : `${cut} (host ${host})`;
}
