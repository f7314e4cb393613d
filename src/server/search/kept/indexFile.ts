/** Storage for the index across restarts: a sequence of blocks, which is read either exactly as written or not at all. */
export interface IndexFile {
  /** Opens the stored index; null if there is none. */
  read(): Promise<BlockReader | null>;
  /**
   * Replaces the stored index. Until the last block is safely stored, the former content stays.
   * @returns the size in bytes
   * @throws errors of the file system or of `blocks`; the former content stays
   */
  write(blocks: Iterable<Uint8Array>): Promise<number>;
}

export interface BlockReader {
  /**
   * Returns the next block.
   * @param memory buffer to read it into, if it fits, for a block that is copied at once. Default: a new buffer
   * @throws KeptDamaged if there is no such block, or it was modified
   */
  next(memory?: Uint8Array): Promise<Uint8Array>;
  /** Whether every block has been read, and nothing follows. */
  ended(): Promise<boolean>;
  close(): Promise<void>;
}

/** The stored index cannot be used; the message says why. */
export class KeptDamaged extends Error {
  override readonly name = 'KeptDamaged';
}
