import type { HttpTransport } from '../../sdk/exact/index.ts';
import { readBalances } from '../chain/index.ts';
import { isHealthy } from '../service/index.ts';
import type { NetworkAddresses, NetworkChoice } from '../settings/index.ts';
import { later, t } from '../words/index.ts';

/** What a payment needs, in order: what depends on something missing is not checked. */
export interface SetupFacts {
  readonly network: NetworkChoice;
  readonly payTo: string | undefined;
  readonly addresses: NetworkAddresses;
  /** Facilitators that open files with gates ask when the environment names none. */
  readonly inCode: readonly { readonly file: string; readonly url: string }[];
}

export interface SetupCheck {
  readonly label: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  readonly detail: string;
  /** The next step, if the check failed. */
  readonly next: string | undefined;
}

const START = later('[Start Service](command:svc-x402.startService)');
const SETTINGS = later('[Open Settings](command:svc-x402.openSettings)');

/** Checks network, facilitator, account and code in the order in which a payment needs them. */
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
    return failed(label, t("The local service isn't running."), t(START));
  const answered = await transport({ method: 'GET', url: `${horizonUrl}/` }).then(
    ({ status }) => status,
    () => 0,
  );
  if (answered > 0 && answered < 500) return passed(label, horizonUrl);
  const found =
    answered === 0
      ? t('{0} cannot be reached.', horizonUrl)
      : t('{0} answered {1}.', horizonUrl, answered);
  return failed(
    label,
    found,
    network === 'local'
      ? t(START)
      : t(
          'Check the internet connection and proxy, or use the local network (svc-x402.network): {0}',
          t(SETTINGS),
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
      ? failed(label, t("The local service isn't running."), t(START))
      : failed(
          label,
          t('No facilitator is set for testnet.'),
          t('Set svc-x402.facilitatorUrl: {0}', t(SETTINGS)),
        );
  }
  if (await isHealthy(facilitatorUrl, transport)) return passed(label, facilitatorUrl);
  return failed(
    label,
    t('{0}/health does not answer 200.', facilitatorUrl),
    network === 'local'
      ? t(START)
      : t('[Wake Facilitator](command:svc-x402.startService) may take two minutes.'),
  );
}

async function checkAccount(
  { payTo, addresses }: SetupFacts,
  transport: HttpTransport,
): Promise<readonly SetupCheck[]> {
  const [funded, trustline] = [t('Payment address is funded'), t('USDC trustline')];
  const { horizonUrl } = addresses;
  if (payTo === undefined) {
    const next = t('[Set Address…](command:svc-x402.setPayTo)');
    return [failed(t('Payment address'), t('No payment address set.'), next), skipped(trustline)];
  }
  if (horizonUrl === undefined) return [skipped(funded), skipped(trustline)];
  try {
    const balances = await readBalances(horizonUrl, payTo, transport);
    if (balances === undefined) {
      const next = t('[Fund Payment Address](command:svc-x402.fundWallet)');
      return [
        failed(funded, t('{0} does not exist on this network.', payTo), next),
        skipped(trustline),
      ];
    }
    return [
      passed(funded, payTo),
      balances.usdc === undefined
        ? failed(
            trustline,
            t('The address cannot receive USDC without one.'),
            t('[How to Add a USDC Trustline](command:svc-x402.explainTrustline)'),
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
      ? passed(label, t('asks {0}', url))
      : failed(
          label,
          t('It asks {0}, unless FACILITATOR_URL is set.', url),
          t('Apply the quick fix on that line, or start the server in a terminal of this editor.'),
        );
  });
}

function sameAddress(one: string, other: string): boolean {
  const plain = (url: string) => url.replace(/\/+$/, '').replace('localhost', '127.0.0.1');
  return plain(one) === plain(other);
}

function passed(label: string, detail: string): SetupCheck {
  return { label, state: 'passed', detail, next: undefined };
}

function failed(label: string, detail: string, next: string | undefined): SetupCheck {
  return { label, state: 'failed', detail, next };
}

function skipped(label: string): SetupCheck {
  return { label, state: 'skipped', detail: t('Not checked yet.'), next: undefined };
}

const MARKS = { passed: '✓', failed: '✗', skipped: '·' } as const;

/** The checks as a page, with what the user is to do first. */
export function describeSetup(checks: readonly SetupCheck[]): string {
  const wrong = checks.filter(({ state }) => state === 'failed').length;
  const verdict =
    wrong === 0
      ? t('Everything a payment needs is here.')
      : t('{0} of {1} checks failed.', wrong, checks.length);
  return [
    `# ${t('Setup')}`,
    '',
    verdict,
    '',
    ...checks.flatMap(({ label, state, detail, next }) => [
      `- ${MARKS[state]} **${label}**: ${detail}`,
      ...(next === undefined ? [] : [`  - ${t('Next: {0}', next)}`]),
    ]),
    '',
  ].join('\n');
}
