import { later, t } from '../words/index.ts';
import { readSettings } from './settings.ts';

/**
 * Settings that decide who is paid and which servers are called, with their display names. A project's author can also set
 * them, so a project's value takes effect only after the user has confirmed it.
 */
const ADDRESSES = {
  payToAddress: later('Payment address'),
  facilitatorUrl: later('Facilitator'),
  policyGatewayUrl: later('Policy gateway'),
  smartAccount: later('Smart account'),
  rpcUrl: later('Stellar RPC'),
  horizonUrl: 'Horizon',
  explorerUrl: later('Explorer'),
} as const;

type AddressName = keyof typeof ADDRESSES;

const ADDRESS_NAMES = Object.keys(ADDRESSES) as readonly AddressName[];

/** A setting as the editor resolves it, and the value from the user or the default alone. */
export interface LayeredSetting {
  readonly value: unknown;
  readonly own: unknown;
}

export type ReadLayers = (name: string) => LayeredSetting;

/** An address that the project sets but the user doesn't. */
export interface ProjectSetting {
  /** Name of the setting without `svc-x402.`. */
  readonly name: string;
  readonly value: string;
  /** The user's own value; empty if there is none. */
  readonly own: string;
}

export type Decision = 'use' | 'ignore';

export type DecisionOf = (setting: ProjectSetting) => Decision | undefined;

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** Invalid values are reported and never used, no matter who set them. */
function isValid(name: string, value: string): boolean {
  return readSettings((one) => (one === name ? value : undefined)).problems.length === 0;
}

function projectSetting(name: string, read: ReadLayers): ProjectSetting | undefined {
  const layers = read(name);
  const [value, own] = [textOf(layers.value), textOf(layers.own)];
  // Without a value, the network's own address applies, which a project cannot change.
  if (value === '' || value === own || !isValid(name, value)) return undefined;
  return { name, value, own };
}

/** The addresses that a project sets. */
export function projectSettings(read: ReadLayers): readonly ProjectSetting[] {
  return ADDRESS_NAMES.flatMap((name) => projectSetting(name, read) ?? []);
}

/** Reads settings, with the user's own value wherever the project's value is not confirmed. */
export function confirmedOnly(read: ReadLayers, decided: DecisionOf): (name: string) => unknown {
  return (name) => {
    const setting = ADDRESS_NAMES.some((one) => one === name)
      ? projectSetting(name, read)
      : undefined;
    const layers = read(name);
    return setting === undefined || decided(setting) === 'use' ? layers.value : layers.own;
  };
}

/** Describes a setting for the question whether to use it. */
export function describeProjectSetting({ name, value, own }: ProjectSetting): string {
  const title = ADDRESS_NAMES.some((one) => one === name)
    ? t(ADDRESSES[name as AddressName])
    : name;
  const instead = own === '' ? t('You have not set one.') : t('Yours: {0}', shown(own));
  return `${title}: ${shown(value)}\n${instead}`;
}

const MAX_SHOWN = 120;

/** Formats an address so that a look-alike host or an invisible character is visible. */
function shown(value: string): string {
  if (!URL.canParse(value)) return value;
  const { href, host, username, password } = new URL(value);
  const cut = href.length > MAX_SHOWN ? `${href.slice(0, MAX_SHOWN)}…` : href;
  return username === '' && password === '' ? cut : t('{0} (host {1})', cut, host);
}
