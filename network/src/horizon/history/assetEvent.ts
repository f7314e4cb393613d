import type { xdr } from '@stellar/stellar-sdk';
import { assetContractId } from '../../transaction/events/index.ts';
import { parseCanonicalAsset } from '../format/asset.ts';

export type AssetEventType = 'transfer' | 'mint' | 'clawback' | 'burn';

/** An event in which a Stellar asset's contract reports a balance change. */
export interface AssetEvent {
  readonly type: AssetEventType;
  readonly asset: xdr.Asset;
  /** The sender; undefined if the amount was minted. */
  readonly from: xdr.ScAddress | undefined;
  /** The recipient; undefined if the amount was burned. */
  readonly to: xdr.ScAddress | undefined;
  readonly amount: bigint;
  /** The recipient's multiplexing id. */
  readonly toId: bigint | undefined;
}

/** The number of parties listed between the event's name and the asset. */
const PARTIES: Readonly<Record<AssetEventType, number>> = {
  transfer: 2,
  mint: 1,
  clawback: 1,
  burn: 1,
};

/**
 * Reads an event of an asset's own contract (CAP-67); undefined if it is from another contract or has another form (Horizon
 * `contractevents`).
 */
export function readAssetEvent(
  networkId: Uint8Array,
  event: xdr.ContractEvent,
): AssetEvent | undefined {
  if (event.type.name !== 'contract' || event.contractId === null) return undefined;
  const { topics, data } = event.body.v0;
  const type = typeOf(topics[0]);
  const last = topics.at(-1);
  if (type === undefined || last?.type !== 'scvString') return undefined;
  if (topics.length !== PARTIES[type] + 2) return undefined;
  const asset = parseCanonicalAsset(last.str.toString());
  if (asset === undefined) return undefined;
  if (!sameBytes(assetContractId(networkId, asset).value, event.contractId.value)) return undefined;
  const moved = readData(data);
  const parties = topics
    .slice(1, -1)
    .flatMap((topic) => (topic.type === 'scvAddress' ? [topic.address] : []));
  const [first, second] = parties;
  if (moved === undefined || first === undefined) return undefined;
  switch (type) {
    case 'transfer':
      return second && { type, asset, from: first, to: second, ...moved };
    case 'mint':
      return { type, asset, from: undefined, to: first, ...moved };
    default:
      return { type, asset, from: first, to: undefined, ...moved };
  }
}

function typeOf(topic: xdr.ScVal | undefined): AssetEventType | undefined {
  if (topic?.type !== 'scvSymbol') return undefined;
  const name = topic.sym.toString();
  return Object.hasOwn(PARTIES, name) ? (name as AssetEventType) : undefined;
}

/** Reads the amount, or a map of it and the recipient's multiplexing id. */
function readData(data: xdr.ScVal): Pick<AssetEvent, 'amount' | 'toId'> | undefined {
  if (data.type === 'scvI128') return { amount: int128(data.i128), toId: undefined };
  if (data.type !== 'scvMap' || data.map?.length !== 2) return undefined;
  const fields = new Map(
    data.map.map(({ key, val }) => [key.type === 'scvSymbol' ? key.sym.toString() : '', val]),
  );
  const amount = fields.get('amount');
  const toId = fields.get('to_muxed_id');
  if (amount?.type !== 'scvI128' || toId?.type !== 'scvU64') return undefined;
  return { amount: int128(amount.i128), toId: toId.u64 };
}

function int128({ hi, lo }: xdr.Int128Parts): bigint {
  return (hi << 64n) | lo;
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
