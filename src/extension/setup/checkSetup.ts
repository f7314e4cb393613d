import type { HttpTransport } from '../../sdk/exact/index.ts';
import { readBalances } from '../chain/index.ts';
import { isHealthy } from '../service/index.ts';
import type { NetworkAddresses, NetworkChoice } from '../settings/index.ts';

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

const START = '[Start Service](command:svc-x402.startService)';
const SETTINGS = '[Open Settings](command:svc-x402.openSettings)';

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
  const label = network === 'local' ? 'Local network' : 'Stellar testnet';
  const { horizonUrl } = addresses;
  if (horizonUrl === undefined) return failed(label, "The local service isn't running.", START);
  const answered = await transport({ method: 'GET', url: `${horizonUrl}/` }).then(
    ({ status }) => status,
    () => 0,
  );
  if (answered > 0 && answered < 500) return passed(label, horizonUrl);
  const found =
    answered === 0 ? `${horizonUrl} cannot be reached.` : `${horizonUrl} answered ${answered}.`;
  return failed(
    label,
    found,
    network === 'local'
      ? START
      : `Check the internet connection and proxy, or use the local network (svc-x402.network): ${SETTINGS}`,
  );
}

async function checkFacilitator(
  { network, addresses }: SetupFacts,
  transport: HttpTransport,
): Promise<SetupCheck> {
  const label = 'Facilitator';
  const { facilitatorUrl } = addresses;
  if (facilitatorUrl === undefined) {
    return network === 'local'
      ? failed(label, "The local service isn't running.", START)
      : failed(
          label,
          'No facilitator is set for testnet.',
          `Set svc-x402.facilitatorUrl: ${SETTINGS}`,
        );
  }
  if (await isHealthy(facilitatorUrl, transport)) return passed(label, facilitatorUrl);
  return failed(
    label,
    `${facilitatorUrl}/health does not answer 200.`,
    network === 'local'
      ? START
      : '[Wake Facilitator](command:svc-x402.startService) may take two minutes.',
  );
}

async function checkAccount(
  { payTo, addresses }: SetupFacts,
  transport: HttpTransport,
): Promise<readonly SetupCheck[]> {
  const [funded, trustline] = ['Payment address is funded', 'USDC trustline'];
  const { horizonUrl } = addresses;
  if (payTo === undefined) {
    const next = '[Set Address…](command:svc-x402.setPayTo)';
    return [failed('Payment address', 'No payment address set.', next), skipped(trustline)];
  }
  if (horizonUrl === undefined) return [skipped(funded), skipped(trustline)];
  try {
    const balances = await readBalances(horizonUrl, payTo, transport);
    if (balances === undefined) {
      const next = '[Fund Payment Address](command:svc-x402.fundWallet)';
      return [failed(funded, `${payTo} does not exist on this network.`, next), skipped(trustline)];
    }
    return [
      passed(funded, payTo),
      balances.usdc === undefined
        ? failed(
            trustline,
            'The address cannot receive USDC without one.',
            '[How to Add a USDC Trustline](command:svc-x402.explainTrustline)',
          )
        : passed(trustline, 'open'),
    ];
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return [failed(funded, words, undefined), skipped(trustline)];
  }
}

function checkCode({ addresses, inCode }: SetupFacts): readonly SetupCheck[] {
  return inCode.map(({ file, url }) => {
    const label = `Code in ${file}`;
    if (addresses.facilitatorUrl === undefined) return skipped(label);
    return sameAddress(url, addresses.facilitatorUrl)
      ? passed(label, `asks ${url}`)
      : failed(
          label,
          `It asks ${url}, unless FACILITATOR_URL is set.`,
          'Apply the quick fix on that line, or start the server in a terminal of this editor.',
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
  return { label, state: 'skipped', detail: 'Not checked yet.', next: undefined };
}

const MARKS = { passed: '✓', failed: '✗', skipped: '·' } as const;

/** The checks as a page, with what the user is to do first. */
export function describeSetup(checks: readonly SetupCheck[]): string {
  const wrong = checks.filter(({ state }) => state === 'failed').length;
  const verdict =
    wrong === 0
      ? 'Everything a payment needs is here.'
      : `${wrong} of ${checks.length} checks failed.`;
  return [
    '# Setup',
    '',
    verdict,
    '',
    ...checks.flatMap(({ label, state, detail, next }) => [
      `- ${MARKS[state]} **${label}**: ${detail}`,
      ...(next === undefined ? [] : [`  - Next: ${next}`]),
    ]),
    '',
  ].join('\n');
}
