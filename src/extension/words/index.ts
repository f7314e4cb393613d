/** Translation of user-visible texts, and the form in which dates are shown. */
export { moment, timeOfDay } from './moment.ts';
export { language, later, t, translateWith } from './translate.ts';
