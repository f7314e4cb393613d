/** Synchronous compilation and growing memory, which the kernels need besides the ledger host's declarations. */
declare namespace WebAssembly {
  interface Memory {
    /** Adds pages of 64 KiB; views of the former buffer are no longer valid. */
    grow(pages: number): number;
  }
  const Module: { new (bytes: Uint8Array): Module };
}
