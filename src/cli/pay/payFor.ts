import { webcrypto } from 'node:crypto';
import { homedir } from 'node:os';
import { dataFolderPath, openEd25519Key } from '../../machine/index.ts';
import {
  decodeStrKey,
  encodeStrKey,
  formatDecimalAmount,
  type MoneyMoved,
  oneLine,
  parseDecimalAmount,
  STELLAR_TESTNET,
  USDC_CONTRACT,
} from '../../protocol/index.ts';
import {
  accountSigner,
  connectRpc,
  fetchTransport,
  type HttpRequest,
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
import { keepSigned, type SignedReceipt, signedFolder } from '../receipts/signedReceipts.ts';
import { runningService } from '../serviceFile.ts';
import { type BodyOutput, fileOutput, streamOutput, textOutput } from './bodyOutput.ts';
import { BodyError, readBody } from './readBody.ts';

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
  const rpc = connectRpc(
    rpcUrl,
    fetchTransport((input, init) =>
      fetch(input, { ...init, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }),
    ),
  );
  const file = options.output === undefined ? undefined : await fileOutput(options.output);
  const request = requestOf(url, options);
  const responses: Response[] = [];
  let sent: SentPayment | undefined;
  let sentAt = 0;
  let chosen: PaymentOption | undefined;
  try {
    const { response } = await payForResource(
      async (headers) => {
        const answer = await responseTo(withHeaders(request, headers));
        responses.push(answer);
        return checked(url, answer);
      },
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
          sentAt = Math.floor(Date.now() / 1_000);
        },
      },
    ).catch(async (error: unknown) => {
      await file?.abandon();
      throw inWords(error, url, sent !== undefined);
    });
    const paid = sent && chosen ? await asTheLedgerSays(sent, chosen, rpc, signer) : undefined;
    const signed =
      sent && chosen
        ? await keepSigned(
            signedFolder(dataFolderPath(process.env, homedir())),
            {
              ...{ method: request.method, url: plainUrl(url), paidAt: sentAt, payer: sent.payer },
              ...{ paid: termsOf(chosen) },
              transaction: typeof paid === 'object' ? paid.transaction : '',
            },
            { asked: responses[0], paid: response },
          )
        : undefined;
    await print(response, { paid, signed }, file, options);
  } finally {
    // A body that nobody reads would keep its connection, and with it the process.
    for (const { body } of responses) if (body?.locked === false) body.cancel().catch(() => {});
  }
}

function termsOf({ offered: { scheme, network, asset, payTo, amount } }: PaymentOption) {
  return { scheme, network, asset, payTo, amount };
}

/** A URL as receipts name it: without a fragment, which is never sent. */
function plainUrl(text: string): string {
  const url = new URL(text);
  url.hash = '';
  return url.href;
}

/** Sends a request, and waits for the headers of its response alone: a body may take longer than any time limit. */
async function responseTo({ url, ...init }: HttpRequest): Promise<Response> {
  const timeout = new AbortController();
  const timer = setTimeout(() => {
    timeout.abort(new DOMException('no response in time', 'TimeoutError'));
  }, ANSWER_WITHIN_MS);
  try {
    return await fetch(url, { ...init, redirect: 'manual', signal: timeout.signal });
  } finally {
    clearTimeout(timer);
  }
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
function checked(url: string, response: Response): Response {
  const to = response.headers.get('location');
  if (response.status < 300 || response.status >= 400 || to === null) return response;
  throw new CliError('failed', `${url} redirects to ${oneLine(to)}. To pay there, use that URL.`);
}

const MONEY: Readonly<Record<MoneyMoved, string>> = {
  no: 'No money moved.',
  yes: 'The money moved: do not pay again.',
  fees: 'The payment failed on the ledger: no money moved.',
  not_yet: 'No money moved so far, and the payment may still settle. Check before you pay again.',
  unknown: 'The ledger does not show yet whether money moved. Check before you pay again.',
};

function inWords(error: unknown, url: string, wasSent: boolean): unknown {
  if (error instanceof X402Error) {
    const message = `${oneLine(error.message)} ${MONEY[error.moneyMoved]}`;
    return new CliError('failed', message, { cause: error });
  }
  if (error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError')) {
    return new CliError('failed', `${url} did not answer. ${wasSent ? MONEY.unknown : MONEY.no}`, {
      cause: error,
    });
  }
  return error;
}

type Payment = Paid | 'unknown' | undefined;

/** The payment, and what the seller signed for it. */
interface Account {
  readonly paid: Payment;
  readonly signed: SignedReceipt | undefined;
}

/**
 * Prints the payment, and then the response: whatever happens to its body, the payment is known.
 * @throws CliError whose message says what failed, and whether money moved
 */
async function print(
  response: Response,
  { paid, signed }: Account,
  file: BodyOutput | undefined,
  options: PayCommand,
): Promise<void> {
  if (options.json) return printJson(response, { paid, signed }, file, options);
  process.stderr.write(`${account(paid)}\n`);
  if (signed !== undefined) process.stderr.write(`${signed.words}\n`);
  const type = response.headers.get('content-type') ?? '';
  const failure = await deliver(response, file ?? streamOutput(process.stdout, type));
  if (failure !== undefined) throw new CliError('failed', `${failure} ${moneyOf(paid)}`);
  if (options.output !== undefined) {
    process.stderr.write(`The response is in ${options.output}.\n`);
  }
  if (response.status >= 400) process.exitCode = 1;
}

/** Prints response and payment as one object, which has an `error` if the body did not arrive in whole. */
async function printJson(
  response: Response,
  { paid, signed }: Account,
  file: BodyOutput | undefined,
  { output }: PayCommand,
): Promise<void> {
  const { status } = response;
  const text = textOutput(response.headers.get('content-type') ?? '');
  const failure = await deliver(response, file ?? text);
  const printed = {
    ...{ status, payment: paid ?? null },
    ...(signed === undefined ? {} : { signed: { id: signed.id, ...signed.judgement } }),
    ...(file === undefined ? { body: text.text() } : { file: output }),
    ...(failure === undefined ? {} : { error: `${failure} ${moneyOf(paid)}` }),
  };
  process.stdout.write(`${JSON.stringify(printed)}\n`);
  if (status >= 400 || failure !== undefined) process.exitCode = 1;
}

/** Passes a body on. @returns why it did not arrive in whole, in a sentence; `undefined` if it did */
async function deliver(response: Response, output: BodyOutput): Promise<string | undefined> {
  let failure: string | undefined;
  for (const step of [
    async () => {
      for await (const piece of readBody(response.body, output)) await output.write(piece);
    },
    () => output.end(),
  ]) {
    try {
      await step();
    } catch (error) {
      if (!(error instanceof BodyError)) throw error;
      failure ??= error.message;
    }
  }
  return failure;
}

/** What the failure of a body has to say about the money. */
function moneyOf(paid: Payment): string {
  if (paid === undefined) return MONEY.no;
  return paid === 'unknown' ? MONEY.unknown : MONEY.yes;
}

function account(paid: Payment): string {
  if (paid === undefined) return 'The endpoint did not ask for a payment, so nothing was paid.';
  if (paid === 'unknown') return MONEY.unknown;
  const { usdc, payTo, payer: from, transaction } = paid;
  const hash = transaction === '' ? '' : ` Transaction ${transaction}.`;
  return `${from} paid ${usdc} USDC to ${payTo}.${hash}`;
}
