import { statSync } from 'node:fs';
import { join } from 'node:path';
import {
  GENESIS_CONTRACTS,
  genesisAccounts,
  genesisContractId,
  genesisKeys,
  networkIdOf,
} from '../../../network/src/genesis/index.ts';
import { contractAddress } from '../../../network/src/genesis/usdc.ts';
import { TESTNET_PASSPHRASE } from '../../../src/protocol/index.ts';
import { code, madeFrom, table } from './markdown.ts';
import { projectFile, projectRoot } from './projectFile.ts';

/** What each contract is, in one line, and the page that says more. */
const PURPOSES: Readonly<Record<string, string>> = {
  'attestation-registry': 'records which contracts an attestor vouches for, and until when',
  channel:
    'a deposit that signed vouchers pay to one recipient; the rest returns to the payer (experimental)',
  'channel-opener':
    'deploys channels at addresses that are the hashes of their terms, and claims from many at once (experimental)',
  'smart-account': 'an account with passkeys and Ed25519 keys; limited keys act where granted',
  'spending-limit': 'a policy that limits the amount of one asset in a time window',
  upto: 'settles payments of the scheme [`upto`](upto.md)',
  'verified-only': 'a policy that allows payments only to contracts that a registry attests',
};

/** Measured on 28 November 2026, protocol 28. */
const SESSION_COSTS = [
  ['`open`, paid before by `exact`', '1,087,793', '71,889', '55,328', '44,931', '436'],
  ['`open` with the deposit, one entry', '1,846,573', '203,116', '171,611', '143,369', '852'],
  ['`settle`, the first of a channel', '1,209,549', '32,090', '21,582', '5,444', '832'],
  [
    '`claim` from 20 channels, 19 of them the first',
    '24,578,040',
    '321,099',
    '291,053',
    '103,444',
    '14,436',
  ],
  [
    '`claim` from 67 channels, one of them the first',
    '90,503,393',
    '651,230',
    '621,254',
    '5,445',
    '48,088',
  ],
  [
    '`close` with a voucher, and the refund in it',
    '1,536,636',
    '46,426',
    '34,769',
    '10,500',
    '1,000',
  ],
  ['`close_start_signed`', '945,100', '22,734', '12,377', '5,056', '488'],
  ['`close_start`', '502,567', '22,371', '12,015', '5,056', '488'],
  ['`refund`', '714,891', '23,128', '13,311', '0', '340'],
  ['`settle` that renews a week', '1,214,758', '69,839', '54,408', '38,266', '832'],
  ['`settle` of an archived channel', '1,225,879', '85,570', '68,339', '50,376', '832'],
];

/** Lines `<hash>  <path>`, as sha256sum writes them. */
function hashes(path: string): [hash: string, file: string][] {
  return [...projectFile(path).matchAll(/^([0-9a-f]{64}) {2}(\S+)$/gm)].map(
    ([, hash = '', file = '']) => [hash, file],
  );
}

function contractNames(): [name: string, hash: string][] {
  return hashes('contracts/hashes.txt').map(([hash, file]) => [
    file.replace(/^wasm\/|\.wasm$/g, ''),
    hash,
  ]);
}

/** The variants of a contract's error enum, with their doc comments. */
function errorsOf(name: string): [number: string, error: string, meaning: string][] {
  const source = projectFile(`contracts/${name}/src/error.rs`);
  return [...source.matchAll(/((?:^ {4}\/\/\/ .*\n)*)^ {4}(\w+) = (\d+),$/gm)].map(
    ([, comment = '', error = '', number = '']) => [
      number,
      error,
      comment.replaceAll(/^ {4}\/\/\/ /gm, '').trim(),
    ],
  );
}

/** `docs/contracts.md`: modules, hashes, addresses and error numbers. */
export function contractsPage(): string {
  const names = contractNames();
  const modules = names.map(([name, hash]) => [
    code(name),
    PURPOSES[name] ?? '',
    code(`contracts/wasm/${name}.wasm`),
    statSync(join(projectRoot, 'contracts/wasm', `${name}.wasm`)).size.toLocaleString('en-US'),
    code(hash),
  ]);
  const networkId = networkIdOf(TESTNET_PASSPHRASE);
  const keys = genesisKeys(networkId, 'any');
  const accounts = genesisAccounts(networkId, keys);
  const addresses = [
    ['USDC', 'Stellar Asset Contract', code(accounts.usdcContract), 'and on testnet'],
    ['USDC', 'issuer', code(accounts.usdcIssuer), 'and on testnet'],
    ['XLM', 'Stellar Asset Contract', code(accounts.nativeContract), 'and on testnet'],
    ...GENESIS_CONTRACTS.map((name) => [
      code(name),
      'contract',
      code(contractAddress(genesisContractId(networkId, keys.root.publicKey, name))),
      name === 'upto'
        ? 'only on the embedded network; elsewhere a facilitator sets its own in `UPTO_CONTRACT_ID`'
        : 'only on the embedded network',
    ]),
  ];
  const errors = names
    .flatMap(([name]) =>
      errorsOf(name).map(([number, error, meaning]) => ({ name, number, error, meaning })),
    )
    .sort((one, other) => Number(one.number) - Number(other.number))
    .map(({ name, number, error, meaning }) => [number, code(name), code(error), meaning]);

  return `# Contracts: modules, addresses, numbers

${madeFrom("`contracts/hashes.txt`, the embedded network's genesis and the contracts' sources")}
## Modules

The ledger identifies a module by its SHA-256. \`bash contracts/check.sh\` builds the modules again from source
and compares them byte for byte; how to build them is in [contracts/README.md](../contracts/README.md).

${table(['Contract', 'What it is', 'Module', 'Bytes', 'SHA-256'], modules)}
The Soroban host of the embedded network is built the same way, from [network/host](../network/host/README.md):

${table(
  ['Module', 'SHA-256'],
  hashes('network/host/hashes.txt').map(([hash, file]) => [
    code(`network/host/${file}`),
    code(hash),
  ]),
)}
## Addresses

These apply to every network with the passphrase \`${TESTNET_PASSPHRASE}\`. Policy contracts have an address for each
wallet, which the [policy gateway](policies.md) shows before it deploys one.

${table(['', 'What', 'Address', 'Where'], addresses)}
## What a session costs

Stroops, on the embedded network with testnet's settings and USDC, for a payer and a recipient that are classic accounts. \`test/sessions/channel.test.ts\` makes these calls.

${table(['Call', 'Instructions', 'Declared', 'Charged', 'Of it rent', 'Bytes written'], SESSION_COSTS)}
An entry that grows pays rent for what is added: the first claim of a channel, and the start of closing. Later claims pay none, unless they renew the
channel's life. Of the rent of an opening, the larger part is for the token's entry of the channel's balance, which lives 30 days. A transaction claims from at most 67 channels, because its events
may have 16,384 bytes; one more, and it fails and is charged.

## Error numbers

\`Error(Contract, #n)\` in a ledger's refusal. No two contracts share a number.

${table(['Number', 'Contract', 'Error', 'Meaning'], errors)}`;
}
