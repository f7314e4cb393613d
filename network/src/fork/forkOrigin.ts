import { xdr } from '@stellar/stellar-sdk';
import * as z from 'zod/mini';
import { settingKeyId, testnetSettings } from '../settings/index.ts';
import { ForkError } from './forkError.ts';
import { readRemoteEntries } from './remoteEntries.ts';
import { RemoteRpc } from './remoteRpc.ts';

/** Which network to fork. */
export interface ForkOptions {
  /** Stellar RPC of that network. */
  readonly rpcUrl: string;
  /** The ledger to fork at. Default: the latest. */
  readonly at?: number;
}

/** What is known about a network when it is forked. */
export interface ForkOrigin {
  readonly remote: RemoteRpc;
  readonly passphrase: string;
  readonly header: xdr.LedgerHeader;
  readonly settings: readonly xdr.ConfigSettingEntry[];
  /** The ledger after which entries must not have changed; `undefined` accepts every version. */
  readonly at: number | undefined;
}

const network = z.object({ passphrase: z.string(), protocolVersion: z.number() });
const latest = z.object({ sequence: z.number() });
const ledgers = z.object({ ledgers: z.array(z.object({ headerXdr: z.string() })) });

/** Reads the data from which a fork starts. @throws ForkError */
export async function readForkOrigin(
  { rpcUrl, at }: ForkOptions,
  protocols: readonly number[],
): Promise<ForkOrigin> {
  const remote = new RemoteRpc(rpcUrl);
  const { passphrase, protocolVersion } = await remote.call('getNetwork', {}, network);
  if (!protocols.includes(protocolVersion)) {
    throw new ForkError(
      'OTHER_PROTOCOL',
      `${rpcUrl} runs protocol ${protocolVersion}; supported here: ${protocols.join(', ')}.`,
    );
  }
  const startLedger = at ?? (await remote.call('getLatestLedger', {}, latest)).sequence;
  const params = { startLedger, pagination: { limit: 1 } };
  const [first] = (await remote.call('getLedgers', params, ledgers)).ledgers;
  if (first === undefined) {
    throw new ForkError('UNREACHABLE', `${rpcUrl} does not have ledger ${startLedger}.`);
  }
  const history = xdr.LedgerHeaderHistoryEntry.fromXdr(first.headerXdr, 'base64');
  const settings = testnetSettings();
  const found = await readRemoteEntries(
    remote,
    settings.map(({ type }) => settingKeyId(type)),
  );
  const read = found.flatMap(({ entry: { data } }) =>
    data.type === 'configSetting' ? [data.configSetting] : [],
  );
  const missing = settings.filter(({ type }) => !read.some((one) => one.type === type));
  return { remote, passphrase, header: history.header, settings: [...read, ...missing], at };
}
