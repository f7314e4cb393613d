/** Compiling at once and growing memory: what the kernels need beside the ledger host's part. */
declare namespace WebAssembly {
  interface Memory {
    /** Adds pages of 64 KiB; views of the former buffer are no longer valid. */
    grow(pages: number): number;
  }
  const Module: { new (bytes: Uint8Array): Module };
}
