export { RequestPanel, type TestTarget } from './requestPanel.ts';
export { probableUrl } from './startCommand.ts';
