export { earningsCsv } from './earningsCsv.ts';
export { earningsPage } from './earningsPage.ts';
export { openJournal, type PaymentJournal } from './paymentJournal.ts';
export { routeOf } from './routeOf.ts';
export { summarise } from './summarise.ts';
