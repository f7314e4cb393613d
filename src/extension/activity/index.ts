export { type ActivityLog, createActivityLog } from './activityLog.ts';
export { type Activity, activityOf } from './activityOf.ts';
export { describeActivity, lastActivity } from './describeActivity.ts';
export { parseServiceLine, type ServiceEntry } from './serviceLine.ts';
