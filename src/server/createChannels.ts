import * as xdr from '@stellar/stellar-sdk/xdr';
import { assertTestnet } from './assertTestnet.ts';
import { type Clock, systemClock } from './clock.ts';
import type { SigningSecrets } from './config.ts';
import { ConfigError } from './configError.ts';
import { type Logger, silentLogger } from './logger.ts';
import { connectNetwork, type StellarNetwork } from './network/index.ts';
import { accountKey, openSigners, type Signer, submitClassic } from './settlement/index.ts';

export interface CreateChannelsOptions extends SigningSecrets {
  readonly rpcUrl: string;
  readonly rpcCertificateAuthority?: string | null;
  /** Balance of each new channel. Channels do not pay fees: it only covers their reserve. */
  readonly startingBalanceStroops?: bigint;
  readonly logger?: Logger;
  readonly clock?: Clock;
}

export interface CreatedChannels {
  /** Addresses that this call created. */
  readonly created: readonly string[];
  /** Addresses that existed already. */
  readonly existing: readonly string[];
  /** Hash of the transaction that created them; `null` if there was nothing to do. */
  readonly hash: string | null;
}

/** Twice the reserve of an empty account, so that a raised reserve does not strand the pool. */
const STARTING_BALANCE = 20_000_000n;
/** Bid for each operation. */
const FEE_PER_OPERATION = 10_000;

function createAccount(channel: Signer, startingBalance: bigint): xdr.Operation {
  return new xdr.Operation({
    sourceAccount: null,
    body: xdr.OperationBody.createAccount(
      new xdr.CreateAccountOp({
        destination: xdr.PublicKey.publicKeyTypeEd25519(channel.publicKey),
        startingBalance,
      }),
    ),
  });
}

/** Creates the missing channels on a network that is connected already. See `createChannels`. */
export async function createChannelsOn(
  options: Omit<CreateChannelsOptions, 'rpcUrl'>,
  network: StellarNetwork,
): Promise<CreatedChannels> {
  const { logger = silentLogger, clock = systemClock } = options;
  const { sponsor, channels } = openSigners(options);
  const { entries } = await network.getLedgerEntries([sponsor, ...channels].map(accountKey));
  const [sponsorEntry, ...channelEntries] = entries;
  if (sponsorEntry?.type !== 'account') {
    throw new ConfigError([
      `The sponsor ${sponsor.address} does not exist on the network. Fund it first.`,
    ]);
  }
  const missing = channels.filter((_, index) => channelEntries[index] === undefined);
  const existing = channels.filter((channel) => !missing.includes(channel));
  const result = {
    created: missing.map(({ address }) => address),
    existing: existing.map(({ address }) => address),
  };
  if (missing.length === 0) return { ...result, hash: null };

  const startingBalance = options.startingBalanceStroops ?? STARTING_BALANCE;
  const needed = BigInt(missing.length) * (startingBalance + BigInt(FEE_PER_OPERATION));
  if (sponsorEntry.account.balance < needed) {
    throw new ConfigError([
      `The sponsor ${sponsor.address} holds ${sponsorEntry.account.balance} stroops and needs ` +
        `more than ${needed} to create ${missing.length} channels. Fund it first.`,
    ]);
  }
  logger.info({ missing: missing.length }, 'creating channel accounts');
  const hash = await submitClassic(
    {
      source: sponsor,
      sequence: sponsorEntry.account.seqNum + 1n,
      fee: FEE_PER_OPERATION * missing.length,
      operations: missing.map((channel) => createAccount(channel, startingBalance)),
    },
    network,
    clock,
  );
  return { ...result, hash };
}

/**
 * Creates and funds the channel accounts that do not exist yet, in one transaction of the sponsor.
 * Calling it again does nothing.
 * @throws ConfigError if secrets do not match or the sponsor lacks funds; SubmissionError if the
 * network does not accept the transaction; RpcError without a response
 */
export async function createChannels(options: CreateChannelsOptions): Promise<CreatedChannels> {
  const network = connectNetwork(
    { url: options.rpcUrl, certificateAuthority: options.rpcCertificateAuthority ?? null },
    options.clock ?? systemClock,
  );
  try {
    assertTestnet((await network.getNetwork()).passphrase);
    return await createChannelsOn(options, network);
  } finally {
    network.close();
  }
}
