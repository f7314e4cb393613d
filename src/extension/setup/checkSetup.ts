import type { HttpTransport } from '../../sdk/exact/index.ts';
import { readBalances } from '../chain/index.ts';
import type { Report, ReportItem } from '../report/index.ts';
import { isHealthy } from '../service/index.ts';
import type { NetworkAddresses, NetworkChoice } from '../settings/index.ts';
import { later, t } from '../words/index.ts';

/** What a payment needs, in order. Checks that depend on something missing are skipped. */
export interface SetupFacts {
  readonly network: NetworkChoice;
  readonly payTo: string | undefined;
  readonly addresses: NetworkAddresses;
  /** Facilitators that gates in open files call if the environment names none. */
  readonly inCode: readonly { readonly file: string; readonly url: string }[];
}

export interface SetupCheck {
  readonly label: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  readonly detail: string;
  /** The next step, if the check failed. */
  readonly next: NextStep | undefined;
}

type NextStep = NonNullable<ReportItem['next']>;

/** Labels of the commands that next steps run. */
const COMMANDS = {
  'svc-x402.startService': later('Start Service'),
  'svc-x402.openSettings': later('Open Settings'),
  'svc-x402.setPayTo': later('Set Address…'),
  'svc-x402.fundWallet': later('Fund Payment Address'),
  'svc-x402.explainTrustline': later('How to Add a USDC Trustline'),
} as const;

function step(command: keyof typeof COMMANDS, text = '', label = t(COMMANDS[command])): NextStep {
  return { text, action: { label, command } };
}

/** Checks network, facilitator, account and code, in the order in which a payment needs them. */
export async function checkSetup(
  facts: SetupFacts,
  transport: HttpTransport,
): Promise<readonly SetupCheck[]> {
  return [
    await checkNetwork(facts, transport),
    await checkFacilitator(facts, transport),
    ...(await checkAccount(facts, transport)),
    ...checkCode(facts),
  ];
}

async function checkNetwork(
  { network, addresses }: SetupFacts,
  transport: HttpTransport,
): Promise<SetupCheck> {
  const label = network === 'local' ? t('Local network') : t('Stellar testnet');
  const { horizonUrl } = addresses;
  if (horizonUrl === undefined)
    return failed(label, t("The local service isn't running."), step('svc-x402.startService'));
  const answered = await transport({ method: 'GET', url: `${horizonUrl}/` }).then(
    ({ status }) => status,
    () => 0,
  );
  if (answered > 0 && answered < 500) return passed(label, horizonUrl);
  const found =
    answered === 0
      ? t('{0} cannot be reached.', horizonUrl)
      : t('{0} responded with {1}.', horizonUrl, answered);
  return failed(
    label,
    found,
    network === 'local'
      ? step('svc-x402.startService')
      : step(
          'svc-x402.openSettings',
          t(
            'Check the internet connection and proxy, or use the local network (svc-x402.network).',
          ),
        ),
  );
}

async function checkFacilitator(
  { network, addresses }: SetupFacts,
  transport: HttpTransport,
): Promise<SetupCheck> {
  const label = t('Facilitator');
  const { facilitatorUrl } = addresses;
  if (facilitatorUrl === undefined) {
    return network === 'local'
      ? failed(label, t("The local service isn't running."), step('svc-x402.startService'))
      : failed(
          label,
          t('No facilitator is set for testnet.'),
          step('svc-x402.openSettings', t('Set svc-x402.facilitatorUrl.')),
        );
  }
  if (await isHealthy(facilitatorUrl, transport)) return passed(label, facilitatorUrl);
  return failed(
    label,
    t('{0}/health does not return 200.', facilitatorUrl),
    network === 'local'
      ? step('svc-x402.startService')
      : step('svc-x402.startService', t('It can take two minutes.'), t('Wake Facilitator')),
  );
}

async function checkAccount(
  { payTo, addresses }: SetupFacts,
  transport: HttpTransport,
): Promise<readonly SetupCheck[]> {
  const [funded, trustline] = [t('Payment address is funded'), t('USDC trustline')];
  const { horizonUrl } = addresses;
  if (payTo === undefined) {
    return [
      failed(t('Payment address'), t('No payment address set.'), step('svc-x402.setPayTo')),
      skipped(trustline),
    ];
  }
  if (horizonUrl === undefined) return [skipped(funded), skipped(trustline)];
  try {
    const balances = await readBalances(horizonUrl, payTo, transport);
    if (balances === undefined) {
      const found = t('{0} does not exist on this network.', payTo);
      return [failed(funded, found, step('svc-x402.fundWallet')), skipped(trustline)];
    }
    return [
      passed(funded, payTo),
      balances.usdc === undefined
        ? failed(
            trustline,
            t('The address cannot receive USDC without one.'),
            step('svc-x402.explainTrustline'),
          )
        : passed(trustline, t('open')),
    ];
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return [failed(funded, words, undefined), skipped(trustline)];
  }
}

function checkCode({ addresses, inCode }: SetupFacts): readonly SetupCheck[] {
  return inCode.map(({ file, url }) => {
    const label = t('Code in {0}', file);
    if (addresses.facilitatorUrl === undefined) return skipped(label);
    return sameAddress(url, addresses.facilitatorUrl)
      ? passed(label, t('calls {0}', url))
      : failed(label, t('It calls {0} unless FACILITATOR_URL is set.', url), {
          text: t(
            'Apply the quick fix on that line, or start the server in a terminal in this editor.',
          ),
        });
  });
}

function sameAddress(one: string, other: string): boolean {
  const plain = (url: string) => url.replace(/(?<!\/)\/+$/, '').replace('localhost', '127.0.0.1');
  return plain(one) === plain(other);
}

function passed(label: string, detail: string): SetupCheck {
  return { label, state: 'passed', detail, next: undefined };
}

function failed(label: string, detail: string, next: NextStep | undefined): SetupCheck {
  return { label, state: 'failed', detail, next };
}

function skipped(label: string): SetupCheck {
  return { label, state: 'skipped', detail: t('Not checked yet.'), next: undefined };
}

/** The checks as a page. */
export function describeSetup(checks: readonly SetupCheck[]): Report {
  const wrong = checks.filter(({ state }) => state === 'failed').length;
  const verdict =
    wrong === 0
      ? t('Everything a payment needs is in place.')
      : t('{0} of {1} checks failed.', wrong, checks.length);
  return {
    title: t('Setup'),
    verdict,
    good: wrong === 0,
    sections: [
      {
        title: t('What a payment needs'),
        items: checks.map(({ label, state, detail, next }) => ({
          ...{ label, state, value: detail },
          ...(next === undefined ? {} : { next }),
        })),
      },
    ],
  };
}
