/** The operations of the WebAssembly module; counterpart of `mod op` in `network/host/src/lib.rs`. */
export const operation = {
  panic: 0,
  configure: 1,
  invoke: 2,
  simulateInvoke: 3,
  simulateExtendTtl: 4,
  simulateRestore: 5,
  cacheModule: 6,
  uncacheModule: 7,
  clearModuleCache: 8,
  resourceFee: 9,
  rentFee: 10,
  sizeForRent: 11,
} as const;

export type Operation = (typeof operation)[keyof typeof operation];
