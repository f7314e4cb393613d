export { openCertificates } from './certificates/certificateFiles.ts';
export { ledgerListener } from './ledgerListener.ts';
export { startLedgerServer } from './ledgerServer.ts';
export { PortError } from './portError.ts';
