/** Verifying what sellers sign: `svc-x402/receipts`. Apps that do not import it do not carry it. */
export {
  collectReceipt,
  type ReceiptFile,
  readReceiptFile,
} from '../../protocol/receipts/index.ts';
export type { Finding, Judgement, NamingAccount, ReceiptReaders } from './judgeReceipt.ts';
export { ledgerReaders, webReaders } from './readers.ts';
export { type VerifyOptions, verifyReceiptFile } from './verifyReceiptFile.ts';
export { type ReceiptWatcher, watchReceipts } from './watchReceipts.ts';
