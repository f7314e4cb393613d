export { Friendbot } from './friendbot.ts';
export { FriendbotError } from './friendbotError.ts';
