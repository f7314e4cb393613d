import type { xdr } from '@stellar/stellar-sdk';
import type { SorobanHost } from '../host/index.ts';
import type { NetworkSettings } from '../settings/index.ts';

const encoded = new WeakMap<xdr.ConfigSettingEntry, Uint8Array>();
const lastSetup = new WeakMap<SorobanHost, string>();

/** Gives a host the network's settings, unless they are those that it was given last. */
export function configureHost(
  host: SorobanHost,
  networkId: Uint8Array,
  baseReserve: number,
  { entries }: NetworkSettings,
): void {
  const settings = entries.map(settingXdr);
  const setup = [networkId, Buffer.from(String(baseReserve)), ...settings].map(text).join('\n');
  if (lastSetup.get(host) === setup) return;
  host.configure({ networkId, baseReserve, settings });
  lastSetup.set(host, setup);
}

function settingXdr(setting: xdr.ConfigSettingEntry): Uint8Array {
  let bytes = encoded.get(setting);
  if (bytes === undefined) {
    bytes = setting.toXdr();
    encoded.set(setting, bytes);
  }
  return bytes;
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}
