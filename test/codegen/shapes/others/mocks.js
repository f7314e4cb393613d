import { http, HttpResponse } from 'msw';

export const handlers = [http.get('/user', () => HttpResponse.json({ name: 'Ada' }))];
