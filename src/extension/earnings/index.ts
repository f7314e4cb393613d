export { earningsPage } from './earningsPage.ts';
export { openJournal, type PaymentJournal } from './paymentJournal.ts';
export { summarise } from './summarise.ts';
