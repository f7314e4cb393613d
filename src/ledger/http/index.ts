export { openCertificates } from './certificates/certificateFiles.ts';
export { forkedAccounts } from './forkedAccounts.ts';
export { friendbotRoute } from './friendbotRoute.ts';
export { ledgerListener } from './ledgerListener.ts';
export { startLedgerServer } from './ledgerServer.ts';
export { pageRoute } from './pageRoute.ts';
export { PortError } from './portError.ts';
