/** Marks an export list whose only handler the block now exports, or the member of one with others. */
export const LIST_NOTE = 'svc-x402: paid below: ';
