import { formatDecimalAmount, USDC_CONTRACT } from '../../protocol/index.ts';
import type { BuiltRequest } from './builtRequest.ts';

/** The request as a POSIX shell command. It does not pay: curl shows the terms. */
export function asCurl({ method, url, headers, body }: BuiltRequest): string {
  const parts = ['curl', '-i'];
  if (method === 'HEAD') parts.push('--head');
  else if (method !== 'GET') parts.push('-X', method);
  for (const [name, value] of Object.entries(headers))
    parts.push('-H', quoted(`${name}: ${value}`));
  if (body !== undefined) parts.push('--data-raw', quoted(body));
  return `${[...parts, quoted(url)].join(' ')}\n`;
}

/** What the copied code may pay. */
export interface PaymentLimit {
  /** Atomic units of the asset. */
  readonly amount: bigint;
  /** The asset's contract. */
  readonly asset: string;
  /** URL of the network's RPC, if the environment names none. */
  readonly rpcUrl: string;
}

/**
 * The request as a program that pays for it with the client SDK: an ES module, as JavaScript and as TypeScript, complete but for
 * the payer's secret, which it reads from the environment.
 */
export function asSdkCode(
  { method, url, headers, body }: BuiltRequest,
  { amount, asset, rpcUrl }: PaymentLimit,
): string {
  const options = [
    ...(method === 'GET' ? [] : [`  method: ${literal(method)},`]),
    ...(Object.keys(headers).length === 0 ? [] : [`  headers: ${JSON.stringify(headers)},`]),
    ...(body === undefined ? [] : [`  body: ${literal(body)},`]),
  ];
  const call =
    options.length === 0
      ? `await pay(${literal(url)})`
      : `await pay(${literal(url)}, {\n${options.join('\n')}\n})`;
  const isUsdc = asset === USDC_CONTRACT;
  const decimal = isUsdc ? ` // ${formatDecimalAmount(amount)} USDC` : '';
  return `// npm install svc-x402 @stellar/stellar-sdk
import { Keypair } from '@stellar/stellar-sdk';
import { accountSigner, createX402Fetch${isUsdc ? ', USDC' : ''} } from 'svc-x402/sdk';

// The secret (S…) of the Stellar account that pays.
const secret = process.env['PAYER_SECRET'];
if (secret === undefined) throw new Error('Set PAYER_SECRET.');
const payer = Keypair.fromSecret(secret);

const pay = createX402Fetch({
  signer: accountSigner(payer.publicKey(), (hash) => payer.sign(Buffer.from(hash))),
  rpcUrl: process.env['STELLAR_RPC_URL'] ?? ${literal(rpcUrl)},
  allowedAssets: [${isUsdc ? 'USDC' : literal(asset)}],
  maxAmount: ${amount}n,${decimal}
  sessionCeiling: ${amount * 10n}n,
});
const response = ${call};
console.log(response.status, await response.text());
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function literal(text: string): string {
  return `'${text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "\\'")
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')}'`;
}
