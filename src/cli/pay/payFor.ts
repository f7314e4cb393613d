import { webcrypto } from 'node:crypto';
import { homedir } from 'node:os';
import { dataFolderPath, openEd25519Key } from '../../machine/index.ts';
import {
  decodeStrKey,
  encodeStrKey,
  formatDecimalAmount,
  parseDecimalAmount,
  STELLAR_TESTNET,
  USDC_CONTRACT,
  visibleText,
} from '../../protocol/index.ts';
import {
  accountSigner,
  connectRpc,
  fetchTransport,
  type HttpRequest,
  type HttpResponse,
  type PaymentOption,
  type PaymentSigner,
  payForResource,
  paymentOutcome,
  type SentPayment,
  webPlatform,
  X402Error,
} from '../../sdk/exact/index.ts';
import { CliError } from '../cliError.ts';
import { createBuyer } from '../code/localAccounts.ts';
import type { PayCommand } from '../commandOptions.ts';
import { runningService } from '../serviceFile.ts';

const ANSWER_WITHIN_MS = 60_000;

/** A payment as recorded on the ledger. */
interface Paid {
  readonly usdc: string;
  readonly payTo: string;
  readonly payer: string;
  /** Empty if the RPC server no longer has the transaction. */
  readonly transaction: string;
}

/** `svc-x402 pay URL`. @throws CliError whose message says whether money moved */
export async function payFor(url: string, options: PayCommand): Promise<void> {
  const most = parseDecimalAmount(options.max);
  if (most === undefined || most <= 0n) {
    throw new CliError('usage', `${options.max} is not an amount. Use a USDC amount such as 0.1.`);
  }
  const rpcUrl = await rpcOf();
  const signer = await payer(most);
  const transport = fetchTransport((input, init) =>
    fetch(input, { ...init, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }),
  );
  const rpc = connectRpc(rpcUrl, transport);
  const request = requestOf(url, options);
  let sent: SentPayment | undefined;
  let chosen: PaymentOption | undefined;
  const { response } = await payForResource(
    async (headers) => checked(url, await transport(withHeaders(request, headers))),
    {
      signer,
      rpc,
      platform: webPlatform(webcrypto as unknown as Parameters<typeof webPlatform>[0]),
      now: Date.now,
      network: STELLAR_TESTNET,
      maxAmount: most,
      allowedAssets: [USDC_CONTRACT],
      beforeSigning: (option) => {
        chosen = option;
      },
      beforeSending: (payment) => {
        sent = payment;
      },
    },
  ).catch((error: unknown) => {
    throw inWords(error, url);
  });
  const paid = sent && chosen ? await asTheLedgerSays(sent, chosen, rpc, signer) : undefined;
  await print(response, paid, options);
}

/** Reads the payment from the ledger, because a seller's response may claim anything. */
async function asTheLedgerSays(
  sent: SentPayment,
  { amount, payTo }: PaymentOption,
  rpc: ReturnType<typeof connectRpc>,
  signer: PaymentSigner,
): Promise<Paid | 'unknown'> {
  const outcome = await paymentOutcome(sent, rpc).catch(() => undefined);
  if (outcome?.moneyMoved !== 'yes') return 'unknown';
  const { transaction } = outcome;
  return { usdc: formatDecimalAmount(amount), payTo, payer: signer.address, transaction };
}

async function rpcOf(): Promise<string> {
  const given = process.env['STELLAR_RPC_URL']?.trim();
  if (given) return given;
  const service = await runningService(dataFolderPath(process.env, homedir()));
  if (service) return service.network.rpcUrl;
  throw new CliError(
    'usage',
    'No service is running on this machine. Start it with `svc-x402 dev`, or set STELLAR_RPC_URL and PAYER_SECRET.',
  );
}

async function payer(most: bigint): Promise<PaymentSigner> {
  const given = process.env['PAYER_SECRET']?.trim();
  if (!given && process.env['STELLAR_RPC_URL']?.trim()) {
    throw new CliError(
      'usage',
      'STELLAR_RPC_URL requires PAYER_SECRET, the secret key of the account that pays. Set both.',
    );
  }
  const secret = given ? given : (await createBuyer(most)).secret;
  const seed = decodeStrKey('secretSeed', secret);
  if (seed === undefined) {
    throw new CliError('usage', 'PAYER_SECRET is not the secret of a Stellar account (S…).');
  }
  const { publicKey, sign } = openEd25519Key(seed);
  const address = encodeStrKey('account', publicKey);
  return accountSigner(address, async (hash) => new Uint8Array(sign(hash)));
}

function requestOf(url: string, { method, body }: PayCommand): HttpRequest {
  const asked = (method ?? (body === undefined ? 'GET' : 'POST')).toUpperCase();
  if (body === undefined) return { method: asked, url };
  return { method: asked, url, headers: { 'content-type': contentType(body) }, body };
}

function contentType(body: string): string {
  try {
    JSON.parse(body);
    return 'application/json';
  } catch {
    return 'text/plain; charset=utf-8';
  }
}

function withHeaders(request: HttpRequest, headers: Readonly<Record<string, string>>): HttpRequest {
  return { ...request, headers: { ...request.headers, ...headers } };
}

/** Redirects are not followed, because the payment is only for the given URL. */
function checked(url: string, response: HttpResponse): HttpResponse {
  const to = response.headers.get('location');
  if (response.status < 300 || response.status >= 400 || to === null) return response;
  throw new CliError(
    'failed',
    `${url} redirects to ${visibleText(to)}. To pay there, use that URL.`,
  );
}

const MONEY = {
  no: 'No money moved.',
  yes: 'The money moved: do not pay again.',
  not_yet: 'No money moved so far, but the payment can still settle.',
  unknown: 'The ledger does not show yet whether money moved. Check before you pay again.',
} as const;

function inWords(error: unknown, url: string): unknown {
  if (error instanceof X402Error) {
    const message = `${visibleText(error.message)} ${MONEY[error.moneyMoved]}`;
    return new CliError('failed', message, { cause: error });
  }
  if (error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError')) {
    return new CliError('failed', `${url} did not answer. ${MONEY.no}`, { cause: error });
  }
  return error;
}

async function print(
  response: HttpResponse,
  paid: Paid | 'unknown' | undefined,
  { json }: PayCommand,
): Promise<void> {
  const body = await response.text();
  if (json) {
    const payment = paid ?? null;
    process.stdout.write(`${JSON.stringify({ status: response.status, payment, body })}\n`);
  } else {
    process.stderr.write(`${account(paid)}\n`);
    process.stdout.write(body.endsWith('\n') ? body : `${body}\n`);
  }
  if (response.status >= 400) process.exitCode = 1;
}

function account(paid: Paid | 'unknown' | undefined): string {
  if (paid === undefined) return 'The endpoint did not ask for a payment, so nothing was paid.';
  if (paid === 'unknown') return MONEY.unknown;
  const { usdc, payTo, payer: from, transaction } = paid;
  const hash = transaction === '' ? '' : ` Transaction ${transaction}.`;
  return `${from} paid ${usdc} USDC to ${payTo}.${hash}`;
}
