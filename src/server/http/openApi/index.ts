/** The description of the HTTP face for machines. */
export { openApiText } from './document.ts';
