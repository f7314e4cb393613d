/** Translation of user-visible texts, and dates as they are shown. */
export { moment, timeOfDay } from './moment.ts';
export { language, later, t, translateWith } from './translate.ts';
