const axios = require('axios');
const api = axios.create({ baseURL: '/api' });
exports.create = (form) => api.post('/users', form);
exports.find = (id) => api.get(`/users/${id}`);
