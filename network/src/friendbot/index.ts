export { askedUsdc } from './askedUsdc.ts';
export { Friendbot } from './friendbot.ts';
export { FriendbotError } from './friendbotError.ts';
