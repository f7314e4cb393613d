export { NO_TRACING, type Tracing } from './tracing.ts';
