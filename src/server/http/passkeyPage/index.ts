export { mountPasskeyPage } from './mountPasskeyPage.ts';
