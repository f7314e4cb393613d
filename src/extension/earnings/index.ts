export { earningsCsv } from './earningsCsv.ts';
export { earningsFace } from './earningsFace.ts';
export { earningsPage } from './earningsPage.ts';
export { openJournal, type PaymentJournal } from './paymentJournal.ts';
export { routeOf } from './routeOf.ts';
export { EARNING_PERIODS, type EarningPeriod, settledIn } from './summarise.ts';
