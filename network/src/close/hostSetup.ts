import type { xdr } from '@stellar/stellar-sdk';
import type { SorobanHost } from '../host/index.ts';
import type { NetworkSettings } from '../settings/index.ts';
import { encodeXdr } from '../xdr/index.ts';

const encoded = new WeakMap<xdr.ConfigSettingEntry, Uint8Array>();
const lastSetup = new WeakMap<Configured, Setup>();

type Configured = Pick<SorobanHost, 'configureLater'>;

/** The last configuration of a host. */
interface Setup {
  readonly networkId: Uint8Array;
  readonly baseReserve: number;
  readonly entries: NetworkSettings['entries'];
  readonly settings: readonly Uint8Array[];
}

/** Configures a host with the network's settings, unless it already has them. */
export function configureHost(
  host: Configured,
  networkId: Uint8Array,
  baseReserve: number,
  { entries }: Pick<NetworkSettings, 'entries'>,
): void {
  const last = lastSetup.get(host);
  const sameNetwork = last?.baseReserve === baseReserve && equal(last.networkId, networkId);
  if (sameNetwork && last.entries === entries) return;
  const settings = entries.map(settingXdr);
  if (!sameNetwork || !settings.every((bytes, at) => equal(bytes, last.settings[at]))) {
    host.configureLater({ networkId, baseReserve, settings });
  }
  lastSetup.set(host, { networkId, baseReserve, entries, settings });
}

function settingXdr(setting: xdr.ConfigSettingEntry): Uint8Array {
  let bytes = encoded.get(setting);
  if (bytes === undefined) {
    bytes = encodeXdr(setting);
    encoded.set(setting, bytes);
  }
  return bytes;
}

function equal(a: Uint8Array, b: Uint8Array | undefined): boolean {
  return a === b || (b !== undefined && Buffer.compare(a, b) === 0);
}
