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

/**
 * The request as code that pays for it with the client SDK.
 * @param price maximum price in atomic units
 * @param rpcUrl URL of the network's RPC
 */
export function asSdkCode(
  { method, url, headers, body }: BuiltRequest,
  price: bigint,
  rpcUrl: string,
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
  return `import { agentSigner, createX402Fetch } from 'svc-x402/sdk';

// wallet: your smart account; publicKey and sign: a key of it
const pay = createX402Fetch({
  signer: agentSigner(wallet, publicKey, sign),
  rpcUrl: ${literal(rpcUrl)},
  maxAmount: ${price}n,
  sessionCeiling: ${price * 10n}n,
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
