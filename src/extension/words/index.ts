/** Translation of user-visible texts. */
export { language, later, t, translateWith } from './translate.ts';
