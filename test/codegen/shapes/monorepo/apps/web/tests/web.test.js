import request from 'supertest';
import { app } from '../app';

test('it answers', () => request(app).get('/api/web').expect(200));
