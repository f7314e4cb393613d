export { npmIn } from './npmIn.ts';
