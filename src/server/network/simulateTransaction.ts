import * as xdr from '@stellar/stellar-sdk/xdr';
import { z } from 'zod';
import {
  type PlainResources,
  type PlainTransferEvent,
  plainResources,
  plainTransferEvent,
} from '../../protocol/stellar/index.ts';
import { callAndRead, decodeAnswer, type RpcCall } from './rpcCall.ts';
import { RpcError } from './rpcError.ts';

const METHOD = 'simulateTransaction';
const schema = z.object({
  latestLedger: z.number(),
  error: z.string().nullish(),
  minResourceFee: z.string().regex(/^\d+$/).nullish(),
  transactionData: z.string().nullish(),
  events: z.array(z.string()).nullish(),
  results: z.array(z.object({ xdr: z.string() })).nullish(),
  restorePreamble: z.unknown().optional(),
});

export interface SimulationSuccess {
  readonly status: 'success';
  readonly latestLedger: number;
  /** Minimum resource fee of the execution, in stroops. */
  readonly minResourceFee: bigint;
  /** Decoded on first access. */
  readonly transactionData: xdr.SorobanTransactionData;
  /** Resource fee in `transactionData`, in stroops. */
  readonly resourceFee: bigint;
  /** The bytes of `transactionData`, as the server sent them. */
  readonly encodedData: Uint8Array;
  /** Number of archived entries, which the transaction restores at its own expense (CAP-66). */
  readonly archived: number;
  /** Contract events, without those that the host adds for debugging. */
  readonly events: readonly xdr.DiagnosticEvent[];
  /** The only event, if it is a transfer in its usual form. `events` are then decoded on first access. */
  readonly onlyTransfer?: PlainTransferEvent | undefined;
  /** The contract's return value, base64 XDR of an `SCVal`. */
  readonly returned: string | undefined;
}

export interface SimulationFailure {
  /** `restore`: it would succeed once archived entries were restored. */
  readonly status: 'failure' | 'restore';
  readonly latestLedger: number;
  /** The host's message. */
  readonly error: string;
}

export type Simulation = SimulationSuccess | SimulationFailure;

/** Discriminant of `ContractEventType`. */
const CONTRACT = 1;
/** The bytes before that type if the event does not name a contract: a flag, an extension, an absent option. */
const TYPE_AT = 12;
const CONTRACT_ID_LENGTH = 32;

/**
 * Whether an encoded diagnostic event is not from a contract. Of a transfer's three events, two are its call and its return,
 * which are never read and are as long as everything else together. Bytes that are too short to decide are left to the decoder.
 */
function isOfNoContract(event: Buffer): boolean {
  if (event.length < TYPE_AT + 4) return false;
  const at = event.readUInt32BE(TYPE_AT - 4) === 0 ? TYPE_AT : TYPE_AT + CONTRACT_ID_LENGTH;
  return event.length >= at + 4 && event.readUInt32BE(at) !== CONTRACT;
}

/** Returns the events that come from contracts, or might. */
function eventsOfContracts(texts: readonly string[]): readonly Buffer[] {
  return texts.map((text) => Buffer.from(text, 'base64')).filter((event) => !isOfNoContract(event));
}

/** Reads the events of contracts. Throws if they are malformed. */
function readEvents(texts: readonly string[]): Pick<SimulationSuccess, 'events' | 'onlyTransfer'> {
  const found = eventsOfContracts(texts);
  const [only, ...others] = found;
  const onlyTransfer =
    only === undefined || others.length > 0 ? undefined : plainTransferEvent(only);
  const decode = () => found.map((event) => xdr.DiagnosticEvent.fromXdr(event));
  if (onlyTransfer === undefined) return { events: decode() };
  return {
    onlyTransfer,
    get events() {
      return decode();
    },
  };
}

/** Reads resources of an unusual form. Throws if they are malformed. */
function decodedResources(bytes: Uint8Array): PlainResources {
  const { ext, resourceFee } = xdr.SorobanTransactionData.fromXdr(bytes);
  const archived = ext.type === 'resourceExt' ? ext.resourceExt.archivedSorobanEntries.length : 0;
  return { archived, resourceFee };
}

/**
 * Runs a transaction without submitting it. Attached authorization entries are enforced: signatures, nonces and spending
 * policies are checked as on the ledger.
 * @param transaction base64 XDR of the envelope; needs no signature and no existing source
 */
export async function simulateTransaction(call: RpcCall, transaction: string): Promise<Simulation> {
  const answer = await callAndRead(call, METHOD, { transaction }, schema);
  const { latestLedger, transactionData, minResourceFee } = answer;
  if (typeof answer.error === 'string') {
    return { status: 'failure', latestLedger, error: answer.error };
  }
  if (answer.restorePreamble !== undefined && answer.restorePreamble !== null) {
    return { status: 'restore', latestLedger, error: 'archived entries have to be restored' };
  }
  if (typeof transactionData !== 'string' || typeof minResourceFee !== 'string') {
    throw new RpcError(
      'bad_answer',
      METHOD,
      'neither an error nor the resources of a successful simulation',
    );
  }
  return decodeAnswer(METHOD, () => {
    const encodedData = Buffer.from(transactionData, 'base64');
    const read = readEvents(answer.events ?? []);
    return {
      status: 'success',
      latestLedger,
      minResourceFee: BigInt(minResourceFee),
      get transactionData() {
        return xdr.SorobanTransactionData.fromXdr(encodedData);
      },
      encodedData,
      ...(plainResources(encodedData) ?? decodedResources(encodedData)),
      returned: answer.results?.[0]?.xdr,
      onlyTransfer: read.onlyTransfer,
      get events() {
        return read.events;
      },
    };
  });
}
