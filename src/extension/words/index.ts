/** The language of what people read. */
export { language, later, t, translateWith } from './translate.ts';
