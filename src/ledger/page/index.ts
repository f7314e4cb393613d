export { PAGE, PAGE_POLICY } from './page.ts';
