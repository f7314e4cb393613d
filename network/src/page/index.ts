export { PAGE_POLICY, pageWith } from './page.ts';
