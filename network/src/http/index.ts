export { openCertificates } from './certificates/certificateFiles.ts';
export { ledgerListener } from './ledgerListener.ts';
export { PortError, startLedgerServer } from './ledgerServer.ts';
