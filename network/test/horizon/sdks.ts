import * as sdk17 from '@stellar/stellar-sdk';

/** What the tests use of the SDK. All versions have it, and answer alike. */
export type Sdk = Pick<
  typeof sdk17,
  'Asset' | 'Horizon' | 'Keypair' | 'Memo' | 'NotFoundError' | 'Operation' | 'TransactionBuilder'
>;

export type HorizonServer = InstanceType<Sdk['Horizon']['Server']>;

/** The versions of the SDK whose unmodified Horizon clients are tried. */
export const SDKS: readonly { readonly version: number; load(): Promise<Sdk> }[] = [
  // Where the types of the older ones differ, they differ in what the tests do not touch.
  { version: 14, load: async () => (await import('stellar-sdk-14')) as unknown as Sdk },
  { version: 15, load: async () => (await import('stellar-sdk-15')) as unknown as Sdk },
  { version: 17, load: async () => sdk17 },
];

export function horizonServer(sdk: Sdk, url: string): HorizonServer {
  return new sdk.Horizon.Server(url, { allowHttp: true });
}
