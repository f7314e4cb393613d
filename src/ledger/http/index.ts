export { openCertificates, type ServerCertificates } from './certificates/certificateFiles.ts';
export { friendbotRoute } from './friendbotRoute.ts';
export { ledgerListener } from './ledgerListener.ts';
export { type LedgerServer, startLedgerServer } from './ledgerServer.ts';
export { PortError } from './portError.ts';
