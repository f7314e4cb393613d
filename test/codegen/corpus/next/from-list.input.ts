export { GET, POST, runtime } from '@/handlers/reports';
