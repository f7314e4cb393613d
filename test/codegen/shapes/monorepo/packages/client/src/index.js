import ky from 'ky';

const api = ky.create({ prefixUrl: 'https://api.example.com' });
export const load = (id) => api.get(`/items/${id}`, { json: true });
