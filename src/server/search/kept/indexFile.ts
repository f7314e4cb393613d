/** Where the index is kept across restarts: a sequence of blocks, which is read as it was written or not at all. */
export interface IndexFile {
  /** Opens what was kept; null if there is nothing. */
  read(): Promise<BlockReader | null>;
  /**
   * Replaces what was kept. Until the last block is safely stored, the former content stays.
   * @returns the size in bytes
   * @throws what the file system or `blocks` throws; the former content stays
   */
  write(blocks: Iterable<Uint8Array>): Promise<number>;
}

export interface BlockReader {
  /**
   * Returns the next block.
   * @param memory where to read it, if it fits: for a block that is copied at once. Default: memory of its own
   * @throws KeptDamaged if there is no such block, or it is not as it was written
   */
  next(memory?: Uint8Array): Promise<Uint8Array>;
  /** Whether every block has been read, and nothing follows. */
  ended(): Promise<boolean>;
  close(): Promise<void>;
}

/** The kept index cannot be used; the message says why. */
export class KeptDamaged extends Error {
  override readonly name = 'KeptDamaged';
}
