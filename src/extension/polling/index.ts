export { PERIODS } from './periods.ts';
export { createPoller } from './poller.ts';
