export { GET } from '@/handlers/quote';

export const runtime = 'nodejs';
