export { RequestPanel, type TestTarget } from './requestPanel.ts';
