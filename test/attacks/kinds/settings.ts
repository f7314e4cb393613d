import { readFileSync } from 'node:fs';
import {
  confirmedOnly,
  projectSettings,
  readSettings,
  type Settings,
} from '../../../src/extension/settings/index.ts';
import type { Attack, AttackTable } from '../attack.ts';
import type { Target } from '../target.ts';

const OWN = 'GCA2YZDJXO3VHRGPGIDFMWDRFK5XPMDSH5CAHR5IT34CMQWOZNRM5MQO';
const THIEF = 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57';
const EVIL = 'https://evil.example';

type Values = Readonly<Record<string, unknown>>;

/** The settings in use with a `.vscode/settings.json` of somebody else; `confirmed` are values that its user has seen. */
function inUse(project: Values, confirmed: Values = {}) {
  const own: Values = { payToAddress: OWN };
  const layers = (name: string) => ({ own: own[name], value: project[name] ?? own[name] });
  const settings = readSettings(
    confirmedOnly(layers, ({ name, value }) => (confirmed[name] === value ? 'use' : undefined)),
  );
  return { settings, asked: projectSettings(layers).map(({ name }) => name) };
}

function sets(
  name: string,
  project: Values,
  refused: string,
  used: (settings: Settings) => unknown,
  confirmed?: Values,
): Attack<Target> {
  return {
    name: `settings.json with ${name}`,
    refused,
    async run() {
      const { settings, asked } = inUse(project, confirmed);
      const value = used(settings);
      const words =
        value === undefined || value === OWN ? 'the user’s own is used' : `used: ${value}`;
      return `${words}, asked for ${asked.join() || 'nothing'}`;
    },
  };
}

const asked = (names: string): string => `the user’s own is used, asked for ${names}`;

interface Manifest {
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] };
  };
  readonly contributes: {
    readonly configuration: { readonly properties: Readonly<Record<string, { scope?: string }>> };
  };
}

const manifest = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
) as Manifest;

/** A setting that the editor reads only from the user. */
function ofMachine(name: string, scope: string): Attack<Target> {
  return {
    name: `settings.json with ${name}`,
    refused: `the editor reads it for the ${scope} alone`,
    async run() {
      const found = manifest.contributes.configuration.properties[`svc-x402.${name}`]?.scope;
      return `the editor reads it for the ${found} alone`;
    },
  };
}

/** Settings of a workspace that somebody else wrote, in the editor. */
export const SETTINGS: AttackTable<Target> = {
  kind: 'settings',
  attacks: [
    sets('another recipient', { payToAddress: THIEF }, asked('payToAddress'), ({ payTo }) => payTo),
    sets(
      'a recipient that was confirmed, and then changed',
      { payToAddress: THIEF },
      asked('payToAddress'),
      ({ payTo }) => payTo,
      { payToAddress: 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5' },
    ),
    sets(
      'a recipient with a letter changed',
      { payToAddress: `${THIEF.slice(0, -1)}A` },
      asked('nothing'),
      ({ payTo }) => payTo,
    ),
    sets(
      'a secret as its recipient',
      { payToAddress: `S${'A'.repeat(55)}` },
      asked('nothing'),
      ({ payTo }) => payTo,
    ),
    ...(['facilitatorUrl', 'policyGatewayUrl', 'rpcUrl', 'horizonUrl', 'explorerUrl'] as const).map(
      (name) =>
        sets(`another ${name}`, { [name]: EVIL }, asked(name), (settings) => settings[name]),
    ),
    sets(
      'a facilitator that is a script',
      { facilitatorUrl: 'javascript:alert(1)' },
      asked('nothing'),
      ({ facilitatorUrl }) => facilitatorUrl,
    ),
    sets(
      'a facilitator that is a file',
      { facilitatorUrl: 'file:///etc/passwd' },
      asked('nothing'),
      ({ facilitatorUrl }) => facilitatorUrl,
    ),
    sets(
      'an object where a text is due',
      { facilitatorUrl: { toString: EVIL }, payToAddress: [THIEF] },
      asked('nothing'),
      ({ facilitatorUrl }) => facilitatorUrl,
    ),
    sets(
      'another smart account',
      { smartAccount: 'CBIELTK6YBZJU5UP2WWQEUCYKLPU6AUNZ2BQ4WWFEIE3USCIHMXQDAMA' },
      asked('smartAccount'),
      ({ smartAccount }) => smartAccount,
    ),
    ofMachine('nodePath', 'machine'),
    ofMachine('dataFolder', 'machine'),
    ofMachine('facilitatorPort', 'machine'),
    ofMachine('mcp', 'application'),
    {
      name: 'settings.json of a workspace that is not trusted',
      refused: 'no address of it is read',
      async run() {
        const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
        const read = ['payToAddress', 'smartAccount', 'network', 'facilitatorUrl', 'rpcUrl']
          .concat(['policyGatewayUrl', 'horizonUrl', 'explorerUrl'])
          .filter((name) => !restrictedConfigurations.includes(`svc-x402.${name}`));
        return read.length === 0 ? 'no address of it is read' : read.join();
      },
    },
  ],
};
